import Foundation
import Internals
import NetworkConditions

/// A test's function, which may be called from a simulation's thread as long as its test runs.
///
/// A test library requires that its function does not outlive the test. A simulation keeps its closure a moment longer.
/// So only this object holds the function, and releases it at the end.
final class LentFunction: Sendable {
  private struct State {
    var function: (@Sendable () async throws -> Void)?
    /// The networks of the calls that have not returned.
    var calls: [SimulatedNetwork?] = []
  }

  private let state: Mutex<State>

  private init(_ function: @escaping @Sendable () async throws -> Void) {
    state = Mutex(State(function: function))
  }

  func callAsFunction(over network: SimulatedNetwork? = nil) async throws {
    state.withLock { $0.calls.append(network) }
    defer {
      state.withLock { state in
        if let index = state.calls.firstIndex(where: { $0 === network }) { state.calls.remove(at: index) }
      }
    }
    try await call()
  }

  /// Calls the function, and holds it only during the call.
  private func call() async throws {
    guard let function = state.withLock({ $0.function }) else { throw CancellationError() }
    try await function()
  }

  /// Lends a function while `body` runs, then waits for the calls that are still running.
  ///
  /// A call in a refused or abandoned run never continues, and is not waited for. A call in a run that ended at its limit
  /// of requests may be left behind. Any other call that does not return ends the process with an explanation: Swift
  /// lets no non-escaping function outlive its scope.
  ///
  /// - Parameters:
  ///   - function: the function to lend.
  ///   - name: the test's name in that explanation.
  ///   - patience: how long calls are waited for in real time.
  ///   - body: calls the function.
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

  /// Returns a copy of the closure that may be retained after the scope, but not called.
  ///
  /// A call that never returns holds its closure, and `withoutActuallyEscaping` ends the process if that is the
  /// original. A closure is two words: its code, and an object with its captures. This copies the object, some 50
  /// bytes, and never frees the copy.
  private static func outliving(_ function: @escaping @Sendable () async throws -> Void)
    -> @Sendable () async throws -> Void
  {
    typealias Words = (code: UnsafeRawPointer, captured: UnsafeMutableRawPointer?)
    // In a struct: as a generic argument itself, the function would be wrapped in a temporary closure.
    struct Held {
      let function: @Sendable () async throws -> Void
    }
    var words = unsafeBitCast(Held(function: function), to: Words.self)
    guard let captured = words.captured else { return function }
    // The C library's function is missing in the Linux module, and has another name on Apple platforms.
    guard let found = dlsym(dlopen(nil, RTLD_NOW), "malloc_usable_size") ?? dlsym(dlopen(nil, RTLD_NOW), "malloc_size")
    else { return function }
    let size = unsafeBitCast(found, to: (@convention(c) (UnsafeRawPointer) -> Int).self)(captured)
    guard size > 0, let copy = malloc(size) else { return function }
    memcpy(copy, captured, size)
    words.captured = copy
    return unsafeBitCast(words, to: Held.self).function
  }

  /// Whether all calls have returned, except those in runs that hold their client.
  private var areBack: Bool { state.withLock { $0.calls.allSatisfy { $0?.isRefused == true } } }

  /// Whether all calls that have not returned wait for a request that gets no answer.
  private var areLeftBehind: Bool {
    state.withLock { $0.calls.allSatisfy { $0?.isRefused == true || $0?.endedAtRequestLimit == true } }
  }

  /// Releases the function, and waits for its calls to return.
  private func takeBack(from name: String, _ patience: Duration) async {
    state.withLock { $0.function = nil }
    // A new task, because in a cancelled one every sleep ends at once.
    let isBack = await Task { [self] in
      for _ in 0..<200 {
        if areBack { return true }
        try? await Task.sleep(for: patience / 200)
      }
      return areBack
    }.value
    if isBack || areLeftBehind { return }
    let message = Explanation.unendedTest.ending(
      """
      The test \(name) cannot be ended: \(patience) after it was cancelled it has not returned. One of its threads \
      is blocked, or its client is not captured and waits for something that never comes. The issue before this line \
      names the network. If the wait ends when its task is cancelled (withTaskCancellationHandler), that issue is the \
      only one. In a search on Linux, `workers: .processes()` lets the other tests go on.
      """)
    StandardError.say(message)
    // Not a trap: the backtraces of all abandoned threads would follow the issue.
    fflush(nil)
    _exit(EXIT_FAILURE)
  }
}
