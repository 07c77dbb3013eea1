import Internals

/// Stops sending to a server that keeps failing, and probes whether it is back (Nygard, "Release It!", 2007).
///
/// A closed circuit lets all attempts through and counts failures: consecutive ones, or their share in a time window. At the
/// threshold it opens and refuses all attempts for ``openTime``. Then it is half open and lets a few probes through. One
/// success closes it; one failure opens it again. A response below 500 that is not a transient failure counts as success,
/// because the server is there. With a failure rate, slow attempts may count as failures, too.
///
/// All requests of a client share one instance, which keeps a circuit per server.
public final class CircuitBreaker: Sendable {
  /// The state of a server's circuit.
  public enum State: Hashable, Sendable {
    /// Attempts pass; `failures` counts those in a row, or those in the window of a failure rate.
    case closed(failures: Int)
    /// Attempts are refused until this time.
    case open(until: Duration)
    /// Attempts pass while fewer probes than the limit are under way; older attempts' results are ignored.
    case halfOpen(since: Duration, probes: Int)
  }

  /// The failure share that opens a circuit, the fewest attempts it needs, and the time window.
  private struct Rate {
    let share: Double
    let least: Int
    let window: Duration
    let slow: Duration?
  }

  private struct Circuits {
    /// The circuits that have failures or are not closed.
    var states: [String: State] = [:]
    /// The recent attempts of each server; used only with a failure rate.
    var windows: [String: OutcomeWindow] = [:]
  }

  /// The number of failures that opens a circuit: in a row, or the fewest that can reach the failure rate.
  public let threshold: Int
  /// How long a circuit stays open.
  public let openTime: Duration
  /// The most probes under way at once in a half-open circuit.
  public let probeLimit: Int
  private let rate: Rate?
  private let circuits = Mutex(Circuits())

  /// Creates closed circuits; by default five failures in a row open one for 30 s, with one probe at a time.
  public init(threshold: Int = 5, openTime: Duration = .seconds(30), probeLimit: Int = 1) {
    precondition(threshold >= 1 && probeLimit >= 1 && openTime >= .zero, "a breaker has a threshold and a probe")
    self.threshold = threshold
    self.openTime = openTime.bounded
    self.probeLimit = probeLimit
    rate = nil
  }

  /// Creates closed circuits that a share of failures opens: by default half of at least 20 attempts within 10 s.
  ///
  /// These are the defaults of Hystrix ("Configuration: circuit breaker", Netflix).
  ///
  /// - Parameters:
  ///   - failureRate: the share of failures that opens a circuit; above 0, at most 1.
  ///   - least: the fewest attempts in the window from which a rate is computed.
  ///   - window: how long attempts count; from 1 s to 60 s.
  ///   - slow: an attempt that takes longer counts as a failure, even if it succeeds or is cancelled; `nil` means never.
  ///     Resilience4j counts slow calls similarly, with a separate share (`slowCallDurationThreshold`).
  ///   - openTime: how long a circuit stays open.
  ///   - probeLimit: the most probes under way at once in a half-open circuit.
  public init(
    failureRate: Double, ofAtLeast least: Int = 20, within window: Duration = .seconds(10), slow: Duration? = nil,
    openTime: Duration = .seconds(30), probeLimit: Int = 1
  ) {
    precondition(failureRate > 0 && failureRate <= 1 && least >= 1, "a rate is a share above 0 of at least one attempt")
    precondition(window >= .seconds(1) && window <= .seconds(60), "the window is from 1 s to 60 s")
    precondition(probeLimit >= 1 && openTime >= .zero, "a breaker has a probe")
    precondition(slow ?? .nanoseconds(1) > .zero, "a slow attempt takes longer than zero")
    // The product may be rounded up to just above a whole number, as 0.55 x 100 is; the quotient never is.
    let product = Int(min((failureRate * Double(least)).rounded(.up), 0x1p62))
    threshold = Double(product - 1) / Double(least) >= failureRate ? product - 1 : product
    self.openTime = openTime.bounded
    self.probeLimit = probeLimit
    rate = Rate(share: failureRate, least: least, window: window, slow: slow)
  }

  /// Returns the state of a server's circuit.
  public func state(host: String = "") -> State {
    circuits.withLock { $0.states[host] ?? .closed(failures: 0) }
  }

  func isOpen(host: String, at time: Duration) -> Bool {
    if case .open(let until) = state(host: host) { time < until } else { false }
  }

  /// Returns whether an attempt may start; in a half-open circuit the attempt is a probe, whose end must be recorded.
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

  /// Opens a circuit by hand until a time; after that it lets probes through.
  public func open(host: String = "", until time: Duration) {
    circuits.withLock { set(.open(until: time), of: host, in: &$0) }
  }

  /// Counts the end of an attempt; `nil` means it was cancelled, which only frees a probe's place.
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

  var serverCount: Int { circuits.withLock { max($0.states.count, $0.windows.count) } }

  /// Counts an attempt that ended while the circuit was closed, and returns whether this opens it.
  private func count(
    _ success: Bool, after failures: Int, host: String, at end: Duration, in circuits: inout Circuits
  ) -> (failures: Int, opens: Bool) {
    guard let rate else {
      let count = success ? 0 : failures + 1
      return (count, count >= threshold)
    }
    var window = circuits.windows[host] ?? OutcomeWindow(rate.window, empty: (0, 0))
    window.advance(to: end)
    window.latest.total += 1
    if !success { window.latest.failures += 1 }
    circuits.windows[host] = window
    circuits.windows.forgetLeast(except: host, by: \.failures)
    let isMany = window.total >= rate.least && Double(window.failures) / Double(window.total) >= rate.share
    return (window.failures, !success && isMany)
  }

  private func set(_ state: State, of host: String, in circuits: inout Circuits) {
    if case .open = state { circuits.windows[host] = nil }
    circuits.states[host] = state == .closed(failures: 0) ? nil : state
    circuits.states.forgetLeast(except: host, by: \.weight)
  }
}

/// How many attempts there were in a time window, and how many of them failed.
private typealias OutcomeWindow = SlidingWindow<(failures: Int, total: Int)>

extension OutcomeWindow {
  fileprivate var failures: Int { slots.reduce(0) { $0 + $1.failures } }
  fileprivate var total: Int { slots.reduce(0) { $0 + $1.total } }
}

extension CircuitBreaker.State {
  /// The circuit's rank for eviction, lowest first: closed circuits by failures, then the others by time.
  fileprivate var weight: Int128 {
    switch self {
    case .closed(let failures): Int128(failures) - (1 << 100)
    case .halfOpen(let since, _): Int128(since.wholeNanoseconds)
    case .open(let until): Int128(until.wholeNanoseconds)
    }
  }
}

/// A policy behind a circuit breaker.
private struct GuardedPolicy: WrappingPolicy, PausingPolicy {
  let base: any RetryPolicy
  let breaker: CircuitBreaker

  var pause: Duration { breaker.openTime }

  /// The circuit is asked first, so that a wrapped budget does not count requests that the circuit refuses.
  func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    guard breaker.admits(host: request.host, at: plan.start) else { return false }
    guard base.admits(plan, of: request) else {
      breaker.record(success: nil, host: request.host, start: plan.start, end: plan.start)
      return false
    }
    return true
  }

  func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    !breaker.isOpen(host: request.host, at: plan.start) && base.grants(plan, of: request)
  }

  func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    let success: Bool? =
      switch attempt.outcomeClass {
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
  public func guarded(by breaker: CircuitBreaker) -> some WrappingPolicy {
    GuardedPolicy(base: self, breaker: breaker)
  }
}
