import URLLoading

/// Decides each request's faults: draws them by the profile's rules, or reads them from a schedule.
///
/// A draw depends only on the seed, the rule's contents and the request, never on other rules or requests.
struct FaultPlanner {
  /// A fault of a schedule, and the number of requests that have matched it.
  private struct Entry {
    let fault: ScheduledFault
    let match: RequestMatch
    let kind: RequestFault
    var turns = 0
    var isUsed = false
  }

  private let chance: KeyedRandom
  /// How many requests have matched each rule, by the rule's key.
  private var turns: [UInt64: Int] = [:]
  /// For each rule whose fault repeats, by the rule's key: how many further requests in a row the fault still strikes.
  private var rows: [UInt64: Int] = [:]
  /// The times during which a schedule makes all servers answer 503.
  private let brownOuts: [Range<SimulatedInstant>]
  /// The faults of a replayed schedule; `nil` if chance decides.
  private var scheduled: [Entry]?

  init(seed: UInt64, schedule: FaultSchedule?) {
    chance = KeyedRandom(seed: seed).keyed(by: "fault")
    brownOuts = (schedule?.faults ?? []).compactMap { fault in
      guard case .brownOut(let start, let length) = fault.kind, length > .zero else { return nil }
      let begin = SimulatedInstant.zero.advanced(by: start)
      return begin..<begin.advanced(by: length)
    }
    scheduled = schedule?.faults.compactMap { fault in
      guard case .request(let match, let kind) = fault.kind else { return nil }
      return Entry(fault: fault, match: match, kind: kind)
    }
  }

  var unused: [ScheduledFault] { scheduled?.filter { !$0.isUsed }.map(\.fault) ?? [] }

  /// Plans the faults of the next request; each call counts as one matching request.
  ///
  /// - Parameters:
  ///   - via: the name of another profile that a rule sends the request by, or `nil`.
  ///   - length: the request's size.
  ///   - time: the time of the request.
  ///   - applied: receives every fault that chance chose for the request, without those of the response.
  mutating func plan(
    for request: URLRequest, _ line: RequestLine, profile: NetworkProfile, via: String?,
    length: MessageLength, at time: SimulatedInstant, applied: inout [RequestFault]
  ) -> FaultPlan {
    var plan = FaultPlan()
    if let entries = scheduled {
      if brownOuts.contains(where: { $0.contains(time) }) {
        _ = plan.add(FaultPlan.Entry(fault: .status(code: 503), chance: chance, entry: nil), to: line, length)
      }
      for (index, entry) in entries.enumerated()
      where entry.fault.via == via && entry.match.matches(request, shownAs: line.shownURL) {
        scheduled?[index].turns += 1
        if entry.kind == .stale { plan.keepsResponse = true }
        if let nth = entry.match.nth, !(nth..<nth + entry.kind.times).contains(entry.turns + 1) { continue }
        let place = chance.keyed(by: "place").keyed(by: line.key)
        let fault = FaultPlan.Entry(fault: entry.kind.alone, chance: place, entry: index)
        if plan.add(fault, to: line, length) != nil { scheduled?[index].isUsed = true }
      }
      return plan
    }
    for (rule, key) in zip(profile.faults, profile.faultKeys) where rule.match.matches(request) {
      if rule.fault == .stale { plan.keepsResponse = true }
      let draw = chance.keyed(by: key).keyed(by: line.key)
      if let left = rows[key], left > 0 {
        rows[key] = left - 1
      } else {
        if let nth = rule.match.nth {
          let turn = turns[key, default: 0] + 1
          turns[key] = turn
          if turn != nth { continue }
        }
        guard draw.happens(rule.probability) else { continue }
        if rule.fault.times > 1 { rows[key] = rule.fault.times - 1 }
      }
      let fault = FaultPlan.Entry(fault: rule.fault.alone, chance: draw.keyed(by: "place"), entry: nil)
      if let fault = plan.add(fault, to: line, length) { applied.append(fault) }
    }
    return plan
  }

  mutating func use(_ entry: Int?) {
    if let entry { scheduled?[entry].isUsed = true }
  }
}
