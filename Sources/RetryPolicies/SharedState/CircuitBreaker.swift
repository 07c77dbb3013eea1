import Internals

/// Stops sending to a server that fails again and again, and probes whether it is back (Nygard, "Release It!", 2007).
///
/// Closed, it lets everything through and counts consecutive failures, or the share of failures of the last seconds. At the
/// threshold it opens. Open, it refuses everything for a while. Then, half open, it lets a few probes through: one success
/// closes it, one failure opens it again. A response below 500 that is no transient failure counts as success: the server is there.
/// Where a share counts, a slow attempt may count as a failure, too.
///
/// One instance is shared by all requests of a client; each server has a circuit of its own.
public final class CircuitBreaker: Sendable {
  /// How a circuit takes the next attempt.
  public enum State: Hashable, Sendable {
    /// Lets it through; so many attempts in a row have failed, or in the window of a rate.
    case closed(failures: Int)
    /// Refuses it until then.
    case open(until: Duration)
    /// Lets it through when fewer probes than the limit are under way; those that started earlier say nothing.
    case halfOpen(since: Duration, probes: Int)
  }

  /// At which share of failures a circuit opens, and of how many attempts within which time at least.
  private struct Rate {
    let share: Double
    let least: Int
    let window: Duration
    let slow: Duration?
  }

  private struct Circuits {
    /// Those that are not closed without a failure.
    var states: [String: State] = [:]
    /// The attempts of the last seconds, where a rate is looked at.
    var windows: [String: OutcomeWindow] = [:]
  }

  /// At how many failures a circuit opens: in a row, or in the window of a rate at the least.
  public let threshold: Int
  /// For how long it stays open.
  public let openTime: Duration
  /// How many probes are under way at most while it is half open.
  public let probeLimit: Int
  private let rate: Rate?
  private let circuits = Mutex(Circuits())
  /// More servers than this are not remembered: those who failed least, and then those whose time is up first, are
  /// forgotten.
  static let mostServers = 1_000

  /// Creates closed circuits: by default five failures open one for 30 s, and one probe at a time closes it.
  public init(threshold: Int = 5, openTime: Duration = .seconds(30), probeLimit: Int = 1) {
    precondition(threshold >= 1 && probeLimit >= 1 && openTime >= .zero, "a breaker has a threshold and a probe")
    self.threshold = threshold
    self.openTime = openTime.bounded
    self.probeLimit = probeLimit
    rate = nil
  }

  /// Creates closed circuits that a share of failures opens: by default half of 20 attempts or more within 10 s.
  ///
  /// These are the defaults of Hystrix ("Configuration: circuit breaker", Netflix).
  ///
  /// - Parameters:
  ///   - failureRate: the share of failures that opens a circuit; above 0, at most 1.
  ///   - least: of how many attempts at the least.
  ///   - window: after how long attempts are forgotten; from 1 s to 60 s.
  ///   - slow: after how long an attempt counts as a failure, even if it is answered or given up then; `nil` is never.
  ///     Resilience4j counts slow calls in the same way, by a share of their own (`slowCallDurationThreshold`).
  ///   - openTime: for how long a circuit stays open.
  ///   - probeLimit: how many probes are under way at most while it is half open.
  public init(
    failureRate: Double, ofAtLeast least: Int = 20, within window: Duration = .seconds(10), slow: Duration? = nil,
    openTime: Duration = .seconds(30), probeLimit: Int = 1
  ) {
    precondition(failureRate > 0 && failureRate <= 1 && least >= 1, "a rate is a share of one attempt or more")
    precondition(window >= .seconds(1) && window <= .seconds(60), "the window is from 1 s to 60 s")
    precondition(probeLimit >= 1 && openTime >= .zero, "a breaker has a probe")
    precondition(slow ?? .nanoseconds(1) > .zero, "a slow attempt takes some time")
    threshold = Int((failureRate * Double(least)).rounded(.up))
    self.openTime = openTime.bounded
    self.probeLimit = probeLimit
    rate = Rate(share: failureRate, least: least, window: window, slow: slow)
  }

  /// Returns the state of a server's circuit.
  public func state(host: String = "") -> State {
    circuits.withLock { $0.states[host] ?? .closed(failures: 0) }
  }

  /// Whether a circuit is open until after a time.
  func isOpen(host: String, at time: Duration) -> Bool {
    if case .open(let until) = state(host: host) { time < until } else { false }
  }

