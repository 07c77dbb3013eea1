/// Something discrete and adverse that happens to requests that match, each time with a probability.
public struct FaultRule: Hashable, Sendable {
  /// Which requests are meant.
  public let match: RequestMatch
  /// How likely it is for each of them.
  public let probability: Probability
  /// The fault that strikes those requests.
  public let fault: RequestFault

  /// Creates a rule.
  ///
  /// Delays must not be negative, a stall has a length, and a status is a number from 100 to 599: anything else is a
  /// mistake of the program, which stops it.
  public init(_ fault: RequestFault, match: RequestMatch = .any, probability: Probability = .one) {
    if let problem = fault.value.problem { preconditionFailure(problem) }
    self.match = match
    self.probability = probability
    self.fault = fault
  }

  /// Returns the keys that identify a profile's rules in every random draw: they come from the contents of each rule,
  /// not from its position.
  ///
  /// So taking a rule away leaves the draws of all others where they were, and shrinking can remove one at a time. The
  /// probability is no part of it: a rule made likelier strikes where it struck before, and in more places. Rules that
  /// are equal otherwise are told apart by their turn among each other. Nor does it matter where the profile begins.
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
