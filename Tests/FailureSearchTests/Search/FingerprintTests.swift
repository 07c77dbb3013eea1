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

  @Test func `the last transfer tells errors of the network apart but not failed checks`() async throws {
    let timeline = try await Simulation(.unlimited) { network in
      network.stub("/a", with: .text("a"))
      _ = try await network.data(from: #require(URL(string: "http://10.0.0.1/a")))
    }.timeline
    #expect(Fingerprint(of: Check(place: "A.swift:3"), in: timeline).lastEvent == nil)
    #expect(Fingerprint(of: Check(), in: timeline).lastEvent?.hasPrefix("GET /a ") == true)
    #expect(Fingerprint(of: URLError(.timedOut), in: timeline).lastEvent?.hasPrefix("GET /a ") == true)
    let hang = SimulationError.deadlock(at: timeline.time, waiting: [])
    #expect(Fingerprint(of: hang, in: timeline).lastEvent == "GET /a")
  }

  @Test func `a crash ranks as worse than a hang, and a hang as worse than an error`() {
    let labels = [
      "the end of the process (SIGILL)", "too much memory", "deadlock", "a run without an end", "URLError.badURL",
    ]
    #expect(labels.map(FailureText.rank) == [0, 0, 1, 1, 2])
  }
}
