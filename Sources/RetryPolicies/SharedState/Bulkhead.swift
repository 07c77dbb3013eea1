import Internals

/// Limits how many attempts to a server are under way at once: a bulkhead (Nygard, "Release It!", 2007).
///
/// So a slow server occupies a bounded part of the client. Attempts beyond the limit are refused at once; none waits.
///
/// With a range, the limit begins at the lower bound and adapts to the server. A success raises it by one if at least half of
/// the places are taken. A transient failure, such as a timeout, cuts it to nine tenths. This is additive increase and
/// multiplicative decrease (AIMD) with the constants of Netflix's concurrency-limits (`AIMDLimit`).
///
/// All requests of a client share one instance, which keeps a bulkhead per server.
public final class Bulkhead: Sendable {
  private struct Places {
    var underWay = 0
    var limit: Int
  }

  /// The bounds of the limit on attempts under way at once.
  public let limits: ClosedRange<Int>
  private let servers = Mutex<[String: Places]>([:])

  /// Creates a bulkhead with a fixed limit of at least 1.
  public convenience init(limit: Int) { self.init(limits: limit...limit) }

  /// Creates a bulkhead whose limit adapts to each server, within bounds of at least 1.
  public init(limits: ClosedRange<Int>) {
    precondition(limits.lowerBound >= 1, "a bulkhead lets at least one attempt through")
    self.limits = limits
  }

  /// How many attempts to a server are under way.
  public func count(host: String = "") -> Int { servers.withLock { $0[host]?.underWay ?? 0 } }

  /// The current limit on attempts under way to a server.
  public func limit(host: String = "") -> Int { servers.withLock { $0[host]?.limit ?? limits.lowerBound } }

  /// Takes a place for an attempt and returns true, or returns false if none is free; call ``leave(host:success:)`` later.
  public func enter(host: String = "") -> Bool {
    servers.withLock { servers in
      var places = servers[host] ?? Places(limit: limits.lowerBound)
      guard places.underWay < places.limit else { return false }
      places.underWay += 1
      servers[host] = places
      return true
    }
  }

  /// Frees a place and adapts the limit; `nil` means that the attempt says nothing about the server.
  public func leave(host: String = "", success: Bool? = nil) {
    servers.withLock { servers in
      guard var places = servers[host] else { return }
      switch success {
      case true? where places.underWay * 2 >= places.limit: places.limit = min(limits.upperBound, places.limit + 1)
      case false?: places.limit = max(limits.lowerBound, places.limit - (places.limit - 1) / 10 - 1)
      default: break
      }
      places.underWay = max(0, places.underWay - 1)
      let isForgotten = places.underWay == 0 && (places.limit == limits.lowerBound || servers.count > mostServers)
      servers[host] = isForgotten ? nil : places
    }
  }

  var serverCount: Int { servers.withLock { $0.count } }
}

/// A policy behind a bulkhead.
private struct LimitedPolicy: WrappingPolicy {
  let base: any RetryPolicy
  let bulkhead: Bulkhead

  func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    guard bulkhead.enter(host: request.host) else { return false }
    guard base.admits(plan, of: request) else {
      bulkhead.leave(host: request.host)
      return false
    }
    return true
  }

  func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    let success: Bool? =
      switch attempt.outcomeClass {
      case .success: true
      case .transientFailure: false
      case .permanentFailure, .abandoned: nil
      }
    bulkhead.leave(host: request.host, success: success)
    base.didFinish(attempt, of: request)
  }
}

extension RetryPolicy {
  /// This policy behind a bulkhead, which refuses attempts beyond a limit at once.
  public func limited(by bulkhead: Bulkhead) -> some WrappingPolicy {
    LimitedPolicy(base: self, bulkhead: bulkhead)
  }
}
