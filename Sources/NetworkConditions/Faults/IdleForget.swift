/// A middlebox forgets an idle connection, and then silently drops its packets in both directions.
struct IdleForget: Fault {
  var time = Duration.zero

  static let key = "idleForget"
  static let form = FaultForm<IdleForget>.object(
    "a forgotten connection", [.duration("after", \.time, isWeakerLater: true)])
  var requestFault: RequestFault { .idleForget(after: time) }
  var words: String { "connection forgotten once idle for \(time.formatText)" }
  var problem: String? { time < .zero ? "an idle time cannot be negative: \(time)" : nil }

  var isOfResponse: Bool { true }
  var streamFault: StreamFault? { .idleForget(after: time) }
  var weaker: [RequestFault] { IdleClose(time: time).longer.map { .idleForget(after: $0) } + [.idleClose(after: time)] }
}
