/// What a whole network does at one time: both directions, name resolution, and whether it is out.
public struct PathConditions: Hashable, Sendable {
  /// How a network is out.
  public enum Outage: String, CaseIterable, Hashable, Sendable {
    /// Packets vanish in both directions, and nobody is told: retransmission timers back off, as in a tunnel.
    case drop
    /// The system knows that it is offline: new requests fail at once, and open ones lose their connection.
    case refuse
  }

  /// From the server to the client.
  public var down: LinkConditions
  /// From the client to the server.
  public var up: LinkConditions
  /// What the resolver adds to the round trip of a name look-up, never negative: that is a precondition.
  public var dnsDelay: Duration { didSet { LinkConditions.check(dnsDelay) } }
  /// How the network is out, or `nil` when it is not.
  public var outage: Outage?

  /// A network without a limit, a delay or a loss.
  public static let unlimited = PathConditions()

  /// Creates the conditions of a network.
  public init(
    down: LinkConditions = .unlimited, up: LinkConditions = .unlimited, dnsDelay: Duration = .zero,
    outage: Outage? = nil
  ) {
    LinkConditions.check(dnsDelay)
    self.down = down
    self.up = up
    self.dnsDelay = dnsDelay
    self.outage = outage
  }

  /// The conditions of one direction.
  public subscript(direction: Direction) -> LinkConditions {
    get { direction == .up ? up : down }
    set { if direction == .up { up = newValue } else { down = newValue } }
  }
}

/// One of the two directions of a network, as the client sees it.
public enum Direction: String, CaseIterable, Hashable, Sendable {
  /// From the client to the server.
  case up
  /// From the server to the client.
  case down
}
