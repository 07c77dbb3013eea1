import Testing

@testable import LinkSimulator

@Suite struct QuicReceiverTests {
  private func packet(_ number: Int) -> Packet {
    var packet = Packet(kind: .datagram, owner: 0, flow: 0, size: 100)
    (packet.segment, packet.pushes) = (number, true)
    return packet
  }

  @Test func `the first packet waits for its acknowledgement, and the second brings it`() {
    var receiver = QuicReceiver()
    receiver.receive(packet(0), at: 10, delay: 5, computing: nil, roundTrip: 0)
    #expect(receiver.deadline == 15 && !receiver.mustAcknowledge)
    receiver.receive(packet(1), at: 11, delay: 5, computing: nil, roundTrip: 0)
    #expect(receiver.mustAcknowledge)
  }

  @Test func `a packet out of order is acknowledged at once`() {
    var receiver = QuicReceiver()
    receiver.receive(packet(1), at: 10, delay: 5, computing: nil, roundTrip: 0)
    #expect(receiver.mustAcknowledge)
  }

  @Test func `a server's offer is renewed once a quarter is used, and doubled where that was fast`() {
    var window = QuicWindow(isClient: false)
    let quarter = QuicWindow.initial / 4
    let news = (
      window.arrived(upTo: quarter - 1, at: 0, roundTrip: 0), window.arrived(upTo: quarter, at: 0, roundTrip: 0)
    )
    #expect(news == (false, true) && window.edge == quarter + QuicWindow.initial)
    // Half of it and more in 1 ms, where four round trips are 400 ms.
    let grows = window.arrived(upTo: 400_000, at: 1_000_000, roundTrip: 100_000_000)
    #expect(grows && window.edge == 400_000 + 2 * QuicWindow.initial)
  }
}
