import LinkSimulator

extension ServerModel {
  /// The server in words, such as `20 ms, 4 at once, queue 10, 503 after 2 s`.
  public var text: String {
    var parts = [serviceTime.text]
    if let capacity {
      parts.append("\(capacity) at once")
      switch overload {
      case .queue: parts.append("queue \(queueTime.map { RetryReport.time($0) } ?? "all")")
      case .reject(let status, let wait):
        parts.append("queue \(queueLength)")
        parts.append(wait.map { "\(status) after \(RetryReport.time($0))" } ?? "\(status)")
      }
    }
    if let keyMemory { parts.append("keys \(RetryReport.time(keyMemory))") }
    return parts.joined(separator: ", ")
  }

  /// When the server is slow, such as `3 s..10 s x5, 20 s..30 s x2`.
  package var brownOutsText: String {
    brownOuts.map { "\(Self.text($0.time)) x\($0.factor)" }.joined(separator: ", ")
  }

  /// When the server is down, such as `3 s..10 s, 20 s..30 s`.
  package var outagesText: String { outages.map(Self.text).joined(separator: ", ") }

  private static func text(_ time: Range<Duration>) -> String {
    "\(RetryReport.time(time.lowerBound))..\(RetryReport.time(time.upperBound))"
  }
}

extension RetryReport {
  /// A time in the largest unit that gives a whole number, or in microseconds with a fraction.
  package static func time(_ time: Duration) -> String {
    let nanoseconds = time.wholeNanoseconds
    for (unit, name) in [
      (3_600_000_000_000, "h"), (60_000_000_000, "min"), (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"),
    ] as [(Int64, String)]
    where nanoseconds % unit == 0 && nanoseconds > 0 {
      return "\(nanoseconds / unit) \(name)"
    }
    return nanoseconds == 0 ? "0 ms" : "\(Double(nanoseconds) / 1_000) us"
  }
}
