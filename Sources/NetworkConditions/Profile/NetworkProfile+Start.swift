import LinkSimulator

extension NetworkProfile {
  /// The same profile, begun so far into its phases: a test need not wait 45 s for the tunnel.
  ///
  /// ```swift
  /// let network = SimulatedNetwork(try NetworkProfile.named("tunnel").starting(at: .seconds(44)), seed: 42)
  /// ```
  ///
  /// A profile without phases stays as it is; of one that repeats, a time beyond its length counts from the beginning
  /// again; of another, the last phase holds from there on. Times below zero count as zero.
  public func starting(at time: Duration) -> NetworkProfile {
    var offset = max(0, time.wholeNanoseconds)
    let period = repeats ? schedule.period : nil
    if let period { offset %= period }
    guard !phases.isEmpty, offset > 0 else { return self }
    var rest = phases[...]
    var passed: [Phase] = []
    while let first = rest.first, let length = first.duration?.wholeNanoseconds, offset > 0 {
      if !repeats, rest.count == 1 { break }
      rest = rest.dropFirst()
      let cut = min(offset, length)
      passed.append(Phase(first.name, for: .nanoseconds(cut), conditions: first.conditions))
      if cut < length {
        rest = [Phase(first.name, for: .nanoseconds(length - cut), conditions: first.conditions)] + rest
      }
      offset -= cut
    }
    return NetworkProfile(
      name: name, aliases: aliases, summary: summary, source: source, base: base,
      phases: Array(rest) + (repeats ? passed : []), repeats: repeats, rules: rules, faults: faults)
  }
}
