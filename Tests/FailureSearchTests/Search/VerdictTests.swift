import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

@Suite struct VerdictTests {
  @Test func `a step is named by its client, its method and its path`() async throws {
    let profile = try NetworkProfile.named("wifi")
    let run = try await Simulation(profile) { network in
      network.stub("/*", with: .text("ab,c"))
      _ = try await network.data(from: #require(URL(string: "https://a.example")))
      _ = try await network.client(1).data(from: #require(URL(string: "https://a.example/b?c=d")))
    }
    let steps = Verdict(run.timeline, under: profile).transfers
    #expect(steps.map(\.name) == ["GET /", "client 1, GET /b"])
    #expect(steps.map(\.bytes) == [4, 4] && steps.allSatisfy(\.isFinished))
  }
}
