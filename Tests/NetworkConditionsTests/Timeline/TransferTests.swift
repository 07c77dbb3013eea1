import LinkSimulator
import Testing
import URLLoading

@testable import NetworkConditions

struct TransferTests {
  @Test(arguments: [
    (URLError.Code.cannotConnectToHost, [TransferPhase.Kind.resolving, .connecting]), (.cannotFindHost, [.resolving]),
    (.serverCertificateUntrusted, [.resolving, .connecting, .securing]),
    (.networkConnectionLost, [.resolving, .connecting, .securing, .waiting]),
  ])
  func `a failed transfer has the phases that come before its error`(
    code: URLError.Code, kinds: [TransferPhase.Kind]
  ) async throws {
    let network = SimulatedNetwork("3G", seed: 1, pace: .immediate, transport: HandlerTransport { _ in .error(code) })
    let url = try #require(URL(string: "https://x.example/"))
    await #expect(throws: URLError.self) { try await network.data(from: url) }
    let transfer = try #require(network.timeline.transfers.first)
    #expect(transfer.phases.map(\.kind) == kinds && transfer.outcome == .failed(code))
    #expect(transfer.phases.last?.end == transfer.ended)
  }

  @Test func `a transfer under way has lasted until its latest known step`() {
    var transfer = Transfer(
      number: 0, method: "GET", url: "https://x.example/", occurrence: 1, profile: "3G", started: .zero)
    let steps: [WritableKeyPath<Transfer, SimulatedInstant?>] = [
      \.resolved, \.connected, \.secured, \.requestSent, \.requestReceived, \.firstByte, \.ended,
    ]
    for (index, step) in steps.enumerated() {
      transfer[keyPath: step] = .zero.advanced(by: .seconds(index + 1))
      #expect(transfer.elapsed == .seconds(index + 1))
    }
  }

  @Test(arguments: [
    ((0, 0), 0, false), ((1, 0), 0, true), ((0, 2), 0, true), ((0, 0), 3, true), ((1, 2), 3, true),
  ])
  func `a summary counts lost packets and retransmissions if there are any of either`(
    lost: (up: Int64, down: Int64), again: Int64, isTold: Bool
  ) {
    var transfer = Transfer(
      number: 0, method: "GET", url: "https://x.example/", occurrence: 1, profile: "3G", started: .zero)
    (transfer.wire.up.lost, transfer.wire.down.lost) = (lost.up, lost.down)
    transfer.wire.up.retransmissions = again
    #expect(transfer.summary.contains("\(lost.up + lost.down) lost, \(again) sent again") == isTold)
    #expect(transfer.summary.contains("lost") == isTold)
  }

  @Test func `open and finished transfers are listed in the order in which they began`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      network.stub("/slow", with: .text("a").after(.seconds(30)))
      network.stub("/fast", with: .text("b"))
      async let slow = network.data(from: url("https://x.example/slow"))
      try await network.clock.sleep(for: .seconds(1))
      _ = try await network.data(from: url("https://x.example/fast"))
      let transfers = network.timeline.transfers
      _ = try await slow
      return transfers.map { "\($0.number) \($0.outcome)" }
    }
    #expect(run.value == ["0 running", "1 finished"])
  }

  @Test func `a transfer counts each time its sender stalls`() async throws {
    let schedule = try FaultSchedule("3G", faults: [.outage(from: .seconds(2), for: .seconds(20))])
    let run = try await Simulation(replaying: schedule) { network in
      network.stub("/", with: .bytes(count: 1_000_000))
      _ = try await network.data(from: url("https://x.example/"))
    }
    let stalls = run.timeline.events.count { $0.kind == .stalled }
    #expect(stalls > 1 && run.timeline.transfers.map(\.stalls) == [stalls])
  }

  private func at(_ seconds: Int64) -> SimulatedInstant { SimulatedInstant(nanoseconds: seconds * 1_000_000_000) }

  private func transfer() -> Transfer {
    Transfer(number: 0, method: "GET", url: "https://x.example/", occurrence: 1, profile: "3G", started: at(0))
  }

  @Test func `each phase of a transfer ends where the next begins, and empty phases are left out`() {
    var transfer = transfer()
    (transfer.resolved, transfer.connected, transfer.secured) = (at(1), at(2), at(4))
    (transfer.requestSent, transfer.firstByte, transfer.ended) = (at(7), at(7), at(9))
    transfer.outcome = .finished
    let spans: [(TransferPhase.Kind, Int64, Int64)] = [
      (.resolving, 0, 1), (.connecting, 1, 2), (.securing, 2, 4), (.sending, 4, 7), (.receiving, 7, 9),
    ]
    #expect(transfer.phases == spans.map { TransferPhase(kind: $0.0, start: at($0.1), end: at($0.2)) })
  }

  @Test func `a transfer cancelled early ends in the phase that its URL's host and scheme make possible`() {
    func last(_ url: String, connected: Bool = false) -> TransferPhase.Kind? {
      var transfer = Transfer(
        number: 0, method: "GET", url: url, occurrence: 1, profile: "3G", started: at(0))
      if connected { (transfer.resolved, transfer.connected) = (at(1), at(2)) }
      (transfer.ended, transfer.outcome) = (at(3), .cancelled)
      return transfer.phases.last?.kind
    }
    #expect(last("http://x.example/") == .resolving && last("http://192.0.2.1/") == .connecting)
    #expect(last("HTTPS://x.example/", connected: true) == .securing)
    #expect(last("http://x.example/", connected: true) == .sending)
  }

  @Test func `a transfer's retransmissions are the sum of both directions`() {
    var transfer = transfer()
    transfer.wire.up.retransmissions = 2
    transfer.wire.down.retransmissions = 3
    #expect(transfer.retransmissions == 5)
  }

  @Test func `an error removes the connection steps that cannot have happened before it`() {
    func taken(_ code: URLError.Code) -> [SimulatedInstant?] {
      var transfer = transfer()
      (transfer.resolved, transfer.connected, transfer.secured) = (at(1), at(2), at(3))
      (transfer.requestSent, transfer.requestReceived, transfer.bytesSent) = (at(4), at(5), 6)
      transfer.takeBack(code)
      #expect((transfer.bytesSent == 0) == (transfer.requestSent == nil))
      return [transfer.resolved, transfer.connected, transfer.secured, transfer.requestSent, transfer.requestReceived]
    }
    #expect(taken(.cannotFindHost) == [nil, nil, nil, nil, nil])
    #expect(taken(.cannotConnectToHost) == [at(1), nil, nil, nil, nil])
    #expect(taken(.serverCertificateUntrusted) == [at(1), at(2), nil, nil, nil])
    #expect(taken(.networkConnectionLost) == [at(1), at(2), at(3), at(4), at(5)])
  }

  @Test func `the rate history of a transfer adds up to its received bytes`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      network.stub("/**", with: .bytes(count: 50_000))
      _ = try await network.session.data(for: URLRequest(url: url("http://x.example/")))
    }
    let transfer = try #require(run.timeline.transfers.first)
    #expect(transfer.bytesReceived == 50_000 && transfer.rate.bytes.reduce(0, +) == 50_000)
  }
}
