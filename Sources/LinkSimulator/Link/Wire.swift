/// A link with the notices and packet records that it has produced.
struct Wire: Sendable {
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
  /// The notices not yet passed on to requests.
  var notices: [Notice] = []
  /// The records of the link's packets; `nil` while packets are not recorded.
  var tape: PacketTape?
  var direction = Direction.up

  /// Sends a packet over the link, and notes its loss when the queue is full.
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
