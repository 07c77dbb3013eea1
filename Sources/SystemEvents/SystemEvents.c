#include "SystemEvents.h"
