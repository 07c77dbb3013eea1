// Re-exports the C library under one name. Using members of its structures needs an import of the defining module;
// importing Foundation does not guarantee that.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Glibc)
  @_exported public import Glibc
#endif
