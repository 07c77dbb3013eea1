struct SlowClose: Fault {
  var delay = Duration.zero

  static let key = "slowClose"
  static let form = FaultForm<SlowClose>.object("a slow close", [.duration("delay", \.delay)])
  var requestFault: RequestFault { .slowClose(delay: delay) }
  var words: String { "end of the response \(delay.formatText) late" }
  var problem: String? { delay < .zero ? "a delay cannot be negative: \(delay)" : nil }
  var streamFault: StreamFault? { .slowClose(delay: delay) }
  var weaker: [RequestFault] { delay.shorter.map { .slowClose(delay: $0) } }
}
