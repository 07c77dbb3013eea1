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
