#if os(Linux)
  import Glibc

  enum DispatchObject {
    // Uses the internal counts: a queue held only by a timer has no external owner, and cannot get one.
    private typealias Retain = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
    private typealias Release = @convention(c) (UnsafeMutableRawPointer) -> Void
    private static let retaining = dlsym(nil, "_os_object_retain_internal").map {
      unsafeBitCast($0, to: Retain.self)
    }
    private static let releasing = dlsym(nil, "_os_object_release_internal").map {
      unsafeBitCast($0, to: Release.self)
    }

    static var isKnown: Bool { retaining != nil && releasing != nil }
    static func retain(_ object: UnsafeMutableRawPointer) { _ = retaining?(object) }
    static func release(_ object: UnsafeMutableRawPointer) { releasing?(object) }

    /// Whether code outside of libdispatch owns the object, by the external count in the object's header.
    static func hasOwner(_ object: UnsafeMutableRawPointer) -> Bool {
      (object + 12).load(as: Int32.self) >= 0
    }
  }
#endif
