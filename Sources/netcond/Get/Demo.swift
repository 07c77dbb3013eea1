import NetworkConditions

/// What the embedded server shows of a profile that changes: its worst phase, from shortly before it to beyond it.
struct Demo {
  /// The profile, begun there.
  let profile: NetworkProfile
  /// How much the server sends, so that the transfer lasts so long.
  let bytes: Int64
  /// The sentence that says so.
  let note: String

  static let usualBytes: Int64 = 300_000
  /// How long before the phase it begins.
  private static let lead = Duration.seconds(2)
  /// A phase that lasts longer is not waited for.
  private static let longest = Duration.seconds(30)
  /// A rate above this, or none, is counted as this.
  private static let fastest = Bandwidth.megabitsPerSecond(100)

  /// Nothing for a profile that stays the same.
  init?(_ whole: NetworkProfile) throws {
    guard !whole.isBegun, let worst = whole.worstPhase else { return nil }
    let start = SimulatedInstant.zero.duration(to: worst.start)
    let lead = whole.repeats ? Self.lead : min(start, Self.lead)
    profile = whole.starting(at: start - lead)
    let length = min(worst.end.map { worst.start.duration(to: $0) } ?? Self.longest, Self.longest)
    // What the link carries until the phase is over, and for as long again as it began before it.
    let schedule = profile.schedule
    let slice = Duration.milliseconds(100)
    var bits = 0.0
    var time = Duration.zero
    while time < lead + length + Self.lead {
      let conditions = schedule.conditions(at: .zero.advanced(by: time))
      let rate = min(conditions.down.meanRate ?? Self.fastest, Self.fastest)
      if conditions.outage == nil { bits += Double(rate.bitsPerSecond) * (slice / .seconds(1)) }
      time += slice
    }
    bytes = max(Self.usualBytes, Int64(bits / 8))
    let name = whole.schedule.phases[worst.index].name.printable
    note =
      "begins \(Amounts.time(lead)) before \(name.isEmpty ? "the worst phase" : "\"\(name)\""), to show it; "
      + "--at '0 s' begins at the beginning"
  }
}
