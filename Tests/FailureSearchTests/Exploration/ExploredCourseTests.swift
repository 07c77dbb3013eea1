import NetworkConditions
import Testing
import URLLoading

@testable import FailureSearch

@Suite struct ExploredCourseTests {
  /// The verdict on a run with these requests, each of which is answered with four bytes.
  private static func verdict(_ urls: [String]) async throws -> Verdict {
    let profile = try NetworkProfile.named("wifi")
    let run = try await Simulation(profile) { network in
      network.stub("/*", with: .text("ab,c"))
      for (number, text) in urls.enumerated() {
        let client = number == 0 ? network : network.client(number)
        _ = try await client.data(from: #require(URL(string: text)))
      }
    }
    return Verdict(run.timeline, under: profile)
  }

  @Test func `a step is named by its client, its method and its path`() async throws {
    let steps = try await Self.verdict(["https://a.example", "https://a.example/b?c=d"]).transfers
    #expect(steps.map(\.name) == ["GET /", "client 1, GET /b"])
    #expect(steps.map(\.bytes) == [4, 4] && steps.allSatisfy(\.isFinished))
  }

  @Test func `a behaviour lists the steps, counts equal ones in a row and says what was cut short`() async throws {
    let url = "https://a.example/b"
    let verdict = try await Self.verdict([url])
    let (step, key) = (try #require(verdict.transfers.first), try #require(verdict.transfers.first?.key))
    #expect(ExploredCourse.sizes(of: verdict) == [key: 4])
    for (usual, words) in [([:], ""), ([key: 4], ""), ([key: 5], ", cut short")] as [([String: Int64], String)] {
      #expect(ExploredCourse(verdict, usual: usual).behaviour == "GET /b: \(step.end)\(words)")
    }
    #expect(ExploredCourse(try await Self.verdict([]), usual: [:]).behaviour == "no request")
    let several = try await Simulation(NetworkProfile.named("wifi")) { network in
      network.stub("/*", with: .text("ab,c"))
      for path in ["b", "b", "c", "b"] {
        _ = try await network.data(from: #require(URL(string: "http://a.example/\(path)")))
      }
    }
    let words = ExploredCourse(Verdict(several.timeline, under: try .named("wifi")), usual: [:]).behaviour
    let end = step.end
    #expect(words == "GET /b: \(end), 2 times; GET /c: \(end); GET /b: \(end)")
  }
}
