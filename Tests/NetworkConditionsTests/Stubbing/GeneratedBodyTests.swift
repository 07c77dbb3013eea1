import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@Suite struct GeneratedBodyTests {
  @Test func `a body of a terabyte is made as it is read, and nothing of it is kept`() async throws {
    let profile = NetworkProfile(name: "cut", faults: [FaultRule(.reset(after: .bytes(200_000)))])
    let run = try await Simulation(profile) { network in
      network.stub("*", with: .bytes(count: 1 << 40))
      let error = await #expect(throws: URLError.self) { try await network.data(from: url("http://a.example/large")) }
      return error?.code
    }
    #expect(run.value == .networkConnectionLost)
    #expect(run.timeline.transfers.first?.bytesReceived == 200_000)
  }
}
