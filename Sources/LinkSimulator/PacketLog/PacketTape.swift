/// The state of a sender that a record keeps.
struct SenderState {
  var acknowledged: Int64
  /// In packets.
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

/// The records of the packets of one link, within bounds.
///
/// A wire that has none pays for it with one branch for each packet.
struct PacketTape: Sendable {
  private(set) var records: [PacketRecord] = []
  private(set) var dropped = 0
  /// The log's number of each connection, by its place among the connections; -1 for those that have none.
  private var numbers: [Int32] = []
  private let limit: Int

  /// - Parameter limit: the most records that are kept; when they are reached, the older half goes.
  init(limit: Int) {
    self.limit = max(2, limit)
  }

  /// A connection's place has another tenant.
  mutating func name(_ owner: Int32, number: Int32) {
    while numbers.count <= Int(owner) { numbers.append(-1) }
    numbers[Int(owner)] = number
  }

  /// Writes down what happens to a packet, unless its connection has no number.
  ///
  /// - Parameters:
  ///   - sender: the state of the one that the acknowledged bytes and the window are about.
  ///   - start: the number of the bytes before a packet that carries none.
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

  /// The packet that was recorded last, of this connection, finds the queue full.
  mutating func refuseLast(of owner: Int32) {
    guard let number = number(of: owner), var record = records.last, record.connection == number else { return }
    record.kind = .lost(.queueFull)
    append(record)
  }

  /// The log's number of a connection; `nil` for one that opened before the recording began.
  private func number(of owner: Int32) -> Int32? {
    guard numbers.indices.contains(Int(owner)), numbers[Int(owner)] >= 0 else { return nil }
    return numbers[Int(owner)]
  }
}

extension Wire {
  /// Writes down that an end hands a packet to the link, before it does: afterwards the packet would have to be copied.
  ///
  /// - Parameter synchronises: how many SYN or SYN-ACK packets the end has sent, this one included.
  @inline(never)
  mutating func recordSent(
    _ packet: borrowing Packet, by sender: borrowing Sender, synchronises: Int, at now: Int64
  ) {
    let kind = packet.kind
    var isAgain = synchronises > 1 && (kind == .synchronise || kind == .synchroniseAcknowledge)
    if packet.length > 0 { isAgain = sender.board[packet.segment].has(SentSegment.everRetransmitted) }
    record(packet, by: sender.recorded, isAgain: isAgain, startingAt: sender.sent, at: now)
  }

  /// Writes down a packet that is handed to the link, and whether it carries bytes again.
  mutating func record(
    _ packet: borrowing Packet, by sender: SenderState, isAgain: Bool, startingAt start: Int64, at now: Int64
  ) {
    tape?.append(
      isAgain ? .retransmitted : .sent, packet, by: sender, direction, at: now, startingAt: start,
      queue: link.waitingPackets(afterSendingAt: now))
  }
}

extension Link {
  /// How many packets are in the queue, the one being sent not among them.
  func waitingPackets(at now: Int64) -> Int {
    var position = max(waiting, head)
    while position < tail, slots[position & mask].start <= now { position += 1 }
    return tail - position
  }

  /// How many there will be when one more has been handed over.
  func waitingPackets(afterSendingAt now: Int64) -> Int {
    freeAt > now ? min(waitingPackets(at: now) + 1, parameters.queue) : 0
  }

  /// The packet that the link reports as lost next, and why; `nil` when it reports something else.
  var nextLostPacket: (packet: Packet, reason: PacketLoss)? {
    guard nextLoss < tail, slots[nextLoss & mask].departure <= nextTime,
      case .lost(let reason) = slots[nextLoss & mask].fate
    else { return nil }
    return (packet(at: nextLoss), reason)
  }
}
