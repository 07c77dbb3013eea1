import Internals

/// Lets no more than so many attempts to a server be under way at once: a bulkhead (Nygard, "Release It!", 2007).
///
/// A server that is slow then takes up no more of a client than that. Others are refused at once, and nothing waits.
///
/// One instance is shared by all requests of a client; each server has a bulkhead of its own.
public final class Bulkhead: Sendable {
  /// How many attempts may be under way at once.
  public let limit: Int
  /// How many are, of servers to which there are any.
  private let underWay = Mutex<[String: Int]>([:])

  /// Creates a bulkhead; the limit is 1 or more.
  public init(limit: Int) {
    precondition(limit >= 1, "a bulkhead lets something through")
    self.limit = limit
  }

  /// How many attempts to a server are under way.
  public func count(host: String = "") -> Int { underWay.withLock { $0[host] ?? 0 } }

  /// Takes a place for an attempt, or says that there is none; a place that is taken must be left.
  public func enter(host: String = "") -> Bool {
    underWay.withLock { counts in
      let count = counts[host] ?? 0
      guard count < limit else { return false }
      counts[host] = count + 1
      return true
    }
  }

  /// Gives a place back.
  public func leave(host: String = "") {
    underWay.withLock { counts in
      let count = counts[host] ?? 0
      counts[host] = count > 1 ? count - 1 : nil
    }
  }
}

/// A policy behind a bulkhead.
public struct LimitedPolicy: WrappingPolicy {
  /// The policy that decides otherwise.
  public let base: any RetryPolicy
  /// The places, shared with other requests.
  public let bulkhead: Bulkhead

  /// Whether there is a place, and the policy lets the attempt through.
  public func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    guard bulkhead.enter(host: request.host) else { return false }
    guard base.admits(plan, of: request) else {
      bulkhead.leave(host: request.host)
      return false
    }
    return true
  }

  /// Gives the place back.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    bulkhead.leave(host: request.host)
    base.didFinish(attempt, of: request)
  }
}

extension RetryPolicy {
  /// This policy behind a bulkhead, which refuses what would be too many attempts at once.
  public func limited(by bulkhead: Bulkhead) -> LimitedPolicy {
    LimitedPolicy(base: self, bulkhead: bulkhead)
  }
}
