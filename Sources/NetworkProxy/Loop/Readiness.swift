/// Says which of many sockets have become ready: once when something has changed, and not again until reading or
/// writing it has come to an end.
protocol Readiness: AnyObject {
  func watch(_ socket: Int32)
  /// Everything that there was to read has been read, or there was no room to write any more: the next change is told.
  func exhausted(_ socket: Int32, _ change: ReadinessChange)
  /// Closes a socket that was watched, once nobody looks at it any more.
  func close(_ socket: Int32)
  /// Waits until something has changed, `deadline` has come (nanoseconds of the system's uptime), or ``wake()`` was called.
  func wait(until deadline: UInt64?, _ told: (Int32, ReadinessChange) -> Void)
  func wake()
}

struct ReadinessChange: OptionSet, Sendable {
  let rawValue: UInt8
  static let reading = ReadinessChange(rawValue: 1)
  static let writing = ReadinessChange(rawValue: 2)
}
