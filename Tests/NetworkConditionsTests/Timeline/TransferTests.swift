import NetworkConditions
import Testing
import URLLoading

@Suite struct TransferTests {
  @Test(arguments: [
    (URLError.Code.cannotConnectToHost, [TransferPhase.Kind.resolving, .connecting]), (.cannotFindHost, [.resolving]),
    (.serverCertificateUntrusted, [.resolving, .connecting, .securing]),
    (.networkConnectionLost, [.resolving, .connecting, .securing, .waiting]),
  ])
  func `what the real server's error says never was is not in the record`(
    code: URLError.Code, kinds: [TransferPhase.Kind]
  ) async throws {
    let network = SimulatedNetwork("3G", seed: 1, pace: .immediate, transport: HandlerTransport { _ in .error(code) })
    let url = try #require(URL(string: "https://x.example/"))
    await #expect(throws: URLError.self) { try await network.data(from: url) }
    let transfer = try #require(network.timeline.transfers.first)
    #expect(transfer.phases.map(\.kind) == kinds && transfer.outcome == .failed(code))
    #expect(transfer.phases.last?.end == transfer.ended)
  }
}
