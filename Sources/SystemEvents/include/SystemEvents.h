// The system's calls that say which of many sockets are ready, where Swift's own modules leave them out: epoll on Linux.
#ifndef SYSTEM_EVENTS_H
#define SYSTEM_EVENTS_H

#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#endif

#endif
