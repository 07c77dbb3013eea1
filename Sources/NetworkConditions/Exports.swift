// This module's declarations use LinkSimulator's units and conditions, so importing this module alone is enough.
@_exported public import LinkSimulator
@_exported public import protocol URLLoading.HTTPLoader
