import Foundation
import Internals
import NetworkConditions

/// A test's function, which may be called from a simulation's thread for as long as its test goes on.
///
/// A test library lends a function and takes it back; a simulation keeps its closure for a moment longer than it needs it.
/// So the function is held here alone, and let go of at the end.
final class LentFunction: Sendable {
  private struct State {
    var function: (@Sendable () async throws -> Void)?
    /// The networks of the calls that have not come back.
    var calls: [SimulatedNetwork?] = []
  }

  private let state: Mutex<State>

  private init(_ function: @escaping @Sendable () async throws -> Void) {
    state = Mutex(State(function: function))
  }

  /// Calls the function, in a run over a network.
  func callAsFunction(over network: SimulatedNetwork? = nil) async throws {
    state.withLock { $0.calls.append(network) }
    defer {
      state.withLock { state in
        if let index = state.calls.firstIndex(where: { $0 === network }) { state.calls.remove(at: index) }
      }
    }
    try await call()
  }

  /// Holds the function no longer than its call: when this has returned, nobody does but the state.
  private func call() async throws {
    guard let function = state.withLock({ $0.function }) else { throw CancellationError() }
    try await function()
  }

  /// Lends a function for as long as `body` runs, and waits for the calls that `body` has left behind; they were cancelled.
  ///
  /// A call of a run that was refused never comes back, and is not waited for. Any other that does not come back ends the
  /// process with words that say why: the language lets no lent function outlive its loan.
  ///
  /// - Parameters:
  ///   - function: what is lent.
  ///   - name: what it is called in these words.
  ///   - patience: how long in real time calls are waited for.
  ///   - body: what calls it.
  static func lend<Value: Sendable>(
    _ function: @Sendable () async throws -> Void, of name: String, patience: Duration = .seconds(1),
    to body: (LentFunction) async throws -> Value
  ) async throws -> Value {
    try await withoutActuallyEscaping(function) { function in
      let lent = LentFunction(Self.outliving(function))
      let result: Result<Value, any Error>
      do {
        result = .success(try await body(lent))
      } catch {
        result = .failure(error)
      }
      await lent.takeBack(from: name, patience)
      return try result.get()
    }
  }

  /// The function in a copy that may be held when the loan is over, but not called.
  ///
  /// A call that never comes back holds what it calls, and `withoutActuallyEscaping` ends the process when that is the
  /// function that it gave. A closure is two words: its code, and an object with what it captured, here the lent function.
  /// A copy of the object, some 50 bytes, is never freed.
  private static func outliving(_ function: @escaping @Sendable () async throws -> Void)
    -> @Sendable () async throws -> Void
  {
    typealias Words = (code: UnsafeRawPointer, captured: UnsafeMutableRawPointer?)
    // Within a value: a function that is a generic argument itself comes in another closure, which is gone soon.
    struct Held {
      let function: @Sendable () async throws -> Void
    }
    var words = unsafeBitCast(Held(function: function), to: Words.self)
    guard let captured = words.captured else { return function }
    // The C library's, which its module for Linux leaves out; Apple's has another name.
    guard let found = dlsym(dlopen(nil, RTLD_NOW), "malloc_usable_size") ?? dlsym(dlopen(nil, RTLD_NOW), "malloc_size")
    else { return function }
    let size = unsafeBitCast(found, to: (@convention(c) (UnsafeRawPointer) -> Int).self)(captured)
    guard size > 0, let copy = malloc(size) else { return function }
    memcpy(copy, captured, size)
    words.captured = copy
    return unsafeBitCast(words, to: Held.self).function
  }

  /// Whether all calls have come back but those that never will.
  private var areBack: Bool { state.withLock { $0.calls.allSatisfy { $0?.isRefused == true } } }

  /// Lets go of the function, and waits for calls to come back.
  private func takeBack(from name: String, _ patience: Duration) async {
    state.withLock { $0.function = nil }
    // In a task of its own: where the test's is cancelled no sleep lasts.
    let isBack = await Task { [self] in
      for _ in 0..<200 {
        if areBack { return true }
        try? await Task.sleep(for: patience / 200)
      }
      return areBack
    }.value
    if isBack { return }
    fatalError(
      Explanation.unendedTest.ending(
        """
        The test \(name) cannot be ended: \(patience) after it was cancelled it still waits for something that never \
        comes, such as a continuation that nobody resumes, or a thread of it is blocked. The issue before this line says \
        under which network. Let the wait end when its task is cancelled (withTaskCancellationHandler), and that issue is \
        all. In a search on Linux, `workers: .processes()` lets the other tests go on.
        """))
  }
}
