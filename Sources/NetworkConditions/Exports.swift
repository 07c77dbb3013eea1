// The units and conditions of LinkSimulator stand in this module's own declarations: one import is enough to write them.
@_exported public import LinkSimulator
@_exported public import protocol URLLoading.HTTPLoader
