/// One packet of a path: which connection it travels on, in which direction, and its turn there.
///
/// A name depends on nothing but these, so it means the same packet in every run of one client, whatever happens to
/// others.
public struct PacketName: Hashable, Sendable {
  /// The host and port that the connection leads to, such as `api.example.com:443`, or, for a look-up, the host behind
  /// ``lookupPrefix``.
  public var origin: String
  /// The number of the connection among those to this origin, from 0.
  public var connection: Int
  /// Which way the packet goes.
  public var direction: Direction
  /// Its number among the packets of the connection in this direction, from 0; the first is a SYN or its answer.
  public var number: Int

  /// What stands before the host in the origin of a name look-up.
  public static let lookupPrefix = "dns "

  /// Creates the name of a packet.
  public init(origin: String, connection: Int = 0, direction: Direction, number: Int) {
    self.origin = origin
    self.connection = connection
    self.direction = direction
    self.number = number
  }
}

/// Something adverse that the link does to one packet.
public struct PacketFault: Hashable, Sendable {
  /// What can happen to a packet on its way.
  public enum Effect: Hashable, Sendable {
    /// It has used the link, and does not arrive.
    case lost
    /// It arrives so many nanoseconds later than the link's delay says; earlier when negative.
    case late(nanoseconds: Int64)
  }

  /// Which packet is meant.
  public var packet: PacketName
  /// What happens to it.
  public var effect: Effect

  /// Creates a fault.
  public init(_ effect: Effect, of packet: PacketName) {
    self.packet = packet
    self.effect = effect
  }
}

/// What decides what a link does to single packets.
public enum PacketChance: Hashable, Sendable {
  /// Loss and jitter are drawn by the seed, as the conditions say.
  case drawn
  /// They are drawn, and every adverse draw is written down: ``PathSimulator/packetFaults``.
  case recorded
  /// Nothing is drawn: these faults happen, and no others.
  case scheduled([PacketFault])
}
