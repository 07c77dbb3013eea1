public import Foundation
import URLLoading

/// The rules that every policy has alike: which requests are retried at all, and within which limits.
///
/// The rules are data, not behaviour, so that a report can print them and the client can enforce those that a policy
/// cannot, such as a deadline that cuts an attempt short.
public struct RetryRules: Hashable, Sendable {
  /// Which requests may be sent again.
  public enum Methods: Hashable, Sendable {
    /// Those that are idempotent, or that carry an idempotency key (RFC 9110, section 9.2.2); of the others the attempts that
    /// never reached the server (``AttemptOutcome/isWithoutEffect``).
    case idempotent
    /// Those with one of these methods, in capitals.
    case only(Set<String>)
    /// All of them: only for a server that recognises repetitions by itself.
    case any
  }

  /// How a policy takes a server's `Retry-After` (RFC 9110, section 10.2.3).
  public enum RetryAfterUse: Hashable, Sendable {
    /// Nothing.
    case ignored
    /// The next attempt starts no earlier; a server that asks for more than the limit gets no further attempt.
    case respected(upTo: Duration?)
  }

  /// How many attempts one request may have, the original included; `nil` is any number.
  public var maximumAttempts: Int?
  /// Which requests may be sent again.
  public var methods: Methods
  /// The statuses that count as transient failures.
  public var statuses: Set<Int>
  /// The errors that count as transient failures.
  public var errors: Set<URLError.Code>
  /// How `Retry-After` is taken.
  public var retryAfter: RetryAfterUse
  /// By which share of the server's wish a retry starts later at most, drawn evenly.
  ///
  /// A server that is too busy sends the same wish to everybody: without a spread all of them come back at one instant.
  public var retryAfterSpread: Double
  /// The longest wait before a retry; it shortens what the policy asked for, not what the server asked for.
  public var maximumDelay: Duration?
  /// How long the request may take, all attempts and waits together.
  public var deadline: Duration?
  /// How long one attempt may take before it counts as `URLError.timedOut`.
  public var perTryTimeout: Duration?
  /// Whether a request that is not idempotent gets an `Idempotency-Key`, the same in all attempts, so that it may be repeated.
  ///
  /// Only for a server that knows such keys: any other carries each attempt out.
  public var addsIdempotencyKey: Bool

  /// Three attempts of idempotent requests after transient failures, `Retry-After` respected up to a minute.
  ///
  /// Three is the limit per request of Google's SRE book ("Handling overload") and of the standard mode of AWS SDKs.
  public static let standard = RetryRules()

  /// Creates rules; what is left out is as in ``standard``.
  public init(
    maximumAttempts: Int? = 3, methods: Methods = .idempotent, statuses: Set<Int> = Self.transientStatuses,
    errors: Set<URLError.Code> = .transient, retryAfter: RetryAfterUse = .respected(upTo: .seconds(60)),
    retryAfterSpread: Double = 0.5, maximumDelay: Duration? = nil, deadline: Duration? = nil,
    perTryTimeout: Duration? = nil, addsIdempotencyKey: Bool = false
  ) {
    precondition(maximumAttempts ?? 1 >= 1, "a request has at least one attempt")
    precondition((0...10).contains(retryAfterSpread), "a spread is a share from 0 to 10")
    self.maximumAttempts = maximumAttempts
    self.methods = methods
    self.statuses = statuses
    self.errors = errors
    self.retryAfter = retryAfter
    self.retryAfterSpread = retryAfterSpread
    self.maximumDelay = maximumDelay
    self.deadline = deadline
    self.perTryTimeout = perTryTimeout
    self.addsIdempotencyKey = addsIdempotencyKey
  }

  /// Request Timeout, Too Early, Too Many Requests, Internal Server Error, Bad Gateway, Service Unavailable, Gateway Timeout.
  public static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// Returns the worth of an outcome under these rules.
  public func verdict(on outcome: AttemptOutcome) -> RetryAttempt.Verdict {
    switch outcome {
    case .abandoned: .abandoned
    case .response(let head) where statuses.contains(head.status): .transientFailure
    case .response(let head): head.status < 400 ? .success : .permanentFailure
    case .failure: outcome.errorCode.map(errors.contains) == true ? .transientFailure : .permanentFailure
    }
  }

  /// Whether a request may be sent more than once.
  ///
  /// - Parameters:
  ///   - request: what is sent.
  ///   - outcome: that of the attempt that failed; `nil` is to ask before any has.
  public func allowsRepeating(_ request: RetryRequest, after outcome: AttemptOutcome? = nil) -> Bool {
    guard request.isReplayable else { return false }
    return switch methods {
    case .idempotent: request.isIdempotent || outcome?.isWithoutEffect == true
    case .only(let methods): methods.contains(request.method)
    case .any: true
    }
  }

  /// The request as its attempts send it: with a new `Idempotency-Key`, where the rules add one and it has none.
  ///
  /// The value is a string of a structured field, as the IETF draft "The Idempotency-Key HTTP Header Field" has it.
  func keyed(_ request: URLRequest) -> URLRequest {
    guard addsIdempotencyKey, !RetryRequest(request).isIdempotent else { return request }
    var keyed = request
    keyed.setValue("\"\(UUID().uuidString)\"", forHTTPHeaderField: "Idempotency-Key")
    return keyed
  }

  /// How long to wait before a retry, or `nil` where the server asked for more than is allowed.
  ///
  /// - Parameters:
  ///   - backoff: what the policy asked for.
  ///   - retryAfter: what the server asked for.
  ///   - random: decides the spread.
  func delay(backoff: Duration, retryAfter: Duration?, random: inout RetryRandom) -> Duration? {
    let own = max(.zero, min(backoff, maximumDelay ?? backoff))
    guard case .respected(let limit) = self.retryAfter, let retryAfter else { return own }
    if let limit, retryAfter > limit { return nil }
    let wish = retryAfter.bounded
    let spread = wish * retryAfterSpread
    return max(own, wish + random.duration(to: spread.bounded))
  }
}

extension Set<URLError.Code> {
  /// The errors that may pass by themselves: the network or the server was not there, or broke off.
  ///
  /// A certificate that is refused, an address that makes no sense or a request that was cancelled stays as it is.
  public static let transient: Set<URLError.Code> = [
    .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
    .notConnectedToInternet, .badServerResponse, .secureConnectionFailed, .internationalRoamingOff, .callIsActive,
    .dataNotAllowed,
  ]

  /// The errors of a request of which no byte was sent: there was no network, no name or no connection.
  public static let unsent: Set<URLError.Code> = [
    .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .internationalRoamingOff,
    .callIsActive, .dataNotAllowed,
  ]
}
