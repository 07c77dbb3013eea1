import Testing

@testable import LinkSimulator

struct QuicReceiverTests {
  private func packet(_ number: Int) -> Packet {
    var packet = Packet(kind: .datagram, owner: 0, flow: 0, size: 100)
    (packet.segment, packet.pushes) = (number, true)
    return packet
  }

  @Test func `a QUIC receiver delays its first acknowledgement until the second packet`() {
    var receiver = QuicReceiver()
    receiver.receive(packet(0), at: 10, delay: 5, computing: nil, roundTrip: 0)
    #expect(receiver.deadline == 15 && !receiver.mustAcknowledge)
    receiver.receive(packet(1), at: 11, delay: 5, computing: nil, roundTrip: 0)
    #expect(receiver.mustAcknowledge)
  }

  @Test func `a QUIC acknowledgement says how long it was delayed`() {
    var receiver = QuicReceiver()
    receiver.receive(packet(0), at: 10, delay: 5, computing: nil, roundTrip: 0)
    receiver.receive(packet(1), at: 12, delay: 5, computing: nil, roundTrip: 0)
    var answer = packet(0)
    receiver.acknowledge(in: &answer, at: 15)
    #expect(answer.echo == 3 && answer.acknowledged == 2)
  }

  @Test func `a QUIC acknowledgement names packets without a gap only once`() {
    var receiver = QuicReceiver()
    for number in [0, 1, 3] { receiver.receive(packet(number), at: 10, delay: 5, computing: nil, roundTrip: 0) }
    var answer = packet(0)
    receiver.acknowledge(in: &answer, at: 15)
    #expect(answer.acknowledged == 2 && answer.blocks.count == 1)
    #expect(answer.blocks[0] == SelectiveBlocks.Block(start: 3, end: 4))
  }

  @Test func `a QUIC receiver acknowledges an out-of-order packet at once`() {
    var receiver = QuicReceiver()
    receiver.receive(packet(1), at: 10, delay: 5, computing: nil, roundTrip: 0)
    #expect(receiver.mustAcknowledge)
  }

  @Test func `the delay of a QUIC acknowledgement counts from its largest packet`() {
    var receiver = QuicReceiver()
    receiver.receive(packet(5), at: 10, delay: 5, computing: nil, roundTrip: 0)
    receiver.receive(packet(3), at: 20, delay: 5, computing: nil, roundTrip: 0)
    var answer = packet(0)
    receiver.acknowledge(in: &answer, at: 25)
    #expect(answer.echo == 15)
  }
}
