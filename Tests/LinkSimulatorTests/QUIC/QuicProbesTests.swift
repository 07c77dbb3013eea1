import Testing

@testable import LinkSimulator

@Suite struct QuicProbesTests {
  @Test func `each timeout without an answer is twice as long as the one before`() {
    var probes = QuicProbes()
    #expect(probes.delay(of: 100) == 100)
    probes.timedOut(at: 5)
    probes.timedOut(at: 6)
    #expect(probes.delay(of: 100) == 400)
    #expect(probes.waitsSince == 6)
    // A server does not believe an address before it is validated.
    probes.answered(byKnown: false, at: 7)
    #expect(probes.delay(of: 100) == 400)
    probes.answered(byKnown: true, at: 8)
    #expect(probes.delay(of: 100) == 100)
    #expect(probes.waitsSince == 8)
  }

  @Test func `a timeout never exceeds the greatest time`() {
    var probes = QuicProbes()
    for _ in 0..<30 { probes.timedOut(at: 0) }
    #expect(probes.delay(of: 1) == 1 << 20)
    #expect(probes.delay(of: Int64.max >> 20) == (Int64.max >> 20) << 20)
    #expect(probes.delay(of: Int64.max >> 20 + 1) == .max)
  }

  @Test func `probes are due until they are sent or an answer has come`() {
    var probes = QuicProbes()
    probes.request(2, in: .handshake)
    #expect(probes.due == 2 && probes.level == .handshake)
    probes.sent(at: 1)
    #expect(probes.due == 1)
    probes.sent(at: 2)
    probes.sent(at: 3)
    #expect(probes.due == 0 && probes.waitsSince == 3)
    probes.request(2, in: .application)
    probes.answered(byKnown: false, at: 4)
    #expect(probes.due == 0)
  }

  @Test func `the next piece is handed over once little enough is under way`() {
    var pieces = QuicPieces(of: 64_000)
    #expect(pieces.end == 64_000)
    pieces.handOver(sent: 64_000, arrived: 30_999)
    #expect(pieces.end == 64_000)
    pieces.handOver(sent: 64_000, arrived: 31_000)
    #expect(pieces.end == 128_000)
    var whole = QuicPieces(of: .max)
    whole.handOver(sent: 0, arrived: 0)
    #expect(whole.end == .max)
  }
}
