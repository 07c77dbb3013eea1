import Foundation

/// Counts those that hold on to a closure that was lent, so that it can be given back although a call of it never ends.
///
/// The language ends the process when a lent closure is still held at the end of its loan. A call that waits for something
/// that never comes, such as a continuation that nobody resumes, holds it for ever; that is just what a test is to find, and
/// to report. So its hold is given up in its place.
///
/// This goes round a check of the language's, and is done only where a call is still open. Should that come back after all,
/// the memory of the lent closure is still there; what the lender's own closure has captured may be gone by then.
struct ClosureHolders {
  /// A closure as it is stored; by itself it would be handed on wrapped into another.
  private struct Stored {
    let function: @Sendable () async throws -> Void
  }

  /// The two words of a closure: its code, and what it has captured.
  private struct Words {
    let code: UnsafeRawPointer?
    let context: UnsafeRawPointer?
  }

  private let context: UnsafeRawPointer?

  init(of function: @escaping @Sendable () async throws -> Void) {
    context = unsafeBitCast(Stored(function: function), to: Words.self).context
  }

  /// How many hold the closure now.
  var count: Int {
    guard let context, let retainCount = SwiftRuntime.retainCount else { return 0 }
    return retainCount(context)
  }

  /// Gives up the holds that have been added since there were so many.
  func restore(to count: Int) {
    guard let context, let retainCount = SwiftRuntime.retainCount, let release = SwiftRuntime.release,
      let keepMemory = SwiftRuntime.unownedRetain
    else { return }
    let added = retainCount(context) - count
    guard added > 0 else { return }
    for _ in 0..<added {
      _ = keepMemory(context)
      release(context)
    }
  }
}

/// Entry points of the Swift runtime, as its ABI has them: looked up by name, since code is not to name them.
private enum SwiftRuntime {
  static let retainCount: (@convention(c) (UnsafeRawPointer) -> Int)? = symbol("swift_retainCount").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeRawPointer) -> Int).self)
  }
  static let release: (@convention(c) (UnsafeRawPointer) -> Void)? = symbol("swift_release").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeRawPointer) -> Void).self)
  }
  static let unownedRetain: (@convention(c) (UnsafeRawPointer) -> UnsafeRawPointer)? = symbol("swift_unownedRetain")
    .map { unsafeBitCast($0, to: (@convention(c) (UnsafeRawPointer) -> UnsafeRawPointer).self) }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #else
      dlsym(nil, name)
    #endif
  }
}
