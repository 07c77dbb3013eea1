import Internals

extension RetryPolicy {
  /// The policy in one line: its parts from the inside out, and the limits of its rules.
  ///
  /// For example `FullJitterBackoff (100 ms to 20 s, x2) + BudgetedPolicy: at most 4 attempts, 5 s each`.
  public var description: String { "\(chain.joined(separator: " + ")): \(rules)" }

  /// The policies from the innermost to the outermost, each with its durations and counts.
  private var chain: [String] {
    var (chain, values): ([String], [String]) = ([], [])
    for (label, value) in Mirror(reflecting: self).children {
      switch value {
      case let policy as any RetryPolicy: chain = policy.chain
      case let time as Duration: values.append("\(label ?? "") \(RetryRules.text(time))")
      case let count as Int: values.append("\(label ?? "") \(count)")
      case let curve as ExponentialCurve: values.append("\(curve)")
      case let delay as HedgedPolicy.Delay: values.append("\(delay)")
      default: break
      }
    }
    // The description prints changed rules separately.
    if self is ModifiedPolicy { return chain }
    return chain + ["\(Self.self)" + (values.isEmpty ? "" : " (\(values.joined(separator: ", ")))")]
  }
}

extension ExponentialCurve: CustomStringConvertible {
  /// The curve in words, such as `100 ms to 20 s, x2`.
  public var description: String {
    "\(RetryRules.text(base)) to \(RetryRules.text(cap)), x\(FigureText.digits(multiplier))"
  }
}

extension RetryRules: CustomStringConvertible {
  /// The limits in one line, such as `at most 4 attempts, 5 s each, 20 s in all`.
  public var description: String {
    var words = [maximumAttempts.map { "at most \(FigureText.count($0, "attempt"))" } ?? "any number of attempts"]
    if let perTryTimeout { words.append("\(Self.text(perTryTimeout)) each") }
    if let deadline { words.append("\(Self.text(deadline)) in all") }
    if retryAfter == .ignored { words.append("Retry-After ignored") }
    switch methods {
    case .idempotent: if addsIdempotencyKey { words.append("with an Idempotency-Key") }
    case .only(let methods): words.append("\(methods.sorted().joined(separator: ", ")) only")
    case .any: words.append("of any method")
    }
    return words.joined(separator: ", ")
  }

  fileprivate static func text(_ time: Duration) -> String { FigureText.time(nanoseconds: time.wholeNanoseconds) }
}
