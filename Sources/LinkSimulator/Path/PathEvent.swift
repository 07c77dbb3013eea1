/// Something that happened on a path.
public struct PathEvent: Hashable, Sendable {
  /// When it happened; never before the event that was reported last.
  public var time: SimulatedInstant
  /// Which request it happened to; `nil` for what happens to the path as a whole.
  public var stream: StreamID?
  /// The thing that happened.
  public var kind: Kind

  /// Creates an event.
  public init(time: SimulatedInstant, stream: StreamID?, kind: Kind) {
    self.time = time
    self.stream = stream
    self.kind = kind
  }

  /// The things that can happen on a path.
  public enum Kind: Hashable, Sendable {
    /// The name was resolved, from the cache or by a look-up.
    case resolved(cached: Bool)
    /// The connection stands; `reused` when it stood before.
    case connected(reused: Bool)
    /// It goes over TCP by HTTP/2, since QUIC is not to be had.
    case fellBack
    /// The TLS handshake is done.
    case secured
    /// The last byte of the request was handed to the link for the first time.
    case requestSent
    /// TCP may soon have sent all that was handed in of this direction, and has ``PathSimulator/room(_:on:)`` for more.
    ///
    /// Only streams with a connection of their own say so, whose bytes come piece by piece.
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
    /// A segment of the request's connection was sent again.
    case retransmitted(Direction, Retransmission)
    /// Nothing has arrived although something is due: the retransmission timer ran out.
    case stalled
    /// Another phase of the schedule began.
    case phaseEntered(index: Int)
    /// The request has failed and is over.
    case failed(StreamFailure)
  }
}

/// Why a packet did not arrive.
public enum PacketLoss: String, CaseIterable, Hashable, Sendable {
  /// The queue was full.
  case queueFull
  /// The link lost it.
  case link
  /// It arrived damaged, and the receiver's checksum dropped it.
  case corruption
  /// The network was out.
  case outage
  /// A middlebox had forgotten the connection.
  case forgotten
  /// A middlebox lets no UDP pass, or not so much (``PathConditions/UDP``).
  case blocked
}

/// The cause for which a sender sent a segment again.
public enum Retransmission: String, Hashable, Sendable {
  /// Loss was detected from acknowledgements.
  case fast
  /// The retransmission timer ran out.
  case timeout
  /// A tail loss probe.
  case probe
}

/// Why a request failed on the path.
public enum StreamFailure: String, CaseIterable, Hashable, Sendable {
  /// The system knows that it is offline.
  case offline
  /// The system went offline while the request was under way.
  case connectionLost
  /// The name does not resolve.
  case resolutionFailed
  /// The resolver did not answer.
  case resolutionTimedOut
  /// The server refused the connection.
  case refused
  /// Nothing answered the SYN and all of its repetitions.
  case connectTimedOut
  /// The TLS handshake failed.
  case handshakeFailed
  /// The connection was reset.
  case reset
  /// The server closed the connection before the response was complete.
  case truncated
  /// The server takes in no more requests on the connection, and did not take in this one.
  case notServed
  /// The server gave this request up, and not its connection.
  case streamReset
  /// The connection gave up after its last retransmission.
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

    /// Adds what others have counted.
    package mutating func add(_ other: Counters) {
      packets += other.packets
      bytes += other.bytes
      lost += other.lost
      retransmissions += other.retransmissions
    }
  }

  /// From the client to the server.
  public var up = Counters()
  /// From the server to the client.
  public var down = Counters()
  /// The number of the connection, among those to the same host and port; `nil` before there is one.
  public var connection: Int?

  /// Creates statistics at zero.
  public init() {}

  /// Adds what one direction has counted.
  mutating func add(_ counters: Counters, _ direction: Direction) {
    if direction == .up { up.add(counters) } else { down.add(counters) }
  }
}
