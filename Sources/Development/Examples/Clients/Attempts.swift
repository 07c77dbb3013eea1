import Foundation

/// A moment at which unfinished work is given up.
struct Deadline: Sendable {
  fileprivate let wait: @Sendable () async throws -> Void

  /// Runs `work`, and throws `URLError(.timedOut)` if it has not ended by the deadline.
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
  /// The deadline this long from now.
  func deadline(after time: Duration) -> Deadline {
    let end = now.advanced(by: time)
    return Deadline { try await sleep(until: end, tolerance: nil) }
  }
}

/// The waits between attempts: they double, up to a limit.
struct Backoff: Sendable {
  private var pause = Duration.milliseconds(500)
  private let limit = Duration.seconds(4)

  /// The wait before the next attempt.
  mutating func next() -> Duration {
    defer { pause = min(pause * 2, limit) }
    return pause
  }
}

/// The version of an example's client: both differ only in the fix.
package enum Variant: String, CaseIterable, Sendable {
  /// With the planted mistake.
  case planted
  /// Without the mistake.
  case fixed
}
