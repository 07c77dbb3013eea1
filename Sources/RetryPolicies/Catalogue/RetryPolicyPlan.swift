/// A policy in words: what a command line, a file and a report say, read and written by one grammar.
///
/// ```
/// full-jitter(base 1 s, cap 20 s, attempts 4)
/// grpc(attempts 4, backoff 1 s..5 s x1.6, throttle 10/0.1)
/// full-jitter + budget(20 %) + per-try(5 s)
/// ```
///
/// A backoff, or another name of the catalogue, and what stands around it, from the inside out. What is left out is as usual;
/// ``RetryPolicyCatalogue/grammar`` lists everything. Equal plans have equal texts, in which nothing stands that is as usual.
public struct RetryPolicyPlan: Hashable, Sendable, CustomStringConvertible {
  /// The parts, the policy that decides first.
  private(set) var parts: [Part]

  /// One part with the values that were given.
  struct Part: Hashable, Sendable {
    let kind: PolicyPart
    var values: [PolicyPart.Value]

    static func == (one: Part, other: Part) -> Bool { one.kind.name == other.kind.name && one.values == other.values }
    func hash(into hasher: inout Hasher) {
      hasher.combine(kind.name)
      hasher.combine(values)
    }
  }

  /// Reads a plan.
  ///
  /// - Throws: ``RetryError/policyText(_:place:reason:)`` with the place, the value and what would be right;
  ///   ``RetryError/unknownPolicy(_:near:)`` for a name that nobody knows.
  public init(_ text: String) throws(RetryError) {
    var reader = PolicyReader(text)
    parts = [try reader.part(among: RetryPolicyCatalogue.bases)]
    while reader.takes("+") { parts.append(try reader.part(among: RetryPolicyCatalogue.wrappings)) }
    try reader.end()
  }

  /// The plan in words, shorter than or as it was read.
  public var description: String {
    parts.map { part in
      let told = zip(part.kind.parameters, part.values).filter { $0.usual != $1 }
      let values = told.map { parameter, value in
        [parameter.isBare ? "" : parameter.name, value.text].filter { !$0.isEmpty }.joined(separator: " ")
      }
      return part.kind.name + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")
    }.joined(separator: " + ")
  }

  /// Makes the policy.
  ///
  /// - Parameter states: where budgets, throttles and circuits live; a new one is a client's own.
  public func make(_ states: SharedStates = SharedStates()) -> any RetryPolicy {
    var policy: any RetryPolicy = NoRetry()
    for (index, part) in parts.enumerated() {
      let home = StateHome(states: states, number: index, sharing: part.values.sharing)
      policy = part.kind.make(policy, part.values, home)
    }
    return policy
  }

  /// The same plan within limits that stand around everything else.
  public func limited(_ text: String) throws(RetryError) -> RetryPolicyPlan {
    try RetryPolicyPlan("\(self) + \(text)")
  }

  /// Plans under the widest limits that any of them has: as many attempts, the same deadline, the same time for each try.
  ///
  /// One that makes a single attempt has nothing to be made equal.
  public static func equalised(_ plans: [RetryPolicyPlan]) throws(RetryError) -> [RetryPolicyPlan] {
    let rules = plans.map { $0.make().rules }
    let widest = rules.filter { $0.maximumAttempts != 1 }
    let attempts = widest.compactMap(\.maximumAttempts).max()
    let (deadline, perTry) = (widest.compactMap(\.deadline).max(), widest.compactMap(\.perTryTimeout).max())
    var equal: [RetryPolicyPlan] = []
    for (plan, own) in zip(plans, rules) {
      var plan = plan
      if own.maximumAttempts != 1 {
        if let attempts, own.maximumAttempts != attempts { plan = try plan.limited("attempts(\(attempts))") }
        if let deadline, own.deadline != deadline {
          plan = try plan.limited("deadline(\(PolicyPart.Value.time(deadline).text))")
        }
        if let perTry, own.perTryTimeout != perTry {
          plan = try plan.limited("per-try(\(PolicyPart.Value.time(perTry).text))")
        }
      }
      equal.append(plan)
    }
    return equal
  }

  /// Divides a list at its commas, but for those in parentheses.
  public static func list(_ text: String) -> [String] {
    var (items, depth) = ([""], 0)
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ",", depth <= 0 { items.append("") } else { items[items.count - 1].append(character) }
    }
    return items.map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
  }
}
