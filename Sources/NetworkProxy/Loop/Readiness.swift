/// Reports which of many sockets have become ready.
///
/// A change is reported once, and again only after ``exhausted(_:_:)`` was called for it.
protocol Readiness: AnyObject {
  func watch(_ socket: Int32)
  /// Asks for the next report, after everything was read or the socket accepted no more bytes.
  func exhausted(_ socket: Int32, _ change: ReadinessChange)
  func close(_ socket: Int32)
  /// Waits until a socket changes, until `deadline` (nanoseconds of uptime), or until ``wake()`` is called.
  func wait(until deadline: UInt64?, _ told: (Int32, ReadinessChange) -> Void)
  func wake()
}

struct ReadinessChange: OptionSet, Sendable {
  let rawValue: UInt8
  static let reading = ReadinessChange(rawValue: 1)
  static let writing = ReadinessChange(rawValue: 2)
}
