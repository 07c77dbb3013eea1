import Foundation
import Internals
import NetworkConditions
import Testing

@testable import NetworkConditionsTesting

struct SingleRunTests {
  @Test func `a failing run keeps its issues, and the first issue says how to repeat the run`() async throws {
    let issues = try await recorded(.network("flaky", seed: 6)) {
      try await payThreeItems()
      #expect(Bool(false), "the second")
    }
    #expect(issues.count == 2)
    #expect(issues.map { $0.sourceLocation?.fileName } == ["Recorded.swift", "SingleRunTests.swift"])
    let lines = try #require(issues.first).lines
    #expect(lines[0] == "under \"flaky\", seed 6")
    #expect(lines[1].hasPrefix("Until then: "))
    #expect(lines[1].contains("the 1st POST https://shop.example.com/pay/1: connection reset after "))
    #expect(lines[2] == "To cut it down, write `seeds: 6..<7` in place of the seed.")
    #expect(issues.last?.comments == ["the second"])

    // The printed instructions repeat the failure.
    let word = try #require(lines[3].components(separatedBy: "NETCOND_REPLAY=").last)
    let again = try await recorded(.network("3G", seed: 1), environment: ["NETCOND_REPLAY": word], payThreeItems)
    #expect(again.count == 1)
    let cut = try await recorded(.network("flaky", seeds: 6..<7), payThreeItems)
    #expect(cut.first?.lines[2].hasPrefix("It takes: ") == true)
  }

  @Test func `a thrown error is recorded once and says how to repeat the run`() async throws {
    let thrown = try await recorded(.network("3G", seed: 1)) { throw CocoaError(.fileNoSuchFile) }
    #expect(thrown.count == 1)
    #expect(thrown.first?.error is CocoaError)
    #expect(thrown.first?.lines.first == "under \"3G\", seed 1")
    let required = try await recorded(.network("3G", seed: 1)) { try #require(Bool(false)) }
    #expect(required.count == 1)
  }

  @Test func `an error thrown after a failed expectation does not repeat how to repeat the run`() async throws {
    let issues = try await recorded(.network("3G", seed: 1)) {
      #expect(Bool(false), "the first")
      throw CocoaError(.fileNoSuchFile)
    }
    #expect(issues.count == 2)
    #expect(issues.first?.text.contains("under \"3G\", seed 1") == true)
    #expect(issues.last?.error is CocoaError && issues.last?.lines == [])
  }

  @Test func `a network is released after its run`() async throws {
    let network = Mutex<WeakReference<SimulatedNetwork>?>(nil)
    let issues = try await recorded(.network("3G", seed: 1)) {
      let isListed = NetworkUnderTest.running.withLock { $0.contains { $0 === NetworkUnderTest.current } }
      #expect(isListed)
      network.withLock { $0 = NetworkUnderTest.current.map { WeakReference($0) } }
    }
    let isReleased = network.withLock { $0 != nil && $0?.object == nil }
    #expect(isReleased && issues.isEmpty)
  }

  @Test func `a replayed fault that never happens is recorded as a warning`() async throws {
    let schedule = try FaultSchedule(
      "3G",
      faults: [
        .request(.post, "/pay/1", .status(code: 503)), .request(.get, "/never", .refused),
      ])
    let issues = try await recorded(.network(replaying: schedule), payThreeItems)
    #expect(issues.count == 2)
    #expect(issues.first?.text.contains("It has: the 1st POST /pay/1: status 503; the 1st GET /never: ") == true)
    let unused = try #require(issues.last)
    #expect(unused.text.contains("never happened"))
    #expect(unused.text.contains("\n  the 1st GET /never: connection refused"))
    #if compiler(>=6.3)
      #expect(!unused.isFailure)
    #endif
    #expect(unused.sourceLocation?.fileName == "SingleRunTests.swift")
  }

  @Test(arguments: [
    (NetworkTrait.network("tunel"), "no profile is called \"tunel\"; did you mean \"tunnel\""),
    (.network("3G", seeds: 5..<5), "the range of seeds is empty"),
    (.network("3G", seeds: -5..<5), "the seeds -5..<5 are not all from 0"),
    (.network("3G", seed: 1, clients: 0), "0 clients: at least 1 is needed"),
    (.network(replaying: "netcond1:abc"), "The replay token is damaged"),
    (.network(replaying: "hello"), "is not a replay token"),
    (.network(replaying: "netcond9:abc.def"), "has version 9"),
    (.network("3G", seeds: 0..<UInt64.max), "there are more seeds than can be counted"),
  ])
  func `a run that cannot begin records one issue at the trait`(_ trait: NetworkTrait, _ text: String) async throws {
    let issues = try await recorded(trait) { Issue.record("it is not run") }
    #expect(issues.count == 1)
    #expect(issues.first?.text.contains(text) == true, "\(issues)")
    if !text.contains("counted") { #expect(issues.first?.sourceLocation == trait.sourceLocation) }
  }

  @Test func `a printed trait shows no environment variable, which may be a secret`() throws {
    let path = try #require(ProcessInfo.processInfo.environment["PATH"])
    #expect(!String(reflecting: NetworkTrait.network("3G", seed: 1)).contains(path))
  }

  @Test func `environment variables replace the profile and the seed of a test`() async throws {
    func seen(_ trait: NetworkTrait, _ environment: [String: String]) async throws -> String {
      try await recorded(trait, environment: environment) {
        let network = NetworkUnderTest.network
        Issue.record("\(network.profile.name) \(network.seed)")
      }.first?.text.components(separatedBy: "\n").prefix(2).joined(separator: " ") ?? "nothing"
    }
    #expect(
      try await seen(.network("3G", seed: 1), ["NETCOND_PROFILE": "EDGE", "NETCOND_SEED": "7"])
        == "EDGE 7 under \"EDGE\", seed 7")
    #expect(
      try await seen(.network("3G", seeds: 0..<9), ["NETCOND_SEED": "7"]) == "3G 7 under \"3G\", seed 7")
    #expect(
      try await seen(.network("3G", seed: 1), ["NETCOND_SEED": "4..<6"])
        .hasPrefix("Issue recorded: 3G 4 at SingleRunTests.swift:"))
    let wrong = try await recorded(.network("3G", seed: 1), environment: ["NETCOND_PROFILE": "6G"]) {}
    #expect(wrong.first?.text.hasPrefix("NETCOND_PROFILE: ") == true)
  }
}
