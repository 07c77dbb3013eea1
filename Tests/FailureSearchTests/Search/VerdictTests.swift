import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

struct VerdictTests {
  @Test func `an error of one seed's run can be repeated, an error of the whole search cannot`() {
    let now = SimulatedInstant.zero
    let ofOneSeed: [SimulationError] = [
      .deadlock(at: now, waiting: []), .stuck(at: now, after: .zero, waiting: []),
      .endlessLoop(at: now, jobs: 1, place: nil), .notCaptured(call: "x", place: nil, remedy: ""),
      .unseenWait(at: now, remedy: ""), .blockedThread(at: now, after: .zero, waiting: [], remedy: ""),
    ]
    let others: [SimulationError] = [
      .nested, .profile("x"), .nondeterministic(seed: 1, run: 2, firstDifference: ""),
    ]
    #expect(ofOneSeed.allSatisfy(\.isOfOneSeed) && !others.contains(where: \.isOfOneSeed))
  }

  @Test func `a run that waits for an impossible or unobservable event is a hang`() {
    let now = SimulatedInstant.zero
    let hangs: [SimulationError] = [.deadlock(at: now, waiting: []), .unseenWait(at: now, remedy: "")]
    #expect(hangs.map { FailureText.label(of: $0) } == [FailureText.hang, FailureText.hang])
    #expect(FailureText.label(of: SimulationError.nested) != FailureText.hang)
  }

  @Test func `a step is named by its client, its method and its path`() async throws {
    let profile = try NetworkProfile.named("wifi")
    let run = try await Simulation(profile) { network in
      network.stub("/*", with: .text("ab,c"))
      _ = try await network.data(from: #require(URL(string: "https://a.example")))
      _ = try await network.client(1).data(from: #require(URL(string: "https://a.example/b?c=d")))
      _ = try await network.data(from: #require(URL(string: "https://a.example/my%20list")))
    }
    let steps = Verdict(run.timeline, under: profile).transfers
    #expect(steps.map(\.name) == ["GET /", "client 1, GET /b", "GET /my list"])
    #expect(steps.map(\.bytes) == [4, 4, 4] && steps.allSatisfy(\.isFinished))
  }
}
