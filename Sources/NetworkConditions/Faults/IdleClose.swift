/// The server closes the connection whenever it has been idle for a time after a response.
///
/// A request that is on its way at that moment fails.
struct IdleClose: Fault {
  var time = Duration.zero

  static let key = "idleClose"
  static let form = FaultForm<IdleClose>.object("an idle close", [.duration("after", \.time, isWeakerLater: true)])
  var requestFault: RequestFault { .idleClose(after: time) }
  var words: String { "connection closed once idle for \(time.formatText)" }
  var problem: String? { time < .zero ? "an idle time cannot be negative: \(time)" : nil }

  var isOfResponse: Bool { true }
  var streamFault: StreamFault? { .idleClose(after: time) }
  /// The same fault after a longer idle time, at most 30 s: fewer requests meet it.
  var weaker: [RequestFault] { longer.map { .idleClose(after: $0) } }

  var longer: [Duration] { [30, 5, 1].map { .seconds($0) }.filter { $0 > time } }
}
