import Internals

/// Lets no more than so many attempts to a server be under way at once: a bulkhead (Nygard, "Release It!", 2007).
///
/// A server that is slow then takes up no more of a client than that. Others are refused at once, and nothing waits.
///
/// Between two limits it begins at the lower one and adapts to the server. A success raises it by one where at least half of
/// the places are taken. A transient failure, such as a timeout, leaves nine tenths of it. This is additive increase and
/// multiplicative decrease (AIMD) with the constants of Netflix's concurrency-limits (`AIMDLimit`).
///
/// One instance is shared by all requests of a client; each server has a bulkhead of its own.
public final class Bulkhead: Sendable {
  private struct Places {
    var underWay = 0
    var limit: Int
  }

  /// The least and the most attempts that may be under way at once.
  public let limits: ClosedRange<Int>
  private let servers = Mutex<[String: Places]>([:])
  /// Where more servers than this are remembered, one to which nothing is under way is forgotten.
  static let mostServers = 1_000

  /// Creates a bulkhead of a fixed limit, which is 1 or more.
  public convenience init(limit: Int) { self.init(limits: limit...limit) }

  /// Creates a bulkhead whose limit adapts to each server, between two of 1 or more.
  public init(limits: ClosedRange<Int>) {
    precondition(limits.lowerBound >= 1, "a bulkhead lets something through")
    self.limits = limits
  }

  /// How many attempts to a server are under way.
  public func count(host: String = "") -> Int { servers.withLock { $0[host]?.underWay ?? 0 } }

  /// How many may be under way to a server now.
  public func limit(host: String = "") -> Int { servers.withLock { $0[host]?.limit ?? limits.lowerBound } }

  /// Takes a place for an attempt, or says that there is none; a place that is taken must be left.
  public func enter(host: String = "") -> Bool {
    servers.withLock { servers in
      var places = servers[host] ?? Places(limit: limits.lowerBound)
      guard places.underWay < places.limit else { return false }
      places.underWay += 1
      servers[host] = places
      return true
    }
  }

  /// Gives a place back, and learns of the attempt; `nil` is one that says nothing of the server.
  public func leave(host: String = "", success: Bool? = nil) {
    servers.withLock { servers in
      guard var places = servers[host] else { return }
      switch success {
      case true? where places.underWay * 2 >= places.limit: places.limit = min(limits.upperBound, places.limit + 1)
      case false?: places.limit = max(limits.lowerBound, places.limit * 9 / 10)
      default: break
      }
      places.underWay = max(0, places.underWay - 1)
      let isForgotten = places.underWay == 0 && (places.limit == limits.lowerBound || servers.count > Self.mostServers)
      servers[host] = isForgotten ? nil : places
    }
  }

  /// How many servers are remembered.
  var serverCount: Int { servers.withLock { $0.count } }
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
    let success: Bool? =
      switch attempt.verdict {
      case .success: true
      case .transientFailure: false
      case .permanentFailure, .abandoned: nil
      }
    bulkhead.leave(host: request.host, success: success)
    base.didFinish(attempt, of: request)
  }
}

extension RetryPolicy {
  /// This policy behind a bulkhead, which refuses what would be too many attempts at once.
  public func limited(by bulkhead: Bulkhead) -> LimitedPolicy {
    LimitedPolicy(base: self, bulkhead: bulkhead)
  }
}
