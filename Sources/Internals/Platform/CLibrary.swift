// The C library under one name. Members of its structures need an import of the module that defines them, which an import
// of Foundation does not promise.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Glibc)
  @_exported public import Glibc
#endif
