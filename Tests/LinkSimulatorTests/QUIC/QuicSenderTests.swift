import Testing

@testable import LinkSimulator

struct QuicSenderTests {
  private static let clock = TickClock(KeyedRandom(seed: 0))
  private static let millisecond: Int64 = 1_000_000

  /// A sender after its handshake.
  private func sender(_ stack: QuicStack) -> QuicSender {
    var sender = QuicSender(.reno, stack: stack, clock: Self.clock)
    sender.begin(at: 0)
    sender.discard(.handshake, at: 0)
    sender.edge = .max
    return sender
  }

  private func send(_ sender: inout QuicSender, at now: Int64) {
    let range = sender.sent..<sender.sent + 1_000
    _ = sender.leaves(range, .application, asks: true, size: 1_200, at: now)
  }

  private func acknowledge(_ number: Int, in sender: inout QuicSender, after delay: Int64 = 0, at now: Int64) {
    var packet = Packet(kind: .datagram, owner: 0, flow: 0, size: 60)
    packet.echo = delay
    packet.blocks.append(SelectiveBlocks.Block(start: number, end: number + 1))
    sender.acknowledge(packet, .application, at: now)
  }

  @Test func `a QUIC sender with a full window sends nothing`() {
    var sender = sender(.client)
    for _ in 0..<9 { send(&sender, at: 0) }
    #expect(sender.nextRange(written: 100_000, capacity: 1_160, at: 0) == 9_000..<10_160)
    send(&sender, at: 0)
    #expect(sender.nextRange(written: 100_000, capacity: 1_160, at: 0) == nil)
  }

  @Test func `the first packet of a handshake space exceeds a full window, and the second does not`() {
    var sender = QuicSender(.reno, stack: .client, clock: Self.clock)
    sender.begin(at: 0)
    for _ in 0..<10 { send(&sender, at: 0) }
    #expect(sender.nextCrypto(.handshake, written: 2_000, capacity: 1_000, at: 0) == 0..<1_000)
    _ = sender.leaves(0..<1_000, .handshake, asks: true, size: 1_200, at: 0)
    #expect(sender.nextCrypto(.handshake, written: 2_000, capacity: 1_000, at: 0) == nil)
  }

  @Test func `a server counts as limited by its window within three packets of the limit`() {
    var sender = sender(.server)
    sender.window.threshold = 10
    let edge = sender.fullWindow - 3 * sender.datagram
    #expect(sender.isLimited(edge) && !sender.isLimited(edge - 1))
  }

  @Test func `the reported acknowledgement delay does not count in the round trip`() {
    var sender = sender(.client)
    send(&sender, at: 0)
    acknowledge(0, in: &sender, at: 100 * Self.millisecond)
    send(&sender, at: 200 * Self.millisecond)
    acknowledge(1, in: &sender, after: 20 * Self.millisecond, at: 320 * Self.millisecond)
    #expect(sender.roundTrip.smoothed == 100 * Self.millisecond)
  }

  @Test func `a QUIC sender asks for more bytes once for each write, while it can use more`() {
    var sender = sender(.client)
    let room = sender.room(written: 0, capacity: 1_160)
    #expect(room == Int64(2 * sender.window.size) * 1_160)
    for (written, expected) in [(0, [true, false]), (room - 1, [true, false]), (room, [false, false])] {
      let asks = [
        sender.asksForMore(written: written, capacity: 1_160), sender.asksForMore(written: written, capacity: 1_160),
      ]
      #expect(asks == expected)
    }
  }

  @Test func `a probe timeout makes two probes due`() {
    var sender = sender(.client)
    send(&sender, at: 0)
    let due = sender.deadline(isConfirmed: true, canHandshake: true)
    let isDue = sender.timerFired(isConfirmed: true, canHandshake: true, at: due)
    #expect(isDue && sender.probesDue == 2)
  }

  @Test func `the end of a handshake ends the backoff of its probes`() {
    var sender = QuicSender(.reno, stack: .client, clock: Self.clock)
    sender.begin(at: 0)
    sender.edge = .max
    _ = sender.leaves(0..<280, .initial, asks: true, size: 1_200, at: 0)
    let due = sender.deadline(isConfirmed: false, canHandshake: false)
    #expect(sender.timerFired(isConfirmed: false, canHandshake: false, at: due) && sender.probesDue == 1)
    sender.discard(.handshake, at: due)
    #expect(sender.probesDue == 0)
    send(&sender, at: due)
    let timeout = sender.roundTrip.probeTimeout(isConfirmed: true)
    #expect(sender.deadline(isConfirmed: true, canHandshake: true) == due + timeout)
  }

  @Test func `a client with a full window keeps seven tenths of it after a loss`() {
    var sender = sender(.client)
    for _ in 0..<10 { send(&sender, at: 0) }
    // Six of ten arrive at once, and the four before them are lost.
    var packet = Packet(kind: .datagram, owner: 0, flow: 0, size: 60)
    packet.echo = 0
    packet.blocks.append(SelectiveBlocks.Block(start: 4, end: 10))
    sender.acknowledge(packet, .application, at: 100 * Self.millisecond)
    #expect(sender.lost == 4 && sender.window.size == 7)
  }

  @Test func `persistent congestion reduces a client's window to its minimum`() {
    var sender = sender(.client)
    send(&sender, at: 0)
    acknowledge(0, in: &sender, at: 100 * Self.millisecond)
    send(&sender, at: 200 * Self.millisecond)
    send(&sender, at: 1_500 * Self.millisecond)
    for _ in 0..<4 { send(&sender, at: 1_600 * Self.millisecond) }
    #expect((sender.control[0] as? any QuicAlgorithm)?.slowStart.minimumDelay == 100 * Self.millisecond)
    acknowledge(6, in: &sender, at: 1_750 * Self.millisecond)
    // One more packet, because one has arrived.
    #expect(sender.window.size == QuicSender.leastWindow + 1)
    // The next slow start does not use earlier round trips.
    #expect((sender.control[0] as? any QuicAlgorithm)?.slowStart.minimumDelay == 150 * Self.millisecond)
  }

  /// RFC 9002, section 7.6.1: no packet sent between the two may be acknowledged.
  @Test func `losses on both sides of an acknowledged packet are no persistent congestion`() {
    var sender = sender(.client)
    send(&sender, at: 0)
    acknowledge(0, in: &sender, at: 100 * Self.millisecond)
    for time: Int64 in [200, 900, 1_500, 1_600, 1_600, 1_600, 1_600] { send(&sender, at: time * Self.millisecond) }
    var packet = Packet(kind: .datagram, owner: 0, flow: 0, size: 60)
    packet.echo = 0
    packet.blocks.append(SelectiveBlocks.Block(start: 7, end: 8))
    packet.blocks.append(SelectiveBlocks.Block(start: 2, end: 3))
    sender.acknowledge(packet, .application, at: 1_700 * Self.millisecond)
    #expect(sender.lost == 3 && sender.window.size > QuicSender.leastWindow + 1)
  }

  @Test func `a new path resets window and round trip and sends unacknowledged data again`() {
    var sender = sender(.client)
    send(&sender, at: 0)
    sender.window.size = 90
    sender.beginPath(at: 5)
    #expect(sender.window.size == 10 && sender.inFlight == 0 && !sender.roundTrip.hasSample)
    #expect(sender.nextRange(written: 1_000, capacity: 1_160, at: 5) == 0..<1_000)
  }
}
