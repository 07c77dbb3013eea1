import Internals

/// Stops sending to a server that fails again and again, and probes whether it is back (Nygard, "Release It!", 2007).
///
/// Closed, it lets everything through and counts consecutive failures; at the threshold it opens. Open, it refuses
/// everything for a while. Then, half open, it lets a few probes through: one success closes it, one failure opens it
/// again. A response below 500 that is no transient failure counts as success: the server is there.
///
/// One instance is shared by all requests of a client; each server has a circuit of its own.
public final class CircuitBreaker: Sendable {
  /// How a circuit takes the next attempt.
  public enum State: Hashable, Sendable {
    /// Lets it through; so many attempts in a row have failed.
    case closed(failures: Int)
    /// Refuses it until then.
    case open(until: Duration)
    /// Lets it through when fewer probes than the limit are under way; those that started earlier say nothing.
    case halfOpen(since: Duration, probes: Int)
  }

  /// At how many consecutive failures a circuit opens.
  public let threshold: Int
  /// For how long it stays open.
  public let openTime: Duration
  /// How many probes are under way at most while it is half open.
  public let probeLimit: Int
  /// The circuits that are not closed without a failure.
  private let circuits = Mutex<[String: State]>([:])
  /// More servers than this are not remembered: those who failed least, and then those whose time is up first, are
  /// forgotten.
  static let mostServers = 1_000

  /// Creates closed circuits: by default five failures open one for 30 s, and one probe at a time closes it.
  public init(threshold: Int = 5, openTime: Duration = .seconds(30), probeLimit: Int = 1) {
    precondition(threshold >= 1 && probeLimit >= 1 && openTime >= .zero, "a breaker has a threshold and a probe")
    self.threshold = threshold
    self.openTime = openTime.bounded
    self.probeLimit = probeLimit
  }

  /// Returns the state of a server's circuit.
  public func state(host: String = "") -> State {
    circuits.withLock { $0[host] ?? .closed(failures: 0) }
  }

  /// Whether an attempt may start; one that may in a half-open circuit is a probe, and must be recorded at its end.
  public func admits(host: String = "", at time: Duration) -> Bool {
    circuits.withLock { circuits in
      switch circuits[host] ?? .closed(failures: 0) {
      case .closed: return true
      case .open(let until):
        guard time >= until else { return false }
        circuits[host] = .halfOpen(since: time, probes: 1)
        return true
      case .halfOpen(let since, let probes):
        guard probes < probeLimit else { return false }
        circuits[host] = .halfOpen(since: since, probes: probes + 1)
        return true
      }
    }
  }

  /// Learns the end of an attempt; `nil` is one that was abandoned, which frees the place of a probe.
  public func record(success: Bool?, host: String = "", start: Duration, end: Duration) {
    circuits.withLock { circuits in
      switch circuits[host] ?? .closed(failures: 0) {
      case .open: return
      case .closed(let failures):
        guard let success else { return }
        let count = success ? 0 : failures + 1
        set(count >= threshold ? .open(until: end + openTime) : .closed(failures: count), of: host, in: &circuits)
      case .halfOpen(let since, let probes):
        guard start >= since else { return }
        guard let success else {
          circuits[host] = .halfOpen(since: since, probes: max(0, probes - 1))
          return
        }
        set(success ? .closed(failures: 0) : .open(until: end + openTime), of: host, in: &circuits)
      }
    }
  }

  /// How many servers are remembered.
  var serverCount: Int { circuits.withLock { $0.count } }

  private func set(_ state: State, of host: String, in circuits: inout [String: State]) {
    circuits[host] = state == .closed(failures: 0) ? nil : state
    guard circuits.count > Self.mostServers else { return }
    let others = circuits.filter { $0.key != host }
    let least = others.min { ($0.value.weight, $0.key) < ($1.value.weight, $1.key) }
    if let least { circuits[least.key] = nil }
  }
}

extension CircuitBreaker.State {
  /// How much would be lost with it: the number of failures, or from when on it lets something through.
  fileprivate var weight: Int128 {
    switch self {
    case .closed(let failures): Int128(failures) - (1 << 100)
    case .halfOpen(let since, _): Int128(since.wholeNanoseconds)
    case .open(let until): Int128(until.wholeNanoseconds)
    }
  }
}

/// A policy behind a circuit breaker.
public struct GuardedPolicy: WrappingPolicy {
  /// The policy that decides otherwise.
  public let base: any RetryPolicy
  /// The circuits, shared with other requests.
  public let breaker: CircuitBreaker

  /// Whether the circuit is closed, or has room for a probe, and the policy lets it through.
  ///
  /// The circuit is asked first, so that a budget inside counts no request that it refuses.
  public func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    guard breaker.admits(host: request.host, at: plan.start) else { return false }
    guard base.admits(plan, of: request) else {
      breaker.record(success: nil, host: request.host, start: plan.start, end: plan.start)
      return false
    }
    return true
  }

  /// Counts the attempt.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    let success: Bool? =
      switch attempt.verdict {
      case .success: true
      case .transientFailure: false
      case .permanentFailure: (attempt.outcome.status ?? 500) < 500
      case .abandoned: nil
      }
    breaker.record(success: success, host: request.host, start: attempt.plan.start, end: attempt.end)
    base.didFinish(attempt, of: request)
  }
}

extension RetryPolicy {
  /// This policy behind a circuit breaker.
  public func guarded(by breaker: CircuitBreaker) -> GuardedPolicy {
    GuardedPolicy(base: self, breaker: breaker)
  }
}
