/// A sender's acknowledged bytes, congestion window and packets in flight at one moment, for a packet record.
struct SenderState {
  var acknowledged: Int64
  var window: Int
  var inFlight: Int
}

extension Sender {
  var recorded: SenderState { SenderState(acknowledged: acknowledged, window: window.size, inFlight: board.inFlight) }
}

extension QuicSender {
  var recorded: SenderState {
    SenderState(acknowledged: application.arrived.end(from: 0), window: window.size, inFlight: inFlight)
  }
}

/// The records of one link's packets, bounded by a limit.
///
/// Without a tape, recording costs one branch per packet.
struct PacketTape: Sendable {
  private(set) var records: [PacketRecord] = []
  private(set) var dropped = 0
  /// The log's number of each connection, by its index in the path; -1 for none.
  private var numbers: [Int32] = []
  private let limit: Int

  /// - Parameter limit: the largest number of records; at the limit the older half is dropped.
  init(limit: Int) {
    self.limit = max(2, limit)
  }

  /// Stores a connection's log number at its index in the path; an earlier connection may have had this index.
  mutating func name(_ owner: Int32, number: Int32) {
    while numbers.count <= Int(owner) { numbers.append(-1) }
    numbers[Int(owner)] = number
  }

  /// Records a packet's event, with the sender's state; `start` is the bytes before a packet without payload.
  mutating func append(
    _ kind: PacketRecord.Kind, _ packet: borrowing Packet, by sender: SenderState, _ direction: Direction,
    at time: Int64, startingAt start: Int64 = 0, queue: Int
  ) {
    guard let connection = number(of: packet.owner) else { return }
    append(
      PacketRecord(
        time: SimulatedInstant(nanoseconds: time), connection: connection, direction: direction, kind: kind,
        firstByte: packet.length > 0 ? packet.end - Int64(packet.length) : start, length: packet.length,
        acknowledged: sender.acknowledged, congestionWindow: Int32(clamping: sender.window),
        inFlight: Int32(clamping: sender.inFlight), queue: Int32(clamping: queue)))
  }

  private mutating func append(_ record: PacketRecord) {
    if records.count >= limit {
      let half = limit / 2
      records.removeFirst(half)
      dropped += half
    }
    records.append(record)
  }

  /// Records that the connection's last recorded packet was dropped by a full queue.
  mutating func refuseLast(of owner: Int32) {
    guard let number = number(of: owner), var record = records.last, record.connection == number else { return }
    record.kind = .lost(.queueFull)
    append(record)
  }

  /// The log's number of a connection; `nil` if the connection was never logged.
  private func number(of owner: Int32) -> Int32? {
    guard numbers.indices.contains(Int(owner)), numbers[Int(owner)] >= 0 else { return nil }
    return numbers[Int(owner)]
  }
}

extension Wire {
  /// Records a packet before an end hands it to the link; afterwards the packet would have to be copied.
  ///
  /// - Parameter synchronises: how many SYN or SYN-ACK packets the end has sent, including this one.
  @inline(never)
  mutating func recordSent(
    _ packet: borrowing Packet, by sender: borrowing Sender, synchronises: Int, at now: Int64
  ) {
    let kind = packet.kind
    var isAgain = synchronises > 1 && (kind == .synchronise || kind == .synchroniseAcknowledge)
    if packet.length > 0 { isAgain = sender.board[packet.segment].has(SentSegment.everRetransmitted) }
    record(packet, by: sender.recorded, isAgain: isAgain, startingAt: sender.sent, at: now)
  }

  /// Records a packet that is handed to the link, as sent or as retransmitted.
  mutating func record(
    _ packet: borrowing Packet, by sender: SenderState, isAgain: Bool, startingAt start: Int64, at now: Int64
  ) {
    tape?.append(
      isAgain ? .retransmitted : .sent, packet, by: sender, direction, at: now, startingAt: start,
      queue: link.waitingPackets(afterSendingAt: now))
  }
}

extension Link {
  /// How many packets are queued, without the one being sent.
  func waitingPackets(at now: Int64) -> Int {
    var position = max(waiting, head)
    while position < tail, slots[position & mask].start <= now { position += 1 }
    return tail - position
  }

  /// How many packets will be queued after one more has been sent.
  func waitingPackets(afterSendingAt now: Int64) -> Int {
    freeAt > now ? min(waitingPackets(at: now) + 1, parameters.queue) : 0
  }

  /// The packet whose loss is the link's next event, and the reason; `nil` if the next event is no loss.
  var nextLostPacket: (packet: Packet, reason: PacketLoss)? {
    guard nextLoss < tail, slots[nextLoss & mask].departure <= nextTime,
      case .lost(let reason) = slots[nextLoss & mask].fate
    else { return nil }
    return (packet(at: nextLoss), reason)
  }
}
