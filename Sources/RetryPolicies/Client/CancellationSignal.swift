/// Cancels one child task of a task group; a group itself can only cancel all of them.
final class CancellationSignal: Sendable {
  private let (raised, continuation) = AsyncStream<Never>.makeStream()

  func raise() { continuation.finish() }

  /// Runs work that the signal can cancel; returns when the work has ended.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    await withTaskGroup(of: Value.self) { group in
      group.addTask {
        let value = await work()
        self.raise()
        return value
      }
      // The end of the work raises the signal, too; then there is nothing left to cancel.
      for await _ in raised {}
      group.cancelAll()
      // The child always returns a value.
      return await group.next()!
    }
  }
}
