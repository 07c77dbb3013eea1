import Internals

/// A test's function, which may be called from a simulation's thread for as long as its test goes on.
///
/// A test library lends a function and takes it back; a simulation keeps its closure for a moment longer than it needs it.
/// So the function is held here alone, and let go of at the end.
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

  /// Lends a function for as long as `body` runs, and waits for the calls that `body` has left behind; they were cancelled.
  ///
  /// A call that does not come back ends the process with words that say why: the language lets no lent function outlive
  /// its loan.
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
      let lent = LentFunction(function)
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

  /// Lets go of the function, and waits for calls to come back.
  private func takeBack(from name: String, _ patience: Duration) async {
    state.withLock { $0.function = nil }
    // In a task of its own: where the test's is cancelled no sleep lasts.
    let isBack = await Task { [self] in
      for _ in 0..<200 {
        if state.withLock({ $0.calls == 0 }) { return true }
        try? await Task.sleep(for: patience / 200)
      }
      return state.withLock { $0.calls == 0 }
    }.value
    if isBack { return }
    fatalError(
      """
      The test \(name) cannot be ended: \(patience) after it was cancelled it still waits for something that never comes, \
      such as a continuation that nobody resumes, or a thread of it is blocked. The issue before this line says under \
      which network. Let the wait end when its task is cancelled (withTaskCancellationHandler), and that issue is all.
      """)
  }
}
