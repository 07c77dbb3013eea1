import Foundation

extension NetworkProfile {
  /// This profile, started at a time within its phases and traces, so that a test need not wait for that time.
  ///
  /// The name shows it: `tunnel@43 s` (``named(_:)``). In a repeating profile, a time beyond the end wraps around. In
  /// others, the last phase continues.
  public func starting(at time: Duration) -> NetworkProfile {
    var time = time
    if time < .zero { time = repeats ? .nanoseconds(around(time.wholeNanoseconds)) : .zero }
    return begun(at: time, called: time.formatText)
  }

  /// This profile, started at a moment: a time (`43 s`), a phase (`portal`), or `2 s before portal`.
  ///
  /// ```swift
  /// let network = SimulatedNetwork(try profile.starting(at: "2 s before portal"), seed: 42)
  /// ```
  ///
  /// The first phase with that name counts, in upper or lower case. A phase without a name is called by its index, from
  /// 0.
  ///
  /// - Throws: ``ProfileError/unknownMoment(_:reason:)``, which lists the phases and when they begin.
  public func starting(at moment: String) throws(ProfileError) -> NetworkProfile {
    if let phase = phaseStart(moment) { return begun(at: phase.time, called: phase.name) }
    if let middle = moment.range(of: " before "),
      let lead = try? Duration(parsing: String(moment[..<middle.lowerBound])),
      let phase = phaseStart(String(moment[middle.upperBound...]))
    {
      guard lead <= phase.time || repeats else {
        throw .unknownMoment(
          moment, reason: "\(name.quoted) does not repeat, and \(phase.name.quoted) is at \(phase.time.formatText)")
      }
      let time = Duration.nanoseconds(around((phase.time - lead).wholeNanoseconds))
      return begun(at: time, called: "\(lead.formatText) before \(phase.name)")
    }
    guard let time = try? Duration(parsing: moment) else {
      throw .unknownMoment(moment, reason: "it is neither a time nor a phase of \(name.quoted), \(momentsInWords)")
    }
    return starting(at: time)
  }

  /// The worst phase: an outage, or else the most loss, the lowest rate, the longest round trip, or no UDP.
  ///
  /// It is `nil` if the phases do not differ in these.
  public var worstPhase: ConditionSchedule.Position? {
    let ranks = phases.map { Self.badness(of: $0.conditions) }
    guard let worst = ranks.max(by: { $0.lexicographicallyPrecedes($1) }), ranks.contains(where: { $0 != worst }),
      let index = ranks.firstIndex(of: worst)
    else { return nil }
    return schedule.position(at: SimulatedInstant.zero.advanced(by: phaseStarts[index]))
  }

  /// Numbers to compare conditions by, the most important first: an outage, loss, slowness, delay, and limits of UDP.
  private static func badness(of conditions: PathConditions) -> [Double] {
    let (down, up) = (conditions.down, conditions.up)
    let rate = down.meanRate.map { Double($0.bitsPerSecond) } ?? .infinity
    return [
      conditions.outage == nil ? 0 : 1, max(down.loss.mean, up.loss.mean), -rate, conditions.roundTrip / .seconds(1),
      conditions.udp == .open ? 0 : conditions.udp == .blocked ? 2 : 1,
    ]
  }

  package var isBegun: Bool { name.contains("@") }

  /// This profile, started at a time within its phases and traces; the name stays the same.
  package func begun(at time: Duration) -> NetworkProfile {
    let elapsed = max(0, time.wholeNanoseconds)
    guard changes, elapsed > 0 else { return self }
    var offset = repeats ? around(elapsed) : elapsed
    let names = phaseNames
    var rest = zip(phases, names).map { phase, name in Phase(name, for: phase.duration, conditions: phase.conditions) }[
      ...]
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
    let moved = with(Array(rest) + (repeats ? passed : []))
    return hasTraces
      ? moved.changing { conditions in
        for direction in Direction.allCases {
          guard let trace = conditions[direction].trace else { continue }
          conditions[direction].capacity = .trace(trace.starting(at: elapsed))
        }
      } : moved
  }

  package var hasTraces: Bool {
    ([base] + phases.map(\.conditions)).contains { $0.down.trace != nil || $0.up.trace != nil }
  }

  private var changes: Bool { !phases.isEmpty || hasTraces }

  private func begun(at time: Duration, called moment: String) -> NetworkProfile {
    guard changes else { return self }
    var profile = begun(at: time)
    profile.name += "@\(moment)"
    return profile
  }

  /// Reduces a time to the first period of a repeating profile.
  private func around(_ nanoseconds: Int64) -> Int64 {
    guard repeats, let period = schedule.period else { return nanoseconds }
    let rest = nanoseconds % period
    return rest < 0 ? rest + period : rest
  }

  private var phaseStarts: [Duration] {
    var next = Duration.zero
    return phases.map { phase in
      defer { next += phase.duration ?? .zero }
      return next
    }
  }

  private func phaseStart(_ called: String) -> (name: String, time: Duration)? {
    let (names, called) = (phaseNames, called.lowercased())
    guard let index = names.firstIndex(where: { $0.lowercased() == called }) else { return nil }
    return (names[index], phaseStarts[index])
  }

  private var momentsInWords: String {
    guard !phases.isEmpty else { return "which has no phases; write a time such as \"43 s\"" }
    var list = zip(phaseNames, phaseStarts).prefix(12).map { "\($0.quoted) at \($1.formatText)" }
    if phases.count > list.count { list.append("\(phases.count - list.count) more") }
    return "which has the phases \(list.joined(separator: ", ")); write one of them, a time such as \"43 s\", or "
      + "\"2 s before \(phaseNames[phases.count - 1])\""
  }
}
