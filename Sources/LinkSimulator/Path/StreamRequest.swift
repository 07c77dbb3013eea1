/// One request that wants to travel over a path: where to, over what, and what goes wrong with it.
///
/// The simulator moves counts of bytes, never bytes: what they are is known to whoever asks.
public struct StreamRequest: Hashable, Sendable {
  /// How requests share connections.
  public enum HTTPVersion: String, CaseIterable, Hashable, Sendable {
    /// One request at a time on a connection, kept alive, up to six connections for each host.
    case http1 = "1.1"
    /// Every request to an origin on one connection, up to 100 at a time.
    case http2 = "2"
    /// As ``http2``, over QUIC: requests do not wait for each other's lost packets.
    case http3 = "3"
  }

  /// Whose the connection is that a request travels on.
  public enum ConnectionUse: String, CaseIterable, Hashable, Sendable {
    /// One of those that the requests to a host share, as clients of HTTP have them.
    case pooled
    /// Its own: the request is all that one TCP connection carries, in clear text as far as the path knows.
    ///
    /// Both ends may speak at any time. A direction ends with its FIN, which ``PathEvent/Kind/requestReceived`` and
    /// ``PathEvent/Kind/responseReceived`` tell; the request is over once both have.
    case own
    /// Its own, and it stands from the beginning: no packet is sent to make it.
    case standing
  }

  /// How a connection of HTTP/1.1 goes on after a response.
  public enum Persistence: Hashable, Sendable {
    /// It is kept for further requests (RFC 9112, 9.3).
    case kept
    /// Its client closes it once the response is whole, as after `Connection: close` (RFC 9112, 9.6).
    case closed
    /// Its server closes it in good order, and that ends the response (RFC 9112, 6.3).
    case endOfResponse
  }

  /// Identifies the request in every draw of chance and breaks ties of time: equal for equal requests.
  public var key: UInt64
  /// The host's name or address.
  public var host: String
  /// The port.
  public var port: Int
  /// Whether a TLS 1.3 handshake follows the TCP handshake.
  public var isSecure: Bool
  /// How the request shares connections.
  public var version: HTTPVersion
  /// Whose the connection is.
  public var use: ConnectionUse
  /// How many bytes the head of the request has; where rates hold bodies back alone (``PathConditions/Model/devTools``), that
  /// tells one from the other.
  public var headBytes: Int64
  /// What the client says of the response's place among others, in HTTP/2 and HTTP/3; `nil` where it says nothing.
  ///
  /// A server heeds it under ``PathConfiguration/Scheduling/fair`` alone: nginx 1.22 and quic-go 0.29 do not.
  public var priority: ResponsePriority?
  /// Whether the host must be looked up first; an address need not be.
  public var needsResolution: Bool
  /// The faults that strike this request by decree, beside what the link does by chance.
  public var faults: [StreamFault]
  /// A number of the asker's own, which comes back with every event of the request.
  public var owner: Int

  /// Creates a request.
  public init(
    key: UInt64, host: String, port: Int, isSecure: Bool = false, version: HTTPVersion = .http1,
    use: ConnectionUse = .pooled, headBytes: Int64 = 0, priority: ResponsePriority? = nil,
    needsResolution: Bool = false, faults: [StreamFault] = [], owner: Int = 0
  ) {
    self.key = key
    self.host = host
    self.port = port
    self.isSecure = isSecure
    self.version = version
    self.use = use
    self.headBytes = headBytes
    self.priority = priority
    self.needsResolution = needsResolution
    self.faults = faults
    self.owner = owner
  }
}

/// Something adverse that happens to one request by decree.
///
/// Byte counts are of the stream: head and body together, as the receiver's application reads them in order.
public enum StreamFault: Hashable, Sendable {
  /// The name does not resolve; known after the look-up's round trip.
  case resolutionFailure
  /// The server answers the SYN with a reset: connection refused, after one round trip. Forces a new connection.
  case refused
  /// Nothing ever answers the SYN. Forces a new connection.
  case unreachable
  /// The TLS handshake fails, after the round trip in which it would have succeeded. Forces a new connection.
  case handshakeFailure
  /// A reset of the connection reaches the client once `bytes` have been received in `direction` (`up`: by the server).
  /// All requests on the connection fail with it, in HTTP/2 too: routers know of no streams.
  case reset(direction: Direction, afterBytes: Int64)
  /// After `bytes` of the response, nothing more of it is delivered for `duration`, or for ever.
  case stall(afterBytes: Int64, duration: Duration?)
  /// The server closes the connection in good order after `bytes` of the response, whatever else is on it.
  case truncation(afterBytes: Int64)
  /// The response is complete, but the end of it is only known after `delay`.
  case slowClose(delay: Duration)
  /// From then on, the server closes the connection once it has been idle for so long.
  case idleClose(after: Duration)
  /// From then on, a middlebox forgets the connection once no packet of it has come by for so long, and drops in
  /// silence what comes then.
  case idleForget(after: Duration)
  /// The server serves the requests before this one, and no more on the connection (GOAWAY). HTTP/1.1 has nothing like
  /// it.
  case goAway
  /// The server gives this request up after `bytes` of the response, and its connection goes on (RST_STREAM); over
  /// HTTP/1.1, which has no such thing, the connection is reset.
  case streamReset(afterBytes: Int64)
}

extension StreamFault {
  /// The same fault of a message that begins behind so many bytes of its direction.
  package func shifted(by bytes: Int64) -> StreamFault {
    switch self {
    case .reset(let direction, let place): .reset(direction: direction, afterBytes: place.saturatingAdd(bytes))
    case .stall(let place, let duration): .stall(afterBytes: place.saturatingAdd(bytes), duration: duration)
    case .truncation(let place): .truncation(afterBytes: place.saturatingAdd(bytes))
    case .streamReset(let place): .streamReset(afterBytes: place.saturatingAdd(bytes))
    case .resolutionFailure, .refused, .unreachable, .handshakeFailure, .slowClose, .idleClose, .idleForget, .goAway:
      self
    }
  }
}

/// The number of a request within its simulator, in the order in which they were opened.
public struct StreamID: Hashable, Comparable, Sendable {
  /// The number, from 0.
  public let number: Int
  /// The number that the asker gave the request: ``StreamRequest/owner``.
  public let owner: Int

  /// Creates the ID with this number.
  public init(number: Int, owner: Int = 0) {
    self.number = number
    self.owner = owner
  }

  /// Whether `lhs` was opened before `rhs`.
  public static func < (lhs: StreamID, rhs: StreamID) -> Bool {
    lhs.number < rhs.number
  }
}
