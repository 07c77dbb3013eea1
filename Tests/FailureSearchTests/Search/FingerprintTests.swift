import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

struct FingerprintTests {
  @Test func `a fingerprint replaces each number by one character, regardless of its digits`() {
    #expect(Fingerprint.withoutNumbers("19 of 20 items") == "# of # items")
    #expect(Fingerprint.withoutNumbers("3 of 1000 items") == "# of # items")
  }

  private struct Check: DescribedFailure {
    var place: String?
    var details: String? { nil }
    var description: String { "URLError.timedOut" }
    var label: String { "URLError.timedOut" }
  }

  @Test func `the last transfer tells errors apart unless they name their place`() async throws {
    let timeline = try await Simulation(.unlimited) { network in
      network.stub("/a", with: .text("a"))
      _ = try await network.data(from: #require(URL(string: "http://10.0.0.1/a")))
    }.timeline
    #expect(Fingerprint(of: Check(place: "A.swift:3"), in: timeline).lastEvent == nil)
    #expect(Fingerprint(of: Check(), in: timeline).lastEvent?.hasPrefix("GET /a ") == true)
    #expect(Fingerprint(of: URLError(.timedOut), in: timeline).lastEvent?.hasPrefix("GET /a ") == true)
    let hang = SimulationError.deadlock(at: timeline.time, waiting: [])
    #expect(Fingerprint(of: hang, in: timeline).lastEvent == "GET /a")
    let named = SimulationError.deadlock(
      at: timeline.time, waiting: ["GET http://10.0.0.1/b since 0.1 s", "a continuation, at /home/us/Feed.swift:21"],
      blocked: ["DispatchGroup.wait, at /home/us/Feed.swift:9"])
    #expect(Fingerprint(of: named, in: timeline).description == "deadlock, at Feed.swift:21, Feed.swift:9")
  }

  @Test func `a crash ranks as worse than a hang, and a hang as worse than an error`() {
    let labels = [
      "the end of the process (SIGILL)", "too much memory", "deadlock", "a run without an end", "URLError.badURL",
    ]
    #expect(labels.map(FailureText.rank) == [0, 0, 1, 1, 2])
  }
}
