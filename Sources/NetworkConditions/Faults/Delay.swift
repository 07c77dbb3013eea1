struct Delay: Fault {
  var delay = Duration.zero

  static let key = "delay"
  static let form = FaultForm<Delay>.quantity(.duration("delay", \.delay))
  var requestFault: RequestFault { .delay(delay) }
  var words: String { "request starts \(delay.formatText) late" }
  var problem: String? { delay < .zero ? "a delay cannot be negative: \(delay)" : nil }

  func decide(in plan: inout FaultPlan) -> Bool {
    plan.extraDelay = plan.extraDelay.saturatingAdd(delay)
    return true
  }

  var weaker: [RequestFault] { delay.shorter.map { .delay($0) } }
}
