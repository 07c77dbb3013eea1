/// A fault that strikes matching requests with a probability.
public struct FaultRule: Hashable, Sendable {
  /// The requests that the fault can strike.
  public let match: RequestMatch
  /// The probability for each matching request.
  public let probability: Probability
  /// The fault that strikes.
  public let fault: RequestFault

  /// Creates a rule; stops the program if the fault has a meaningless value, such as a negative delay.
  public init(_ fault: RequestFault, match: RequestMatch = .any, probability: Probability = .one) {
    if let problem = fault.value.problem { preconditionFailure(problem) }
    self.match = match
    self.probability = probability
    self.fault = fault
  }

  /// The keys of a profile's rules in every random draw.
  ///
  /// A key depends on a rule's contents and its number among equal rules, not on its position. So removing a rule does
  /// not change the draws of others. It does not depend on the probability: with a higher one, a rule strikes the same
  /// requests and more.
  static func keys(of rules: [FaultRule], profile: String) -> [UInt64] {
    guard !rules.isEmpty else { return [] }
    var turns: [UInt64: UInt64] = [:]
    let start = KeyedRandom(seed: 0).keyed(by: "fault").keyed(by: String(profile.prefix { $0 != "@" }))
    return rules.map { rule in
      let content = start.keyed(by: FaultRule(rule.fault, match: rule.match).document.compactText)
      let turn = turns[content.bits, default: 0]
      turns[content.bits] = turn + 1
      return content.keyed(by: turn).bits
    }
  }
}

extension FaultRule: CustomStringConvertible {
  /// The rule in words, such as `status 503 (2 %)`.
  public var description: String {
    probability == .one ? fault.description : "\(fault) (\(probability.formatText))"
  }
}
