import Internals

/// Sheds load at the client: when a server refuses most attempts, some of the further ones fail without being sent.
///
/// This is Google's adaptive throttling ("Site Reliability Engineering", 2016, chapter 21, "Client-Side Throttling"). A client
/// counts its attempts, and the attempts that the server accepted, over two minutes. It sheds the share
/// `max(0, (requests - K * accepts) / (requests + 1))`. With `K` of 2 a server gets at most twice what it accepts, and the
/// client learns soon when it accepts more. The shedder sheds exactly that share instead of deciding by chance.
///
/// An attempt that the client cancels counts as neither. All requests of a client share one instance, which counts each
/// server separately.
public final class LoadShedder: Sendable {

  private struct Counts {
    var window: SlidingWindow<(requests: Double, accepts: Double)>
    /// The sum of the shares to shed, less the attempts shed; once it reaches 1, the next attempt is shed.
    var debt = 0.0
  }
  private let servers = Mutex<[String: Counts]>([:])
  private let multiplier: Double
  let window: Duration

  /// Creates a shedder that has counted nothing.
  ///
  /// - Parameters:
  ///   - multiplier: `K`: how many attempts a server gets for each that it accepts, at least 1.
  ///   - window: how long an attempt counts.
  public init(multiplier: Double = 2, window: Duration = .seconds(120)) {
    precondition(multiplier >= 1 && multiplier.isFinite, "a multiplier is at least 1 and finite")
    self.multiplier = multiplier
    self.window = window
  }

  /// Counts an attempt and returns whether to send it.
  public func admits(host: String = "", at time: Duration) -> Bool {
    change(host, time) { counts in
      let (requests, accepts) = counts.window.slots.reduce((0, 0)) { ($0.0 + $1.requests, $0.1 + $1.accepts) }
      counts.window.change(at: time) { $0.requests += 1 }
      let share = (requests - multiplier * accepts) / (requests + 1)
      guard share > 0 else {
        counts.debt = 0
        return true
      }
      counts.debt += share
      guard counts.debt >= 1 else { return true }
      counts.debt -= 1
      return false
    }
  }

  /// Counts an attempt that the server accepted.
  public func recordAccepted(host: String = "", at time: Duration) {
    change(host, time) { $0.window.latest.accepts += 1 }
  }

  /// Removes an attempt from the count: it started at this time, but was then cancelled or never sent.
  func forget(host: String, at time: Duration) {
    // The server may have been forgotten meanwhile.
    change(host, time) { $0.window.change(at: time) { $0.requests = max(0, $0.requests - 1) } }
  }

  private func change<Value>(_ host: String, _ time: Duration, _ body: (inout Counts) -> Value) -> Value {
    servers.withLock { servers in
      if servers[host] == nil, servers.count >= mostServers {
        servers = servers.filter { !$0.value.window.isOver(at: time) }
      }
      var counts = servers[host] ?? Counts(window: SlidingWindow(window, empty: (0, 0)))
      defer { servers[host] = counts }
      counts.window.advance(to: time)
      return body(&counts)
    }
  }
}

/// A policy that sheds load.
private struct SheddingPolicy: WrappingPolicy, PausingPolicy {
  let base: any RetryPolicy
  let shedder: LoadShedder

  var pause: Duration { shedder.window }

  func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    guard shedder.admits(host: request.host, at: plan.start) else { return false }
    guard base.admits(plan, of: request) else {
      shedder.forget(host: request.host, at: plan.start)
      return false
    }
    return true
  }

  func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    if attempt.outcomeClass == .abandoned {
      shedder.forget(host: request.host, at: attempt.plan.start)
    } else if attempt.outcomeClass != .transientFailure, attempt.outcome.status != nil {
      shedder.recordAccepted(host: request.host, at: attempt.end)
    }
    base.didFinish(attempt, of: request)
  }
}

extension RetryPolicy {
  /// This policy, which drops a share of its attempts while the server refuses most.
  public func shedding(by shedder: LoadShedder) -> some WrappingPolicy {
    SheddingPolicy(base: self, shedder: shedder)
  }
}
