/// The server closes the connection in good order, each time it has been idle for so long since the client had the
/// response: a request that sets out meanwhile meets nobody.
struct IdleClose: Fault {
  var time = Duration.zero

  static let kind = FaultKind.idleClose
  static let form = FaultForm<IdleClose>.object("an idle close", [.duration("after", \.time)])
  var requestFault: RequestFault { .idleClose(after: time) }
  var words: String { "connection closed once idle for \(time.formatText)" }
  var problem: String? { time < .zero ? "a connection is never idle for \(time)" : nil }

  var isOfResponse: Bool { true }
  var streamFault: StreamFault? { .idleClose(after: time) }
  /// Fewer requests meet a later close, and after a minute clients have let go of the connection themselves.
  var weaker: [RequestFault] { longer.map { .idleClose(after: $0) } }

  var longer: [Duration] { [30, 5, 1].map { .seconds($0) }.filter { $0 > time } }
}
