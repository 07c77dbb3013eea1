/// A link, and what has happened on it that somebody may want to know.
struct Wire: Sendable {
  /// Something that happened to a connection's packets.
  struct Notice: Sendable {
    enum Kind: Sendable {
      case lost(PacketLoss)
      case retransmitted(Retransmission)
      case stalled
    }

    var owner: Int32
    var packet: Packet.Kind
    var kind: Kind
  }

  var link: Link
  /// The things that have happened since this was last looked at.
  var notices: [Notice] = []
  /// The records of its packets; `nil` unless somebody asked for them.
  var tape: PacketTape?
  /// Where it leads.
  var direction = Direction.up

  /// Hands a packet to the link.
  @inline(__always)
  mutating func send(_ packet: borrowing Packet, at now: Int64) {
    if !link.send(packet, at: now) {
      notices.append(Notice(owner: packet.owner, packet: packet.kind, kind: .lost(.queueFull)))
      if packet.kind != .query, packet.kind != .answer { tape?.refuseLast(of: packet.owner) }
    }
  }

  mutating func note(_ kind: Notice.Kind, of owner: Int32) {
    notices.append(Notice(owner: owner, packet: .segment, kind: kind))
  }
}
