/// Something that happened on a path.
public struct PathEvent: Hashable, Sendable {
  /// When it happened; never earlier than the previously reported event.
  public var time: SimulatedInstant
  /// The request to which it happened; `nil` when it concerns the whole path.
  public var stream: StreamID?
  /// What happened.
  public var kind: Kind

  /// Creates an event.
  public init(time: SimulatedInstant, stream: StreamID?, kind: Kind) {
    self.time = time
    self.stream = stream
    self.kind = kind
  }

  /// The things that can happen on a path.
  public enum Kind: Hashable, Sendable {
    /// The host's name was resolved; `cached` when it was in the resolver's cache.
    case resolved(cached: Bool)
    /// The request has a connection; `reused` when an earlier request opened it.
    case connected(reused: Bool)
    /// The request falls back to HTTP/2 over TCP, since QUIC is not available.
    case fellBack
    /// The TLS handshake is done.
    case secured
    /// The last byte of the request was handed to the link for the first time.
    case requestSent
    /// TCP has sent nearly all bytes handed in for this direction, and has ``PathSimulator/room(_:on:)`` for more.
    ///
    /// Reported only for streams with their own connection, which receive their bytes piece by piece.
    case wanting(Direction)
    /// The server has read this many bytes of the request in all, in order.
    case uploaded(total: Int64)
    /// The server has read the whole request.
    case requestReceived
    /// The client can read `count` more bytes of the response, in order.
    case received(count: Int64)
    /// The client has read the whole response.
    case responseReceived
    /// A packet of the request's connection was lost.
    case packetLost(Direction, PacketLoss)
    /// A sender on the request's connection retransmitted a packet.
    case retransmitted(Direction, Retransmission)
    /// The retransmission timer expired: an acknowledgement that was due has not arrived.
    case stalled
    /// Another phase of the schedule began.
    case phaseEntered(index: Int)
    /// The request has failed and is over.
    case failed(StreamFailure)
  }
}

/// Why a packet did not arrive.
public enum PacketLoss: String, CaseIterable, Hashable, Sendable {
  /// The link's queue was full.
  case queueFull
  /// The link's loss model dropped the packet.
  case link
  /// The packet arrived corrupted, and the receiver's checksum rejected it.
  case corruption
  /// The network had an outage.
  case outage
  /// A middlebox had forgotten the connection after a time without packets.
  case forgotten
  /// A middlebox blocks UDP, or the packet exceeded its rate limit (``PathConditions/UDP``).
  case blocked
}

/// The reason for a retransmission.
public enum Retransmission: String, Hashable, Sendable {
  /// Loss was detected from acknowledgements.
  case fast
  /// The retransmission timer ran out.
  case timeout
  /// The sender sent a tail loss probe.
  case probe
}

/// Why a request failed on the path.
public enum StreamFailure: String, CaseIterable, Hashable, Sendable {
  /// The system was offline when the request began.
  case offline
  /// The connection was lost: the system went offline, or the device changed its address or suspended the app.
  case connectionLost
  /// The host's name does not exist.
  case resolutionFailed
  /// The resolver did not answer.
  case resolutionTimedOut
  /// The server refused the connection.
  case refused
  /// Neither the SYN nor any of its retransmissions was answered.
  case connectTimedOut
  /// The TLS handshake failed.
  case handshakeFailed
  /// The connection was reset.
  case reset
  /// The server closed the connection before the response was complete.
  case truncated
  /// The server sent GOAWAY on the connection, and did not process this request.
  case notServed
  /// The server reset this request's stream; the connection stays open.
  case streamReset
  /// The sender gave up after its last retransmission.
  case retransmissionsExhausted
}

/// The cost of one request so far: its packets and bytes in both directions, and its connection.
public struct StreamStatistics: Hashable, Sendable {
  /// The packets and bytes that one direction has carried for a request.
  public struct Counters: Hashable, Sendable {
    /// Packets handed to the link, lost ones included.
    public var packets: Int64 = 0
    /// Bytes handed to the link, with IP and TCP or UDP headers.
    public var bytes: Int64 = 0
    /// Packets lost by the link, by a full queue or by an outage.
    public var lost: Int64 = 0
    /// Segments sent again.
    public var retransmissions: Int64 = 0

    /// Creates counters at zero.
    public init() {}

    package mutating func add(_ other: Counters) {
      packets += other.packets
      bytes += other.bytes
      lost += other.lost
      retransmissions += other.retransmissions
    }
  }

  /// The cost from the client to the server.
  public var up = Counters()
  /// The cost from the server to the client.
  public var down = Counters()
  /// The connection's number among those to the same host and port; `nil` before there is a connection.
  public var connection: Int?

  /// Creates statistics at zero.
  public init() {}

  mutating func add(_ counters: Counters, _ direction: Direction) {
    if direction == .up { up.add(counters) } else { down.add(counters) }
  }
}
