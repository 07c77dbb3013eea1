import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Draws a profile's faults for each request and says what goes wrong with it.
///
/// A draw depends on the seed, on what the rule says and on which request it is, never on other rules or requests.
struct FaultPlanner {
  private let chance: KeyedRandom
  /// How many requests have matched each rule so far, by the rule's key.
  private var turns: [UInt64: Int] = [:]

  init(seed: UInt64) {
    chance = KeyedRandom(seed: seed).keyed(by: "fault")
  }

  /// What goes wrong with the next request; each call counts as one request of its kind.
  mutating func plan(for request: URLRequest, _ line: RequestLine, profile: NetworkProfile) -> FaultPlan {
    var plan = FaultPlan()
    guard !profile.faults.isEmpty else { return plan }
    for (rule, key) in zip(profile.faults, profile.faultKeys) where rule.match.matches(request) {
      if let nth = rule.match.nth {
        let turn = turns[key, default: 0] + 1
        turns[key] = turn
        if turn != nth { continue }
      }
      if chance.keyed(by: key).keyed(by: line.key).happens(rule.probability) { plan.add(rule.kind, line) }
    }
    return plan
  }
}

extension FaultPlan {
  /// Adds one fault, unless it cannot happen to such a request or an earlier rule has decided the same.
  fileprivate mutating func add(_ kind: FaultRule.Kind, _ line: RequestLine) {
    switch kind {
    case .dnsFailure:
      guard line.server.needsResolution else { return }
      streamFaults.append(.resolutionFailure)
    case .refused: streamFaults.append(.refused)
    case .connectTimeout: streamFaults.append(.unreachable)
    case .tlsFailure:
      guard line.server.isSecure else { return }
      streamFaults.append(.handshakeFailure)
    case .reset(let count, let direction):
      streamFaults.append(.reset(direction: direction, afterBytes: count.bytes))
    case .stall(let count, let duration):
      streamFaults.append(.stall(afterBytes: count.bytes, duration: duration))
    case .truncate(let count): streamFaults.append(.truncation(afterBytes: count.bytes))
    case .corrupt(let position):
      guard corruptedByte == nil else { return }
      corruptedByte = position.bytes
    case .slowClose(let delay): streamFaults.append(.slowClose(delay: delay))
    case .status(let code, let wait):
      guard status == nil else { return }
      status = (code, wait)
    case .delay(let delay): extraDelay += delay
    }
    descriptions.append(kind.description)
  }
}
