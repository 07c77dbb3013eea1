import Foundation

/// A moment at which work that is still under way is given up.
struct Deadline: Sendable {
  fileprivate let wait: @Sendable () async throws -> Void

  /// Does something, and throws `URLError(.timedOut)` when it has not ended in time.
  func limit<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { race in
      race.addTask { try await work() }
      race.addTask {
        try await wait()
        return nil
      }
      defer { race.cancelAll() }
      guard let first = try await race.next(), let value = first else {
        throw URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "The deadline has passed."])
      }
      return value
    }
  }
}

extension Clock where Duration == Swift.Duration {
  /// The moment so long from now.
  func deadline(after time: Duration) -> Deadline {
    let end = now.advanced(by: time)
    return Deadline { try await sleep(until: end, tolerance: nil) }
  }
}

/// How long to wait before the next attempt: twice as long each time, up to a limit.
struct Backoff: Sendable {
  private var pause = Duration.milliseconds(500)
  private let limit = Duration.seconds(4)

  /// The next pause.
  mutating func next() -> Duration {
    defer { pause = min(pause * 2, limit) }
    return pause
  }
}

/// Which version of an example's client runs: they differ in one line, the fix.
package enum Variant: String, CaseIterable, Sendable {
  /// With the mistake that was planted.
  case planted
  /// Without it.
  case fixed
}
