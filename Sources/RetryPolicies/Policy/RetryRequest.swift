public import URLLoading

/// The facts about a request that a policy gets to see, and the request's attempts so far.
public struct RetryRequest: Sendable {
  /// The method, in capitals.
  public let method: String
  /// The server's name, in lower case; empty where the URL has none.
  ///
  /// It is the key of state that is kept per server.
  public let host: String
  /// Whether sending the request twice has the same effect as sending it once.
  ///
  /// True for the methods that RFC 9110, section 9.2.2, calls idempotent, and for requests with a non-empty `Idempotency-Key`.
  /// Servers recognise a repetition by it (IETF draft "The Idempotency-Key HTTP Header Field").
  public let isIdempotent: Bool
  /// Whether the body can be sent again: a stream is consumed by the first attempt.
  public let isReplayable: Bool
  /// When the request began, since the origin of the client's time.
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
    self.isIdempotent = isIdempotent ?? HTTPMethods.idempotent.contains(self.method)
    self.isReplayable = isReplayable
    self.start = start
    self.attempts = attempts
    self.underWay = underWay
  }

  /// Describes a `URLRequest`.
  public init(_ request: URLRequest, start: Duration = .zero) {
    self.init(request, host: nil, start: start)
  }

  init(_ request: URLRequest, host: String?, start: Duration) {
    let key = request.value(forHTTPHeaderField: "Idempotency-Key") ?? ""
    let hasKey = key.utf8.contains { !" \t\"".utf8.contains($0) }
    self.init(
      method: request.httpMethod ?? "GET", host: host ?? request.url?.host ?? "", isIdempotent: hasKey ? true : nil,
      isReplayable: request.httpBodyStream == nil, start: start)
  }
}
