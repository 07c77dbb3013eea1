/// One thing that happened to one TCP packet, as somebody sees it who stands at its sender and at its receiver.
public struct PacketRecord: Hashable, Sendable {
  /// The things that can happen to a packet.
  public enum Kind: Hashable, Sendable {
    /// It was handed to the link for the first time.
    case sent
    /// Its bytes were handed to the link again.
    case retransmitted
    /// It arrived at the other end.
    case arrived
    /// It was lost: at a full queue when it was sent, by the link or in an outage when its last bit had left.
    case lost(PacketLoss)
  }

  /// When it happened.
  public var time: SimulatedInstant
  /// The place of its connection in ``PacketLog/connections``.
  public var connection: Int32
  /// Which way the packet goes.
  public var direction: Direction
  /// The thing that happened to the packet.
  public var kind: Kind
  /// The number of bytes of its connection and direction before its own, TLS and HTTP/2 included.
  public var firstByte: Int64
  /// How many bytes it carries; 0 for an acknowledgement alone, for SYN, SYN-ACK and RST.
  public var length: Int32
  /// How many bytes are acknowledged: of `direction` when it is sent or lost; of the other one when it has arrived,
  /// since that is what an arrival tells its receiver.
  public var acknowledged: Int64
  /// The congestion window in segments, of the sender that ``acknowledged`` is about.
  public var congestionWindow: Int32
  /// How many segments that sender takes to be in the network.
  public var inFlight: Int32
  /// How many packets wait in the queue of the packet's link, the one being sent not among them.
  public var queue: Int32
}

/// A record of everything that happened to the packets of a path, within bounds.
public struct PacketLog: Hashable, Sendable {
  /// A TCP connection.
  public struct Connection: Hashable, Sendable {
    /// The server's name or address.
    public var host: String
    /// The server's port.
    public var port: Int
    /// Which of the connections to this host and port it is (``StreamStatistics/connection``).
    public var number: Int

    /// Creates a name of a connection.
    public init(host: String, port: Int, number: Int) {
      self.host = host
      self.port = port
      self.number = number
    }
  }

  /// The connections that there were, in the order in which they were opened.
  public let connections: [Connection]
  /// The events of all packets, in the order of the times.
  public let records: [PacketRecord]
  /// How many of the oldest records were dropped to keep memory bounded.
  public let dropped: Int

  /// The records of a connection between two times, both included.
  ///
  /// - Returns: nothing when the log has no such connection.
  public func records(
    of connection: Int, host: String, port: Int, from start: SimulatedInstant = .zero,
    to end: SimulatedInstant = .distantFuture
  ) -> [PacketRecord] {
    let wanted = Connection(host: host, port: port, number: connection)
    guard let place = connections.lastIndex(of: wanted) else { return [] }
    return records.filter { $0.connection == Int32(place) && start <= $0.time && $0.time <= end }
  }
}
