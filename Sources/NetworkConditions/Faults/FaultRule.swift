/// A fault that strikes matching requests, each with a probability.
public struct FaultRule: Hashable, Sendable {
  /// Which requests are meant.
  public let match: RequestMatch
  /// How likely it is for each of them.
  public let probability: Probability
  /// The fault that strikes those requests.
  public let fault: RequestFault

  /// Creates a rule; values without a meaning, such as a negative delay, are a mistake of the program, which stops it.
  public init(_ fault: RequestFault, match: RequestMatch = .any, probability: Probability = .one) {
    if let problem = fault.value.problem { preconditionFailure(problem) }
    self.match = match
    self.probability = probability
    self.fault = fault
  }

  /// The keys that identify a profile's rules in every random draw: from the contents of each rule and its turn among
  /// equal ones, not from its place, so that taking one away leaves the draws of others alone; the probability is no
  /// part of it: a rule made likelier strikes where it struck before, and in more places.
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
