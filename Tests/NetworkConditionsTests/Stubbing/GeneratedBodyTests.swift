import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

struct GeneratedBodyTests {
  @Test func `a generated body has the bytes of xorshift64 and repeats after a prime number of them`() {
    #expect(Array(GeneratedBody.bytes(in: 0..<10)) == [173, 77, 243, 11, 174, 119, 27, 220, 118, 96])
    #expect(GeneratedBody.bytes(in: 1_048_573..<1_048_583) == GeneratedBody.bytes(in: 0..<10))
  }

  @Test func `a stubbed body of a gigabyte can be reset after 200 kB`() async throws {
    let profile = NetworkProfile(name: "cut", faults: [FaultRule(.reset(after: .bytes(200_000)))])
    let run = try await Simulation(profile) { network in
      network.stub("*", with: .bytes(count: 1_000_000_000))
      let error = await #expect(throws: URLError.self) { try await network.data(from: url("http://a.example/large")) }
      return error?.code
    }
    #expect(run.value == .networkConnectionLost)
    // The head counts among the bytes after which the connection is reset.
    #expect((199_000...200_000).contains(run.timeline.transfers.first?.bytesReceived ?? 0))
  }
}
