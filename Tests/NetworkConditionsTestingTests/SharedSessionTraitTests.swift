import Foundation
import NetworkConditions
import Testing

@testable import NetworkConditionsTesting
import URLLoading

/// These tests run in parallel, each over its own network, and use the shared session one after another.
@Suite(.network("3G", seed: 3), .sharedSession) struct SharedSessionTraitTests {
  @Test(arguments: 0..<6) func `parallel tests each have the shared session to themselves`(_ number: Int) async throws {
    try await loadShared("\(number)")
    // The suite's trait also holds for this test.
    #expect(Test.current?.traits.contains { $0 is SharedSessionTrait } == true)
  }

  @Test(.network("lossy", seeds: 0..<20)) func `each run of a search has the shared session to itself`() async throws {
    try await loadShared("searched")
  }

  @Test(.network("3G", clients: 3))
  func `each client of a run has the shared session alone, one after another`() async throws {
    let number = NetworkUnderTest.network.timeline.transfers.count
    try await loadShared("\(number)", at: "\(number)")
  }
}

struct SharedSessionIssueTests {
  @Test func `a failure over the shared session is shrunk and printed with the sharedSession trait`() async throws {
    let issues = try await recorded(.network("flaky", seeds: 0..<500), and: [SharedSessionTrait()]) {
      for _ in 0..<3 { try await loadShared("all of it") }
    }
    let issue = try #require(issues.first)
    #expect(issue.text.contains("\nIt takes: "))
    #expect(
      issue.lines.contains {
        $0.hasPrefix("@Test(.network(replaying: \"netcond1:") && $0.hasSuffix("\"), .sharedSession)")
      })
    let once = try await recorded(.network("3G"), and: [SharedSessionTrait()]) { try await loadShared("all of it") }
    #expect(once.isEmpty)
  }

  @Test func `the sharedSession trait without a network records an issue that asks for a network`() async throws {
    let test = try #require(Test.current)
    try await withKnownIssue {
      try await SharedSessionTrait().prepare(for: test)
    } matching: { issue in
      issue.text.hasPrefix("There is no network for URLSession.shared: add the trait `.network(\"3G\", seed: 42)`")
    }
  }

  @Test func `a shared session that another network intercepts is not reported as the client's failure`() async throws {
    let issues = try await recorded(.network("3G", seeds: 0..<5)) {
      let first = try? SimulatedNetwork(.unlimited).interceptSharedSession()
      defer { first?.end() }
      _ = try NetworkUnderTest.network.interceptSharedSession()
    }
    #expect(issues.count == 1)
    #expect(issues.first?.text.hasPrefix("Nothing can be searched: URLSession.shared is already intercepted") == true)
  }
}

/// Loads a URL that only this test's network answers, through the shared session.
private func loadShared(_ text: String, at path: String = "feed") async throws {
  let network = NetworkUnderTest.network
  network.stub("http://shared.example/\(path)", with: .text(text))
  let url = try #require(URL(string: "http://shared.example/\(path)"))
  let (data, _) = try await URLSession.shared.data(from: url)
  #expect(String(decoding: data, as: UTF8.self) == text)
  #expect(network.timeline.transfers.contains { $0.url.hasSuffix(path) })
}
