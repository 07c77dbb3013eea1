/// An adverse event that a rule or a schedule inflicts on a request.
///
/// Numbers of bytes are counted in the stream, head and body together; `corrupt` and `shorten` count in the body.
public enum RequestFault: Hashable, Sendable {
  /// The host's name does not resolve; nothing happens to a request to an address.
  case dnsFailure
  /// The server refuses the connection, after one round trip.
  case refused
  /// Nothing ever answers the attempt to connect.
  case connectTimeout
  /// The TLS handshake fails; nothing happens to a request without TLS.
  case tlsFailure
  /// The connection is reset once this much has been received in a direction (`up`: by the server, which never has more
  /// of the request), and ends all other requests on it: over HTTP/2 (any `https` URL) all that goes to that host.
  case reset(after: BytePosition, direction: Direction = .down)
  /// After this much of the response, nothing more arrives for a time, or for ever (`nil`).
  case stall(after: BytePosition, duration: Duration? = nil)
  /// The server closes the connection in good order after this much of the response: the request fails, unless the body
  /// was to end so (``BodyFraming/untilClose``); what else is on the connection fails as after a reset.
  case truncate(after: BytePosition)
  /// The byte at this position of the response's body, counted from 0, has all its bits flipped. Over TLS the connection
  /// ends instead, without the record that the byte is in (RFC 8446, 5.2).
  case corrupt(at: BytePosition)
  /// The response is complete, but its end is only known after a time, whatever tells it (``BodyFraming``).
  case slowClose(delay: Duration)
  /// The server closes the request's connection once it has been idle for this time, counted from the end of a response: a
  /// request that is on its way by then fails (`networkConnectionLost`), a later one finds a connection of its own.
  case idleClose(after: Duration)
  /// A middlebox forgets the request's connection once no packet has come by for this time, and drops in silence what is
  /// sent on it from then on: requests on it end with their client's time limit.
  case idleForget(after: Duration)
  /// The server serves no more requests on this one's connection, and not this one (GOAWAY; HTTP/2 alone): libraries send it
  /// again on another, those before it end as they would.
  case goAway
  /// The server gives this request up after so much of the response, and its connection goes on with the others (RST_STREAM;
  /// HTTP/2 alone).
  case resetStream(after: BytePosition)
  /// The response comes so many bytes at a time, and nothing for a while after each; after 100 pauses the rest comes at once.
  case drip(bytes: Int, pause: Duration)
  /// The server answers with this status instead. It may say when to try again, and send a web page as the body.
  ///
  /// The next requests that the rule is for get the same answer, so many in a row as `times` says.
  case status(code: Int, retryAfter: Duration? = nil, page: String? = nil, times: Int = 1)
  /// The response's body is no longer than this, and its `Content-Length` says so: nobody on the way can tell.
  case shorten(to: BytePosition)
  /// The server answers with a redirect (302) to this place instead: to nowhere with `"about:invalid"`, which nobody follows.
  case redirect(to: String)
  /// The request sets out later.
  case delay(Duration)

  /// The fault with all that it says and does.
  var value: any Fault {
    switch self {
    case .dnsFailure: DNSFailure()
    case .refused: Refusal()
    case .connectTimeout: ConnectTimeout()
    case .tlsFailure: TLSFailure()
    case .reset(let place, let direction): Reset(place: place, direction: direction)
    case .stall(let place, let duration): Stall(place: place, duration: duration)
    case .truncate(let place): Truncation(place: place)
    case .corrupt(let place): FlippedByte(place: place)
    case .slowClose(let delay): SlowClose(delay: delay)
    case .idleClose(let time): IdleClose(time: time)
    case .idleForget(let time): IdleForget(time: time)
    case .goAway: GoAway()
    case .resetStream(let place): StreamReset(place: place)
    case .drip(let bytes, let pause): Drip(bytes: bytes, pause: pause)
    case .status(let code, let wait, let page, let times):
      StatusAnswer(code: code, wait: wait, page: page, times: times)
    case .shorten(let place): Shortening(place: place)
    case .redirect(let location): Redirection(location: location)
    case .delay(let delay): LateStart(delay: delay)
    }
  }
}

/// All faults of a request by their keys in a profile, in the order in which errors list them.
enum FaultKind: String, CaseIterable {
  case dnsFailure, refused, connectTimeout, tlsFailure, reset, stall, truncate, corrupt, slowClose, idleClose
  case idleForget, goAway, resetStream, drip
  case status, shorten, redirect, delay

  var type: any Fault.Type {
    switch self {
    case .dnsFailure: DNSFailure.self
    case .refused: Refusal.self
    case .connectTimeout: ConnectTimeout.self
    case .tlsFailure: TLSFailure.self
    case .reset: Reset.self
    case .stall: Stall.self
    case .truncate: Truncation.self
    case .corrupt: FlippedByte.self
    case .slowClose: SlowClose.self
    case .idleClose: IdleClose.self
    case .idleForget: IdleForget.self
    case .goAway: GoAway.self
    case .resetStream: StreamReset.self
    case .drip: Drip.self
    case .status: StatusAnswer.self
    case .shorten: Shortening.self
    case .redirect: Redirection.self
    case .delay: LateStart.self
    }
  }
}

extension RequestFault: CustomStringConvertible {
  /// The fault in words, such as `connection reset after 1200 bytes down`.
  public var description: String { value.words }
}

extension RequestFault {
  var times: Int {
    if case .status(_, _, _, let times) = self { times } else { 1 }
  }

  var alone: RequestFault {
    if case .status(let code, let wait, let page, _) = self {
      .status(code: code, retryAfter: wait, page: page)
    } else {
      self
    }
  }

  package var weaker: [RequestFault] { value.weaker }

  package var rounder: [RequestFault] { value.rounder.map(\.requestFault) }
}
