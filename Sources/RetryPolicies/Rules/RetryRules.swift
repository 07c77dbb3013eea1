public import Foundation
import URLLoading

/// The rules that every policy has: which requests may be retried, and within which limits.
///
/// The rules are data, so that a report can print them. The client enforces the rules that a policy cannot, such as a
/// deadline that cuts an attempt short.
public struct RetryRules: Hashable, Sendable {
  /// Which requests may be sent again.
  public enum Methods: Hashable, Sendable {
    /// Requests that are idempotent or carry an idempotency key (RFC 9110, section 9.2.2).
    ///
    /// Other requests are repeated only if the server did nothing for the attempt (``AttemptOutcome/isWithoutEffect``).
    case idempotent
    /// Requests with one of these methods, in capitals.
    case only(Set<String>)
    /// All requests; choose this only for a server that recognises repetitions by itself.
    case any
  }

  /// How a policy treats a server's `Retry-After` (RFC 9110, section 10.2.3).
  public enum RetryAfterUse: Hashable, Sendable {
    /// The header has no effect.
    case ignored
    /// The next attempt starts no earlier; if the server asks for more than the limit, no attempt follows.
    case respected(upTo: Duration?)
  }

  /// How many attempts one request may have, the original included; `nil` means no limit.
  public var maximumAttempts: Int?
  /// Which requests may be sent again.
  public var methods: Methods
  /// The statuses that count as transient failures.
  public var statuses: Set<Int>
  /// The errors that count as transient failures.
  public var errors: Set<URLError.Code>
  /// How the policy treats `Retry-After`.
  public var retryAfter: RetryAfterUse
  /// The largest random delay after `Retry-After`, as a share of the time that the server asked for.
  ///
  /// A busy server sends all clients the same time. Without a spread they would all return at the same instant.
  public var retryAfterSpread: Double
  /// How long the request may take, including all attempts and waits.
  public var deadline: Duration?
  /// How long one attempt may take before it counts as `URLError.timedOut`.
  public var perTryTimeout: Duration?
  /// Whether a request that is not idempotent gets an `Idempotency-Key`, so that it may be repeated.
  ///
  /// All attempts carry the same key. Only for servers that know such keys: others execute each attempt.
  public var addsIdempotencyKey: Bool

  /// Three attempts of idempotent requests after transient failures; `Retry-After` is respected up to a minute.
  ///
  /// Google's SRE book ("Handling overload") and the standard mode of AWS SDKs make three attempts per request, too.
  public static let standard = RetryRules()

  /// Creates rules; the defaults are those of ``standard``.
  public init(
    maximumAttempts: Int? = 3, methods: Methods = .idempotent, statuses: Set<Int> = Self.transientStatuses,
    errors: Set<URLError.Code> = .transient, retryAfter: RetryAfterUse = .respected(upTo: .seconds(60)),
    retryAfterSpread: Double = 0.5, deadline: Duration? = nil, perTryTimeout: Duration? = nil,
    addsIdempotencyKey: Bool = false
  ) {
    precondition(maximumAttempts ?? 1 >= 1, "a request has at least one attempt")
    precondition((0...10).contains(retryAfterSpread), "a spread is a share from 0 to 10")
    self.maximumAttempts = maximumAttempts
    self.methods = methods
    self.statuses = statuses
    self.errors = errors
    self.retryAfter = retryAfter
    self.retryAfterSpread = retryAfterSpread
    self.deadline = deadline
    self.perTryTimeout = perTryTimeout
    self.addsIdempotencyKey = addsIdempotencyKey
  }

  /// Request Timeout, Too Early, Too Many Requests, Internal Server Error, Bad Gateway, Service Unavailable, Gateway Timeout.
  public static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// Classifies an outcome under these rules.
  public func outcomeClass(of outcome: AttemptOutcome) -> RetryAttempt.OutcomeClass {
    switch outcome {
    case .abandoned: .abandoned
    case .response(let head) where statuses.contains(head.status): .transientFailure
    case .response(let head): head.status < 400 ? .success : .permanentFailure
    case .failure: outcome.errorCode.map(errors.contains) == true ? .transientFailure : .permanentFailure
    }
  }

  /// Returns whether a request may be sent more than once.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - outcome: the outcome of the failed attempt; `nil` if no attempt has failed yet.
  public func allowsRepeating(_ request: RetryRequest, after outcome: AttemptOutcome? = nil) -> Bool {
    guard request.isReplayable else { return false }
    return switch methods {
    case .idempotent: request.isIdempotent || outcome?.isWithoutEffect == true
    case .only(let methods): methods.contains(request.method)
    case .any: true
    }
  }

  /// Returns the request with a new `Idempotency-Key`, if the rules add one and the request has none.
  ///
  /// The value is a quoted string, as the IETF draft "The Idempotency-Key HTTP Header Field" demands.
  func keyed(_ request: URLRequest) -> URLRequest {
    guard addsIdempotencyKey, !RetryRequest(request).isIdempotent else { return request }
    var keyed = request
    keyed.setValue("\"\(UUID().uuidString)\"", forHTTPHeaderField: "Idempotency-Key")
    return keyed
  }

  /// How long to wait before a retry; `nil` where the server asked for more than the limit.
  func delay(backoff: Duration, retryAfter: Duration?, random: inout RetryRandom) -> Duration? {
    let own = max(.zero, backoff)
    guard case .respected(let limit) = self.retryAfter, let retryAfter else { return own }
    if let limit, retryAfter > limit { return nil }
    let wish = retryAfter.bounded
    let spread = wish * retryAfterSpread
    return max(own, wish + random.duration(to: spread.bounded))
  }
}

extension Set<URLError.Code> {
  /// Errors that may go away by themselves: the network or the server was unreachable, or the connection broke.
  ///
  /// Refused certificates, malformed addresses and cancellations are not among them.
  public static let transient: Set<URLError.Code> = [
    .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
    .notConnectedToInternet, .badServerResponse, .secureConnectionFailed, .internationalRoamingOff, .callIsActive,
    .dataNotAllowed,
  ]

  /// Errors that occur before any byte of the request is sent: no network, no address, or no connection.
  public static let unsent: Set<URLError.Code> = [
    .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .internationalRoamingOff,
    .callIsActive, .dataNotAllowed,
  ]
}
