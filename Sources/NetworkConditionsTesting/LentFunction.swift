import Internals

/// A test's function, which may be called from a simulation's thread for as long as its test goes on.
///
/// A test library lends a function and takes it back; a simulation keeps its closure for a moment longer than it needs it,
/// and for ever when the closure waits for something that never comes. So the function is held here alone, and let go of at
/// the end.
final class LentFunction: Sendable {
  private struct State {
    var function: (@Sendable () async throws -> Void)?
    var calls = 0
  }

  private let state: Mutex<State>

  private init(_ function: @escaping @Sendable () async throws -> Void) {
    state = Mutex(State(function: function))
  }

  /// Calls the function.
  func callAsFunction() async throws {
    state.withLock { $0.calls += 1 }
    defer { state.withLock { $0.calls -= 1 } }
    try await call()
  }

  /// Holds the function no longer than its call: when this has returned, nobody does but the state.
  private func call() async throws {
    guard let function = state.withLock({ $0.function }) else { throw CancellationError() }
    try await function()
  }

  /// Lends a function for as long as `body` runs.
  ///
  /// - Parameters:
  ///   - function: what is lent.
  ///   - patience: how long in real time calls are waited for that `body` has left behind; they were cancelled.
  ///   - body: what calls it.
  static func lend<Value: Sendable>(
    _ function: @Sendable () async throws -> Void, patience: Duration = .seconds(1),
    to body: (LentFunction) async throws -> Value
  ) async throws -> Value {
    try await withoutActuallyEscaping(function) { function in
      let holders = ClosureHolders(of: function)
      let before = holders.count
      let lent = LentFunction(function)
      let result: Result<Value, any Error>
      do {
        result = .success(try await body(lent))
      } catch {
        result = .failure(error)
      }
      if await !lent.takeBack(patience) { holders.restore(to: before) }
      return try result.get()
    }
  }

  /// Lets go of the function, and waits for calls to come back; says no when one is still open.
  private func takeBack(_ patience: Duration) async -> Bool {
    state.withLock { $0.function = nil }
    for _ in 0..<200 {
      if state.withLock({ $0.calls == 0 }) { return true }
      try? await Task.sleep(for: patience / 200)
    }
    return state.withLock { $0.calls == 0 }
  }
}
