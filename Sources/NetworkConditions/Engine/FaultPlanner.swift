import URLLoading

/// Says what goes wrong with each request: draws a profile's faults for it, or reads them from a schedule.
///
/// A draw depends on the seed, on what the rule says and on which request it is, never on other rules or requests.
struct FaultPlanner {
  /// A fault of a schedule, and how many requests have matched it so far.
  private struct Entry {
    let fault: ScheduledFault
    let match: RequestMatch
    let kind: FaultRule.Kind
    var turns = 0
    var isUsed = false
  }

  private let chance: KeyedRandom
  /// How many requests have matched each rule so far, by the rule's key.
  private var turns: [UInt64: Int] = [:]
  /// What a schedule says; `nil` where chance decides.
  private var scheduled: [Entry]?

  init(seed: UInt64, schedule: FaultSchedule?) {
    chance = KeyedRandom(seed: seed).keyed(by: "fault")
    scheduled = schedule?.faults.compactMap { fault in
      guard case .request(let match, let kind) = fault.kind else { return nil }
      return Entry(fault: fault, match: match, kind: kind)
    }
  }

  /// Which requests' faults have not happened.
  var unused: [ScheduledFault] { scheduled?.filter { !$0.isUsed }.map(\.fault) ?? [] }

  /// What goes wrong with the next request; each call counts as one request of its kind.
  ///
  /// - Parameters:
  ///   - via: the profile that a rule sends it by, or `nil`.
  ///   - length: how many bytes the request has.
  ///   - applied: gets every fault that chance let strike, but for those that strike the response.
  mutating func plan(
    for request: URLRequest, _ line: RequestLine, profile: NetworkProfile, via: String?,
    length: (head: Int64, body: Int64), applied: inout [FaultRule.Kind]
  ) -> FaultPlan {
    var plan = FaultPlan()
    if let entries = scheduled {
      for (index, entry) in entries.enumerated()
      where entry.fault.via == via && entry.match.matches(request, shownAs: line.shownURL) {
        scheduled?[index].turns += 1
        if let nth = entry.match.nth, nth != entry.turns + 1 { continue }
        let place = chance.keyed(by: "place").keyed(by: line.key)
        let fault = PlannedFault(kind: entry.kind, chance: place, entry: index)
        if plan.add(fault, line, length) != nil { scheduled?[index].isUsed = true }
      }
      return plan
    }
    guard !profile.faults.isEmpty else { return plan }
    for (rule, key) in zip(profile.faults, profile.faultKeys) where rule.match.matches(request) {
      if let nth = rule.match.nth {
        let turn = turns[key, default: 0] + 1
        turns[key] = turn
        if turn != nth { continue }
      }
      let draw = chance.keyed(by: key).keyed(by: line.key)
      guard draw.happens(rule.probability) else { continue }
      let fault = PlannedFault(kind: rule.kind, chance: draw.keyed(by: "place"), entry: nil)
      if let kind = plan.add(fault, line, length) { applied.append(kind) }
    }
    return plan
  }

  /// A fault of a schedule that strikes a response has happened.
  mutating func use(_ entry: Int?) {
    if let entry { scheduled?[entry].isUsed = true }
  }
}

extension FaultPlan {
  /// Adds one fault, and gives back what happens; nothing when it cannot happen to such a request, an earlier rule has
  /// decided the same, or it is left to the response.
  fileprivate mutating func add(
    _ fault: PlannedFault, _ line: RequestLine, _ length: (head: Int64, body: Int64)
  ) -> FaultRule.Kind? {
    guard !fault.kind.isOfResponse else {
      ofResponse.append(fault)
      return nil
    }
    guard let kind = fault.placed(in: length) else { return nil }
    switch kind {
    case .dnsFailure where !line.server.needsResolution: return nil
    case .tlsFailure where !line.server.isSecure: return nil
    case .status(let code, let wait):
      guard status == nil else { return nil }
      status = (code, wait)
    case .delay(let delay): extraDelay = extraDelay.saturatingAdd(delay)
    default: if let fault = kind.streamFault { streamFaults.append(fault) }
    }
    descriptions.append(kind.description)
    return kind
  }

  /// The response begins, with so many bytes to come: its faults get their places, and those go that have none.
  mutating func place(in response: (head: Int64, body: Int64)) {
    ofResponse = ofResponse.compactMap { fault in
      guard let kind = fault.placed(in: response) else { return nil }
      if case .corrupt(let place) = kind {
        // The first decides; it may have been placed before.
        guard corruptedByte == nil || corruptedByte == place.bytes else { return nil }
        corruptedByte = place.bytes
      }
      return PlannedFault(kind: kind, chance: fault.chance, entry: fault.entry)
    }
  }
}
