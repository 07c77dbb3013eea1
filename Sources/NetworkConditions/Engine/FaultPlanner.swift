import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
  ///   - applied: gets every fault that chance let strike.
  mutating func plan(
    for request: URLRequest, _ line: RequestLine, profile: NetworkProfile, via: String?,
    applied: inout [FaultRule.Kind]
  ) -> FaultPlan {
    var plan = FaultPlan()
    if let entries = scheduled {
      for (index, entry) in entries.enumerated()
      where entry.fault.via == via && entry.match.matches(request, shownAs: line.shownURL) {
        scheduled?[index].turns += 1
        if let nth = entry.match.nth, nth != entry.turns + 1 { continue }
        if plan.add(entry.kind, line) { scheduled?[index].isUsed = true }
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
      guard chance.keyed(by: key).keyed(by: line.key).happens(rule.probability), plan.add(rule.kind, line) else {
        continue
      }
      applied.append(rule.kind)
    }
    return plan
  }
}

extension FaultPlan {
  /// Adds one fault, and says no when it cannot happen to such a request or an earlier rule has decided the same.
  fileprivate mutating func add(_ kind: FaultRule.Kind, _ line: RequestLine) -> Bool {
    switch kind {
    case .dnsFailure:
      guard line.server.needsResolution else { return false }
      streamFaults.append(.resolutionFailure)
    case .refused: streamFaults.append(.refused)
    case .connectTimeout: streamFaults.append(.unreachable)
    case .tlsFailure:
      guard line.server.isSecure else { return false }
      streamFaults.append(.handshakeFailure)
    case .reset(let count, let direction):
      streamFaults.append(.reset(direction: direction, afterBytes: count.bytes))
    case .stall(let count, let duration):
      streamFaults.append(.stall(afterBytes: count.bytes, duration: duration))
    case .truncate(let count): streamFaults.append(.truncation(afterBytes: count.bytes))
    case .corrupt(let position):
      guard corruptedByte == nil else { return false }
      corruptedByte = position.bytes
    case .slowClose(let delay): streamFaults.append(.slowClose(delay: delay))
    case .status(let code, let wait):
      guard status == nil else { return false }
      status = (code, wait)
    case .delay(let delay): extraDelay = extraDelay.saturatingAdd(delay)
    }
    descriptions.append(kind.description)
    return true
  }
}
