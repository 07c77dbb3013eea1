/// A policy as text, in one grammar for command lines, files and reports.
///
/// ```
/// full-jitter(base 1 s, cap 20 s, attempts 4)
/// grpc(attempts 4, backoff 1 s..5 s x1.6, throttle 10/0.1)
/// full-jitter + budget(20 %) + per-try(5 s)
/// ```
///
/// A plan names a base policy, then the policies that wrap it, from the inside out. Omitted values have their defaults;
/// ``RetryPolicyCatalogue/grammar`` lists everything. Equal plans have equal texts, which omit default values.
public struct RetryPolicyPlan: Hashable, Sendable, CustomStringConvertible {
  /// The parts, the base policy first.
  private(set) var parts: [Part]

  struct Part: Hashable, Sendable {
    let kind: PolicyPart
    var values: [PolicyPart.Value]

    static func == (one: Part, other: Part) -> Bool { one.kind.name == other.kind.name && one.values == other.values }
    func hash(into hasher: inout Hasher) {
      hasher.combine(kind.name)
      hasher.combine(values)
    }
  }

  /// Parses a plan.
  ///
  /// - Throws: ``RetryError/policyText(_:place:reason:)`` with the place, the value and its correction;
  ///   ``RetryError/unknownPolicy(_:near:)`` for an unknown name.
  public init(_ text: String) throws(RetryError) {
    var reader = PolicyReader(text)
    parts = [try reader.part(among: RetryPolicyCatalogue.bases)]
    while reader.takes("+") { parts.append(try reader.part(among: RetryPolicyCatalogue.wrappings)) }
    try reader.end()
  }

  /// The plan's shortest text, which omits default values.
  public var description: String {
    parts.map { part in
      let told = zip(part.kind.parameters, part.values).filter { $0.usual != $1 }
      let values = told.map { parameter, value in
        [parameter.isBare ? "" : parameter.name, value.text].filter { !$0.isEmpty }.joined(separator: " ")
      }
      return part.kind.name + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")
    }.joined(separator: " + ")
  }

  /// Creates the policy.
  ///
  /// - Parameter states: stores budgets, throttles and circuits; the default belongs to one client.
  public func make(_ states: SharedStates = SharedStates()) -> any RetryPolicy {
    var policy: any RetryPolicy = NoRetry()
    for (index, part) in parts.enumerated() {
      let home = StateHome(states: states, number: index, sharing: part.values.sharing)
      policy = part.kind.make(policy, part.values, home)
    }
    return policy
  }

  /// Gives all plans the widest limits among them: the same attempts, deadline and per-attempt timeout.
  ///
  /// A plan with a single attempt stays as it is.
  public static func equalised(_ plans: [RetryPolicyPlan]) throws(RetryError) -> [RetryPolicyPlan] {
    let rules = plans.map { $0.make().rules }
    let widest = rules.filter { $0.maximumAttempts != 1 }
    // A plan's text has at most a thousand attempts.
    let attempts = widest.compactMap(\.maximumAttempts).max().map { min($0, 1_000) }
    let (deadline, perTry) = (widest.compactMap(\.deadline).max(), widest.compactMap(\.perTryTimeout).max())
    var equal: [RetryPolicyPlan] = []
    for (plan, own) in zip(plans, rules) {
      var text = "\(plan)"
      if own.maximumAttempts != 1 {
        if let attempts, own.maximumAttempts != attempts { text += " + attempts(\(attempts))" }
        if let deadline, own.deadline != deadline { text += " + deadline(\(PolicyPart.Value.time(deadline).text))" }
        if let perTry, own.perTryTimeout != perTry { text += " + per-try(\(PolicyPart.Value.time(perTry).text))" }
      }
      equal.append(try RetryPolicyPlan(text))
    }
    return equal
  }

  /// Splits a list at its commas, except those in parentheses.
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
