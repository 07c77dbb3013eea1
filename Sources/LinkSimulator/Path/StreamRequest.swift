/// One request for a path to carry: its host, its kind of connection, and its faults.
///
/// The simulator handles byte counts, not bytes; the caller knows the contents.
public struct StreamRequest: Hashable, Sendable {
  /// How requests share connections.
  public enum HTTPVersion: String, CaseIterable, Hashable, Sendable {
    /// One request at a time on each of ``PathConfiguration/connectionsPerHost`` kept-alive connections.
    case http1 = "1.1"
    /// Requests to an origin share one connection, up to ``PathConfiguration/streamsPerConnection`` at a time.
    case http2 = "2"
    /// As ``http2``, but over QUIC: a request does not wait for other requests' lost packets.
    case http3 = "3"
  }

  /// Whether a request shares its connection.
  public enum ConnectionUse: String, CaseIterable, Hashable, Sendable {
    /// The request uses the shared connections to its host, as HTTP clients do.
    case pooled
    /// The request has one TCP connection for itself; the path models no TLS on it.
    ///
    /// Both ends may send at any time. A direction ends with its FIN, reported by ``PathEvent/Kind/requestReceived`` or
    /// ``PathEvent/Kind/responseReceived``; the request ends after both.
    case own
    /// As ``own``, but the connection exists from the beginning, without a handshake.
    case standing
  }

  /// Whether an HTTP/1.1 connection continues after a response.
  public enum Persistence: Hashable, Sendable {
    /// The connection is kept for further requests (RFC 9112, 9.3).
    case kept
    /// The client closes it after the complete response, as with `Connection: close` (RFC 9112, 9.6).
    case closed
    /// The server closes it with a FIN, which marks the end of the response (RFC 9112, 6.3).
    case endOfResponse
  }

  /// The request's key in random draws, and its order at equal times; equal requests have equal keys.
  public var key: UInt64
  /// The host's name or address.
  public var host: String
  /// The port.
  public var port: Int
  /// Whether a TLS 1.3 handshake follows the TCP handshake.
  public var isSecure: Bool
  /// The version of HTTP, which decides how the request shares connections.
  public var version: HTTPVersion
  /// Whether the request shares its connection.
  public var use: ConnectionUse
  /// How many bytes the request's head has; ``PathConditions/Model/devTools`` limits the rate of the body only.
  public var headBytes: Int64
  /// The response's priority, as the client asks for it in HTTP/2 and HTTP/3; `nil` without one.
  ///
  /// Servers follow it under ``PathConfiguration/Scheduling/fair`` only: nginx 1.22 and quic-go 0.29 ignore it.
  public var priority: ResponsePriority?
  /// Whether the host's name must be looked up first; not needed for an address.
  public var needsResolution: Bool
  /// The faults injected into this request, in addition to the link's random impairments.
  public var faults: [StreamFault]
  /// A number that the caller chooses; every event of the request carries it.
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

/// A fault injected into one request.
///
/// Bytes are counted over head and body together, as the receiving application reads them.
public enum StreamFault: Hashable, Sendable {
  /// The host's name does not exist; the client learns it after the look-up's round trip.
  case resolutionFailure
  /// The server answers the SYN with a reset, after one round trip. Forces a new connection.
  case refused
  /// No SYN is ever answered. Forces a new connection.
  case unreachable
  /// The TLS handshake fails at the time when it would have succeeded. Forces a new connection.
  case handshakeFailure
  /// The connection is reset once `bytes` have been received in `direction` (`up`: by the server).
  /// All requests on the connection fail, in HTTP/2 too: routers know no streams.
  case reset(direction: Direction, afterBytes: Int64)
  /// Delivery of the response pauses after `bytes`, for `duration` or for ever.
  case stall(afterBytes: Int64, duration: Duration?)
  /// The server closes the connection with a FIN after `bytes` of the response, even if others share it.
  case truncation(afterBytes: Int64)
  /// The client learns only after `delay` that the complete response has ended.
  case slowClose(delay: Duration)
  /// From this request on, the server closes the connection after it has been idle for `after`.
  case idleClose(after: Duration)
  /// From this request on, a middlebox forgets the connection after the time `after` without a packet.
  /// It drops all later packets silently.
  case idleForget(after: Duration)
  /// The server stops serving the connection with this request (GOAWAY) and serves earlier ones to their end.
  /// No effect in HTTP/1.1.
  case goAway
  /// The server resets this request's stream after `bytes` of the response (RST_STREAM).
  /// In HTTP/1.1, which has no streams, it resets the connection.
  case streamReset(afterBytes: Int64)

  /// The same fault for a message that starts `bytes` later in its direction of the connection.
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

/// The identifier of a request in its simulator, numbered in the order of opening.
public struct StreamID: Hashable, Sendable {
  /// The number, from 0.
  public let number: Int
  /// The number that the caller gave the request: ``StreamRequest/owner``.
  public let owner: Int

  /// Creates the ID with this number.
  public init(number: Int, owner: Int = 0) {
    self.number = number
    self.owner = owner
  }
}
