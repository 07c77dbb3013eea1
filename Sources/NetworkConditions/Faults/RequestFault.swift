/// An adverse event that a rule or a schedule inflicts on a request.
///
/// Byte positions count in the stream, head and body together. Those of `corrupt` and `shorten` count in the body.
public enum RequestFault: Hashable, Sendable {
  /// The host's name does not resolve. Has no effect on a request to an IP address.
  case dnsFailure
  /// The server refuses the connection after one round trip.
  case refused
  /// The attempt to connect gets no answer.
  case connectTimeout
  /// The TLS handshake fails. Has no effect on a request without TLS.
  case tlsFailure
  /// The connection is reset after this many bytes in a direction (`up`: bytes of the request at the server).
  ///
  /// All other requests on it fail, too: over HTTP/2 (any `https` URL) all requests to that host.
  case reset(after: BytePosition, direction: Direction = .down)
  /// After this many bytes of the response, nothing more arrives for a time, or ever (`nil`).
  case stall(after: BytePosition, duration: Duration? = nil)
  /// The server closes the connection after this many bytes of the response.
  ///
  /// The request fails, unless the connection's end marks the body's end (``BodyFraming/untilClose``). Other requests
  /// on the connection fail as after a reset.
  case truncate(after: BytePosition)
  /// All bits of this byte of the response's body are flipped; the first byte is 0.
  ///
  /// Over TLS the connection ends instead, before the byte's record (RFC 8446, 5.2).
  case corrupt(at: BytePosition)
  /// The response arrives completely, but the client learns of its end only after a delay, for every ``BodyFraming``.
  case slowClose(delay: Duration)
  /// The server closes the request's connection after this idle time, counted from the end of a response.
  ///
  /// A request that is on its way by then fails (`networkConnectionLost`). A later one opens a new connection.
  case idleClose(after: Duration)
  /// A middlebox forgets the request's connection after this time without packets, and then silently drops its packets.
  ///
  /// Requests on that connection end with their client's timeout.
  case idleForget(after: Duration)
  /// The server processes neither this request nor later ones on the connection (GOAWAY; only HTTP/2).
  ///
  /// HTTP libraries send them again on another connection. Earlier requests end normally.
  case goAway
  /// The server abandons this request after this many bytes of the response (RST_STREAM; only HTTP/2).
  ///
  /// The connection still serves its other requests.
  case resetStream(after: BytePosition)
  /// The response comes in pieces of `bytes`, each followed by a pause; after 100 pauses the rest comes at once.
  case drip(bytes: Int, pause: Duration)
  /// The server answers with this status instead, optionally with `Retry-After` and a web page as the body.
  ///
  /// `retryAfter` is written in seconds, `retryAfterDateIn` as the date when it has passed; both are rounded up. `times`
  /// matching requests in a row get this answer, this one included.
  case status(
    code: Int, retryAfter: Duration? = nil, retryAfterDateIn: Duration? = nil, page: String? = nil, times: Int = 1)
  /// The response's body is cut to this length, and its `Content-Length` matches, so that no client can tell.
  case shorten(to: BytePosition)
  /// The server answers with a redirect (302) instead; no client can follow one to `"about:invalid"`.
  case redirect(to: String)
  /// A shared cache answers a GET request with the last response to one with the same URL.
  ///
  /// The response has its `Age`, and the server gets no request. Such a cache keeps responses with the status 200 whose
  /// `Cache-Control`, `Expires` or `Last-Modified` shows how long they are fresh. It asks the server for the first
  /// request with a URL, for one with `Authorization`, and if `Cache-Control` says so. A write to the URL does not
  /// empty the cache: it may reach the server by another way.
  case stale
  /// The client's request is sent after this delay.
  case delay(Duration)

  var value: any Fault {
    switch self {
    case .dnsFailure: DNSFailure()
    case .refused: Refused()
    case .connectTimeout: ConnectTimeout()
    case .tlsFailure: TLSFailure()
    case .reset(let place, let direction): Reset(place: place, direction: direction)
    case .stall(let place, let duration): Stall(place: place, duration: duration)
    case .truncate(let place): Truncate(place: place)
    case .corrupt(let place): Corrupt(place: place)
    case .slowClose(let delay): SlowClose(delay: delay)
    case .idleClose(let time): IdleClose(time: time)
    case .idleForget(let time): IdleForget(time: time)
    case .goAway: GoAway()
    case .resetStream(let place): ResetStream(place: place)
    case .drip(let bytes, let pause): Drip(bytes: bytes, pause: pause)
    case .status(let code, let wait, let date, let page, let times):
      Status(code: code, wait: wait, date: date, page: page, times: times)
    case .shorten(let place): Shorten(place: place)
    case .redirect(let location): Redirect(location: location)
    case .stale: Stale()
    case .delay(let delay): Delay(delay: delay)
    }
  }
}

extension RequestFault: CustomStringConvertible {
  /// The fault in words, such as `connection reset after 1200 bytes down`.
  public var description: String { value.words }
}

extension RequestFault {
  var times: Int {
    if case .status(_, _, _, _, let times) = self { times } else { 1 }
  }

  var alone: RequestFault {
    if case .status(let code, let wait, let date, let page, _) = self {
      .status(code: code, retryAfter: wait, retryAfterDateIn: date, page: page)
    } else {
      self
    }
  }

  package var weaker: [RequestFault] { value.weaker }

  package var rounder: [RequestFault] { value.rounder.map(\.requestFault) }
}
