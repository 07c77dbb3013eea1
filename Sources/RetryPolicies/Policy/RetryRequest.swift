public import URLLoading

/// The facts about a request that a policy may know, and its attempts so far.
public struct RetryRequest: Sendable {
  /// The method, in capitals.
  public let method: String
  /// The server's name, in lower case; empty where the URL has none.
  ///
  /// State that is shared per server goes by it.
  public let host: String
  /// Whether sending it twice does no more than sending it once.
  ///
  /// True of the methods that RFC 9110, section 9.2.2, calls idempotent, and of any request with an `Idempotency-Key`
  /// header that is not empty, by which servers recognise a repetition (IETF draft "The Idempotency-Key HTTP Header Field").
  public let isIdempotent: Bool
  /// Whether its body can be sent again: a body that is a stream has run out after the first attempt.
  public let isReplayable: Bool
  /// When it was begun, since the origin of the client's time.
  public let start: Duration
  /// The attempts that have ended, in the order of their ends.
  public internal(set) var attempts: [RetryAttempt]
  /// The attempts that have started and not ended, in the order of their starts.
  public internal(set) var underWay: [AttemptPlan]

  /// Creates a description of a request.
  public init(
    method: String = "GET", host: String = "", isIdempotent: Bool? = nil, isReplayable: Bool = true,
    start: Duration = .zero, attempts: [RetryAttempt] = [], underWay: [AttemptPlan] = []
  ) {
    self.method = method.uppercased()
    self.host = host.lowercased()
    self.isIdempotent = isIdempotent ?? Self.idempotentMethods.contains(method.uppercased())
    self.isReplayable = isReplayable
    self.start = start
    self.attempts = attempts
    self.underWay = underWay
  }

  /// Describes a `URLRequest`.
  public init(_ request: URLRequest, start: Duration = .zero) {
    let method = (request.httpMethod ?? "GET").uppercased()
    let key = request.value(forHTTPHeaderField: "Idempotency-Key") ?? ""
    let hasKey = !key.trimmingCharacters(in: .whitespaces).isEmpty
    self.init(
      method: method, host: request.url?.host ?? "",
      isIdempotent: hasKey || Self.idempotentMethods.contains(method),
      isReplayable: request.httpBodyStream == nil, start: start)
  }

  /// The methods that RFC 9110, section 9.2.2, calls idempotent.
  public static let idempotentMethods = HTTPMethods.idempotent
}
