/// One event of one TCP packet, with the state of its sender and of the link's queue.
public struct PacketRecord: Hashable, Sendable {
  /// The events of a packet.
  public enum Kind: Hashable, Sendable {
    /// The sender handed the packet to the link for the first time.
    case sent
    /// The sender handed bytes to the link again.
    case retransmitted
    /// The packet arrived at the receiver.
    case arrived
    /// The packet was lost: on sending if the queue was full, otherwise when its last bit had left.
    case lost(PacketLoss)
  }

  /// When the event happened.
  public var time: SimulatedInstant
  /// The index of the packet's connection in ``PacketLog/connections``.
  public var connection: Int32
  /// The direction in which the packet travels.
  public var direction: Direction
  /// What happened to the packet.
  public var kind: Kind
  /// How many bytes of its connection and direction precede the packet's, including TLS and HTTP/2 framing.
  public var firstByte: Int64
  /// How many payload bytes the packet carries; 0 for a pure acknowledgement, SYN, SYN-ACK and RST.
  public var length: Int32
  /// How many bytes have been acknowledged when the event happened.
  ///
  /// For a sent or lost packet they are bytes of `direction`. For an arrived one they are bytes of the opposite
  /// direction, which the packet acknowledges.
  public var acknowledged: Int64
  /// The congestion window, in segments, of the sender whose bytes ``acknowledged`` counts.
  public var congestionWindow: Int32
  /// How many segments that sender counts as in flight.
  public var inFlight: Int32
  /// How many packets wait in the link's queue, without the one being sent.
  public var queue: Int32
}

/// The recorded packet events of a path; a limit bounds their number.
public struct PacketLog: Hashable, Sendable {
  /// A TCP connection.
  public struct Connection: Hashable, Sendable {
    /// The server's name or address.
    public var host: String
    /// The server's port.
    public var port: Int
    /// The connection's number among those to this host and port (``StreamStatistics/connection``).
    public var number: Int

    /// Creates the identification of a connection.
    public init(host: String, port: Int, number: Int) {
      self.host = host
      self.port = port
      self.number = number
    }
  }

  /// The recorded connections, in the order of opening.
  public let connections: [Connection]
  /// The events of all packets, ordered by time.
  public let records: [PacketRecord]
  /// How many of the oldest records were dropped to bound memory.
  public let dropped: Int

  /// Returns the records of one connection from `start` to `end`, both included.
  ///
  /// - Returns: an empty array if the log has no such connection.
  public func records(
    of connection: Int, host: String, port: Int, from start: SimulatedInstant = .zero,
    to end: SimulatedInstant = .distantFuture
  ) -> [PacketRecord] {
    let wanted = Connection(host: host, port: port, number: connection)
    guard let place = connections.lastIndex(of: wanted) else { return [] }
    return records.filter { $0.connection == Int32(place) && start <= $0.time && $0.time <= end }
  }
}
