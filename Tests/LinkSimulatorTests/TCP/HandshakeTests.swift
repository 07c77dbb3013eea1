import Testing

@testable import LinkSimulator

struct HandshakeTests {
  /// A client and a server; the test passes packets between them itself.
  private struct Pair {
    var client: Endpoint
    var server: Endpoint
    var up = Wire(link: Link(LinkParameters(.unlimited, isOut: false)))
    var down = Wire(link: Link(LinkParameters(.unlimited, isOut: false)))

    init() {
      let clock = TickClock(KeyedRandom(seed: 1))
      client = Endpoint(owner: 0, flow: 0, control: .cubic, clock: clock)
      server = Endpoint(owner: 0, flow: 0, control: .cubic, clock: clock)
      for random in [KeyedRandom(seed: 2)] {
        up.link.flows.append(Flow(random: random))
        down.link.flows.append(Flow(random: random))
      }
      server.listen()
    }

    static func latest(_ wire: Wire) -> Packet { wire.link.packet(at: wire.link.tail - 1) }
  }

  @Test func `a closed endpoint waits for no paced segment and keeps no unsent bytes`() {
    var pair = Pair()
    pair.client.sender.written = 5
    pair.client.sender.resumesAt = 7
    pair.client.close()
    #expect(pair.client.deadline == .max && pair.client.sender.written == 0)
  }

  @Test func `a repeated SYN-ACK echoes the timestamp of the first SYN`() {
    var pair = Pair()
    pair.client.connect(at: 0, &pair.up)
    let first = Pair.latest(pair.up)
    _ = pair.server.receiveSynchronising(first, at: 50_000_000, &pair.down)
    var repeated = first
    repeated.stamp = 1_000_000_000
    _ = pair.server.receiveSynchronising(repeated, at: 1_050_000_000, &pair.down)
    #expect(pair.down.link.accepted == 2)
    #expect(Pair.latest(pair.down).echo == first.stamp)
    // A second repetition within half a second is not answered.
    _ = pair.server.receiveSynchronising(repeated, at: 1_300_000_000, &pair.down)
    #expect(pair.down.link.accepted == 2)
  }

  @Test func `a SYN that arrives twice is answered twice, also right after the start`() {
    var pair = Pair()
    pair.client.connect(at: 0, &pair.up)
    let synchronise = Pair.latest(pair.up)
    for time in [50_000_000, 60_000_000, 70_000_000] as [Int64] {
      _ = pair.server.receiveSynchronising(synchronise, at: time, &pair.down)
    }
    // The third one comes within half a second after the answer to a repetition.
    #expect(pair.down.link.accepted == 2)
  }

  @Test func `a server that sent its SYN-ACK three times starts with one segment`() {
    var pair = Pair()
    pair.client.connect(at: 0, &pair.up)
    let first = Pair.latest(pair.up)
    _ = pair.server.receiveSynchronising(first, at: 50_000_000, &pair.down)
    var acknowledgement = Packet(kind: .segment, owner: 0, flow: 0, size: 52)
    acknowledgement.echo = 1_100_000_000
    var patient = pair
    _ = patient.server.receiveSynchronising(acknowledgement, at: 1_200_000_000, &patient.down)
    #expect(patient.server.sender.window.size == 10)
    // The server's timer expires, and then the client's repeated SYN arrives.
    _ = pair.server.synchroniseTimerFired(at: 1_060_000_000, &pair.down)
    var repeated = first
    repeated.stamp = 1_000_000_000
    _ = pair.server.receiveSynchronising(repeated, at: 1_080_000_000, &pair.down)
    #expect(pair.down.link.accepted == 3)
    _ = pair.server.receiveSynchronising(acknowledgement, at: 1_200_000_000, &pair.down)
    #expect(pair.server.sender.window.size == 1)
  }

  @Test(arguments: [(1, 10), (2, 1)])
  func `a client starts with ten segments after one lost SYN and with one segment after two`(lost: Int, window: Int) {
    var pair = Pair()
    pair.client.connect(at: 0, &pair.up)
    for second in 1...Int64(lost) { _ = pair.client.synchroniseTimerFired(at: second * 1_000_000_000, &pair.up) }
    let latest = Pair.latest(pair.up)
    _ = pair.server.receiveSynchronising(latest, at: latest.stamp + 50_000_000, &pair.down)
    _ = pair.client.receiveSynchronising(Pair.latest(pair.down), at: latest.stamp + 100_000_000, &pair.up)
    #expect(pair.client.sender.window.size == window)
  }
}
