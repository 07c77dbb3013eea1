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

  /// The word that stands before the host in the origin of a name look-up.
  public static let lookupPrefix = "dns "

  /// Creates the name of a packet.
  public init(origin: String, connection: Int = 0, direction: Direction, number: Int) {
    self.origin = origin
    self.connection = connection
    self.direction = direction
    self.number = number
  }
}

/// Something adverse that happened, or is to happen, to one packet; each impairment has its own.
public struct PacketEffect: Hashable, Sendable {
  /// How an effect is said.
  package enum Entry: Sendable {
    /// It happens or does not: one word.
    case happens(String)
    /// It has a length, and a word for either sign.
    case shifts(later: String, earlier: String)
  }

  /// Which impairment's doing it is.
  package let kind: ImpairmentKind
  /// In nanoseconds; 0 for what has no length.
  package let amount: Int64

  package init(_ kind: ImpairmentKind, _ amount: Int64 = 0) {
    self.kind = kind
    self.amount = amount
  }

  /// The effects that do less harm to the packet, the most harmless first.
  package var weaker: [PacketEffect] { kind.type.weaker(amount) }

  /// The effects of a packet's fate.
  static func all(in fate: PacketFate) -> [PacketEffect] {
    if fate == PacketFate() { return [] }
    return ImpairmentKind.allCases.compactMap { kind in
      kind.type.amount(in: fate).map { PacketEffect(kind, $0) }
    }
  }
}

/// Something adverse that the link does to one packet.
public struct PacketFault: Hashable, Sendable {
  /// Which packet is meant.
  public var packet: PacketName
  /// The effect on the packet.
  public var effect: PacketEffect

  /// Creates a fault.
  public init(_ effect: PacketEffect, of packet: PacketName) {
    self.packet = packet
    self.effect = effect
  }
}

/// The source of what a link does to single packets.
public enum PacketChance: Hashable, Sendable {
  /// Impairments are drawn by the seed, as the conditions say.
  case drawn
  /// They are drawn, and every adverse draw is written down: ``PathSimulator/packetFaults``.
  case recorded
  /// Nothing is drawn: these faults happen, and no others.
  case scheduled([PacketFault])
}
