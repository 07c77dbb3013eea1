import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

struct ExploredRunTests {
  /// The verdict on a run that requests these paths, each with a body of four bytes.
  private static func verdict(_ paths: String...) async throws -> Verdict {
    let profile = try NetworkProfile.named("wifi")
    let run = try await Simulation(profile) { network in
      network.stub("/*", with: .text("ab,c"))
      for path in paths { _ = try await network.data(from: #require(URL(string: "https://a.example/\(path)"))) }
    }
    return Verdict(run.timeline, under: profile)
  }

  @Test func `a behaviour lists the steps, counts equal ones in a row and says what was cut short`() async throws {
    let verdict = try await Self.verdict("b")
    let (step, key) = (try #require(verdict.transfers.first), try #require(verdict.transfers.first?.key))
    for (usual, words) in [([:], ""), ([key: 4], ""), ([key: 5], ", cut short")] as [([String: Int64], String)] {
      #expect(ExploredRun(verdict, usual: usual).behaviour == "GET /b: \(step.end)\(words)")
    }
    #expect(ExploredRun(try await Self.verdict(), usual: [:]).behaviour == "no request")
    let several = ExploredRun(try await Self.verdict("b", "b", "c", "b"), usual: [:]).behaviour
    let end = step.end
    #expect(several == "GET /b: \(end), 2 times; GET /c: \(end); GET /b: \(end)")
  }

  @Test func `a web page in place of a longer answer does not count as cut short`() async throws {
    let report = try await FailureSearch.everyFault(upTo: 1, of: [.page, .shorten], under: "3G").run { network in
      network.stub("/user", with: .bytes(count: 5_000))
      _ = try await network.data(for: URLRequest(url: #require(URL(string: "https://a.example/user"))))
    }
    #expect(report.behaviours.map { ($0.words.contains("cut short")) }.sorted { !$0 && $1 } == [false, true])
  }
}
