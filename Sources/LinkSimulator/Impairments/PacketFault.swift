/// The identity of one packet of a path: its connection, its direction, and its number there.
///
/// A name depends on nothing else. So it means the same packet in every run of a client, whatever happens to other
/// packets.
public struct PacketName: Hashable, Sendable {
  /// The connection's host and port, such as `api.example.com:443`.
  ///
  /// For a name look-up it is ``lookupPrefix`` and the host.
  public var origin: String
  /// The number of the connection among those to this origin, from 0.
  public var connection: Int
  /// The direction in which the packet travels.
  public var direction: Direction
  /// The packet's number in its connection and direction, from 0; the first is a SYN or SYN-ACK.
  public var number: Int

  /// The prefix of the host in the origin of a name look-up.
  public static let lookupPrefix = "dns "

  /// Creates a packet's name.
  public init(origin: String, connection: Int = 0, direction: Direction, number: Int) {
    self.origin = origin
    self.connection = connection
    self.direction = direction
    self.number = number
  }
}

/// The effect of one impairment on one packet, recorded or scheduled.
public struct PacketEffect: Hashable, Sendable {
  /// The words for an effect in a schedule.
  package enum Entry: Sendable {
    /// One word, for an effect without a length.
    case happens(String)
    /// Two words, for an effect with a length: one for a later packet, one for an earlier packet.
    case shifts(later: String, earlier: String)
  }

  package let kind: ImpairmentKind
  /// The effect's length in nanoseconds; 0 for an effect without one.
  package let amount: Int64

  package init(_ kind: ImpairmentKind, _ amount: Int64 = 0) {
    self.kind = kind
    self.amount = amount
  }

  package var weaker: [PacketEffect] { kind.type.weaker(amount) }

  static func all(in fate: PacketFate) -> [PacketEffect] {
    if fate == PacketFate() { return [] }
    return ImpairmentKind.allCases.compactMap { kind in
      kind.type.amount(in: fate).map { PacketEffect(kind, $0) }
    }
  }
}

/// An effect of the link on one named packet.
public struct PacketFault: Hashable, Sendable {
  /// The packet that is affected.
  public var packet: PacketName
  /// The effect on the packet.
  public var effect: PacketEffect

  /// Creates a fault of one packet.
  public init(_ effect: PacketEffect, of packet: PacketName) {
    self.packet = packet
    self.effect = effect
  }
}

/// Where the impairments of single packets come from: the seed or a list.
public enum PacketChance: Hashable, Sendable {
  /// The seed decides which packets are affected, by the conditions' probabilities.
  case drawn
  /// The seed decides, as with ``drawn``, and every effect is recorded in ``PathSimulator/packetFaults``.
  case recorded
  /// Exactly these faults happen; nothing is drawn.
  case scheduled([PacketFault])
}