  /// Whether an attempt may start; one that may in a half-open circuit is a probe, and must be recorded at its end.
  public func admits(host: String = "", at time: Duration) -> Bool {
    circuits.withLock { circuits in
      switch circuits.states[host] ?? .closed(failures: 0) {
      case .closed: return true
      case .open(let until):
        guard time >= until else { return false }
        circuits.states[host] = .halfOpen(since: time, probes: 1)
        return true
      case .halfOpen(let since, let probes):
        guard probes < probeLimit else { return false }
        circuits.states[host] = .halfOpen(since: since, probes: probes + 1)
        return true
      }
    }
  }

  /// Opens a circuit by hand, until a time; then it lets probes through.
  public func open(host: String = "", until time: Duration) {
    circuits.withLock { set(.open(until: time), of: host, in: &$0) }
  }

  /// Learns the end of an attempt; `nil` is one that was abandoned, which frees the place of a probe.
  public func record(success: Bool?, host: String = "", start: Duration, end: Duration) {
    let success = rate?.slow.map { end - start > $0 } == true ? false : success
    circuits.withLock { circuits in
      switch circuits.states[host] ?? .closed(failures: 0) {
      case .open: return
      case .closed(let failures):
        guard let success else { return }
        let count = count(success, after: failures, host: host, at: end, in: &circuits)
        set(count.opens ? .open(until: end + openTime) : .closed(failures: count.failures), of: host, in: &circuits)
      case .halfOpen(let since, let probes):
        guard start >= since else { return }
        guard let success else {
          circuits.states[host] = .halfOpen(since: since, probes: max(0, probes - 1))
          return
        }
        set(success ? .closed(failures: 0) : .open(until: end + openTime), of: host, in: &circuits)
      }
    }
  }

  /// How many servers are remembered.
  var serverCount: Int { circuits.withLock { max($0.states.count, $0.windows.count) } }

  /// Counts the end of an attempt of a closed circuit, and says whether that opens it.
  private func count(
    _ success: Bool, after failures: Int, host: String, at end: Duration, in circuits: inout Circuits
  ) -> (failures: Int, opens: Bool) {
    guard let rate else {
      let count = success ? 0 : failures + 1
      return (count, count >= threshold)
    }
    var window = circuits.windows[host] ?? OutcomeWindow(rate.window)
    window.add(success, at: end)
    circuits.windows[host] = window
    circuits.windows.forgetLeast(beyond: Self.mostServers, except: host, by: \.failures)
    let isMany = window.total >= rate.least && Double(window.failures) >= rate.share * Double(window.total)
    return (window.failures, !success && isMany)
  }

  private func set(_ state: State, of host: String, in circuits: inout Circuits) {
    if case .open = state { circuits.windows[host] = nil }
    circuits.states[host] = state == .closed(failures: 0) ? nil : state
    circuits.states.forgetLeast(beyond: Self.mostServers, except: host, by: \.weight)
  }
}

/// How many attempts failed within the last seconds, in ten slots that begin at whole tenths of the window.
private struct OutcomeWindow {
  private static let slotCount = 10
  private let slot: Int64
  private var slots = [(failures: Int, total: Int)](repeating: (0, 0), count: slotCount)
  private var newest: Int64 = 0

  init(_ window: Duration) { slot = window.wholeNanoseconds / Int64(Self.slotCount) }

  var failures: Int { slots.reduce(0) { $0 + $1.failures } }
  var total: Int { slots.reduce(0) { $0 + $1.total } }

  /// Counts one, and forgets what has left the window; a time before the newest is taken for the newest.
  mutating func add(_ success: Bool, at time: Duration) {
    let (now, count) = (max(newest, max(0, time.wholeNanoseconds) / slot), Int64(Self.slotCount))
    for index in newest + 1..<min(now, newest + count) + 1 { slots[Int(index % count)] = (0, 0) }
    newest = now
    slots[Int(newest % count)].total += 1
    if !success { slots[Int(newest % count)].failures += 1 }
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
public struct GuardedPolicy: WrappingPolicy, PausingPolicy {
  /// The policy that decides otherwise.
  public let base: any RetryPolicy
  /// The circuits, shared with other requests.
  public let breaker: CircuitBreaker

  /// For how long the circuit stays open.
  package var pause: Duration { breaker.openTime }

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

  /// Whether a retry is worth its wait: the circuit is not known to be open until after that.
  public func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    !breaker.isOpen(host: request.host, at: plan.start) && base.grants(plan, of: request)
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
