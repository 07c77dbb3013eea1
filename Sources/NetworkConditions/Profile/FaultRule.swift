/// Something discrete and adverse that happens to requests that match, each time with a probability.
public struct FaultRule: Hashable, Sendable {
  /// Which requests are meant.
  public let match: RequestMatch
  /// How likely it is for each of them.
  public let probability: Probability
  /// What happens.
  public let kind: Kind

  /// Creates a rule.
  ///
  /// Delays must not be negative, a stall has a length, and a status is a number from 100 to 599: anything else is a
  /// mistake of the program, which stops it.
  public init(_ kind: Kind, match: RequestMatch = .any, probability: Probability = .one) {
    if let problem = kind.problem { preconditionFailure(problem) }
    self.match = match
    self.probability = probability
    self.kind = kind
  }

  /// What can go wrong with a request by decree.
  ///
  /// Numbers of bytes are counted in the stream, head and body together; `corrupt` alone counts in the body.
  public enum Kind: Hashable, Sendable {
    /// The host's name does not resolve; nothing happens to a request to an address.
    case dnsFailure
    /// The server refuses the connection, after one round trip.
    case refused
    /// Nothing ever answers the attempt to connect.
    case connectTimeout
    /// The TLS handshake fails; nothing happens to a request without TLS.
    case tlsFailure
    /// The connection is reset once this much has been received in a direction (`up`: by the server).
    case reset(after: BytePosition, direction: Direction = .down)
    /// After this much of the response, nothing more arrives for a time, or for ever (`nil`).
    case stall(after: BytePosition, duration: Duration? = nil)
    /// The server closes the connection in good order after this much of the response: the request fails, unless the body
    /// was to end so (``BodyFraming/untilClose``).
    case truncate(after: BytePosition)
    /// The byte at this position of the response's body, counted from 0, has all its bits flipped.
    case corrupt(at: BytePosition)
    /// The response is complete, but its end is only known after a time, whatever tells it (``BodyFraming``).
    case slowClose(delay: Duration)
    /// The server answers with this status instead, and may say when to try again.
    case status(code: Int, retryAfter: Duration? = nil)
    /// The request sets out later.
    case delay(Duration)
  }
}

extension FaultRule.Kind {
  /// What is wrong with the values, if anything is.
  var problem: String? {
    switch self {
    case .stall(_, let duration?) where duration.wholeNanoseconds <= 0: "a stall does not last \(duration)"
    case .slowClose(let delay) where delay < .zero, .delay(let delay) where delay < .zero:
      "a delay is never negative: \(delay)"
    case .status(let code, _) where !(100...599).contains(code): "\(code) is not a status; one is from 100 to 599"
    case .status(_, let wait?) where wait < .zero: "one cannot try again after \(wait)"
    default: nil
    }
  }
}

extension FaultRule.Kind: CustomStringConvertible {
  /// What happens, in words, such as `connection reset after 1200 bytes down`.
  public var description: String {
    switch self {
    case .dnsFailure: "name does not resolve"
    case .refused: "connection refused"
    case .connectTimeout: "connection never answered"
    case .tlsFailure: "TLS handshake fails"
    case .reset(let bytes, let direction): "connection reset \(bytes.words) \(direction.rawValue)"
    case .stall(let bytes, let duration?): "response stalls \(bytes.words) for \(duration.formatText)"
    case .stall(let bytes, nil): "response stalls \(bytes.words) for ever"
    case .truncate(let bytes): "response cut off \(bytes.words)"
    case .corrupt(let position): "byte \(position.bytes.map(String.init) ?? position.words) of the body corrupted"
    case .slowClose(let delay): "end of the response \(delay.formatText) late"
    case .status(let code, let wait?): "status \(code), retry after \(wait.formatText)"
    case .status(let code, nil): "status \(code)"
    case .delay(let delay): "request sets out \(delay.formatText) late"
    }
  }
}

extension FaultRule: CustomStringConvertible {
  /// The rule in words, such as `status 503 (2 %)`.
  public var description: String {
    probability == .one ? kind.description : "\(kind) (\(probability.formatText))"
  }
}
