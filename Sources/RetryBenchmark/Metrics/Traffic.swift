import RetryPolicies

/// The bytes of all attempts, and the bytes that were wasted.
///
/// The bytes of every attempt are wasted, except those of the attempt that made its request succeed.
public struct Traffic: Mergeable, Hashable, Sendable, Codable {
  /// The bytes sent by all attempts.
  public private(set) var sent = 0
  /// The bytes received by all attempts.
  public private(set) var received = 0
  /// The bytes sent by attempts that did not make their request succeed.
  public private(set) var wastedSent = 0
  /// The bytes received by attempts that did not make their request succeed.
  public private(set) var wastedReceived = 0

  mutating func add(_ request: RequestRecord) {
    let winner = request.isSuccess ? request.attempts.lastIndex { $0.outcomeClass == .success } : nil
    for (index, attempt) in request.attempts.enumerated() {
      sent += attempt.sent
      received += attempt.received
      guard index != winner else { continue }
      wastedSent += attempt.sent
      wastedReceived += attempt.received
    }
  }

  mutating func merge(_ other: Traffic) {
    sent += other.sent
    received += other.received
    wastedSent += other.wastedSent
    wastedReceived += other.wastedReceived
  }
}
