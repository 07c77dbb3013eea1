import Foundation
import LinkSimulator
import NetworkConditions
import Testing

@testable import FailureSearch

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct FailureSearchTests {
  struct Short: Error, CustomStringConvertible {
    let count: Int
    var description: String { "only \(count) bytes" }
  }

  /// A client that fails whenever one of its three requests does.
  private static let fragile: @Sendable (SimulatedNetwork) async throws -> Void = { network in
    network.stub("/files/*", with: .bytes(count: 20_000))
    for number in 0..<3 {
      let (data, _) = try await network.data(for: request("https://api.example.com/files/\(number)"))
      if data.count != 20_000 { throw Short(count: data.count) }
    }
  }

  @Test func `a search that finds nothing says how many runs it made`() async throws {
    let report = try await FailureSearch("3G", seeds: 0..<20).run(Self.fragile)
    #expect(report.failures.isEmpty)
    #expect("\(report)" == #"No failure in 20 runs under "3G", seeds 0..<20."#)
  }

  @Test func `the first failure is found whatever the number of workers, and shrunk to the one fault it takes`()
    async throws
  {
    var search = try FailureSearch("flaky", seeds: 0..<500)
    var texts = Set<String>()
    for workers in [1, 2, 5] {
      search.workers = workers
      let report = try await search.run(Self.fragile)
      let failure = try #require(report.failures.first)
      guard case .shrunk(let shrunk) = failure.outcome else {
        Issue.record("\(failure)")
        return
      }
      #expect(shrunk.schedule.faults.count == 1)
      #expect(shrunk.failedReruns == 10 && shrunk.courses == 1)
      #expect(shrunk.reruns <= 500)
      texts.insert("\(report)")
    }
    #expect(texts.count == 1)
    print(texts.first ?? "")
  }

  @Test func `all failures are grouped by what they are`() async throws {
    let report = try await FailureSearch("flaky", seeds: 0..<150, until: .allFailures).run(Self.fragile)
    #expect(report.runs == 150)
    #expect(report.failures.count >= 2)
    #expect(Set(report.failures.map(\.fingerprint)).count == report.failures.count)
    for failure in report.failures { print(failure.summary, failure.seedCount) }
  }

  @Test func `a failure that needs no fault is said to need none, and not shrunk`() async throws {
    let report = try await FailureSearch("flaky", seeds: 5..<10).run { _ in throw Short(count: 0) }
    let failure = try #require(report.failures.first)
    guard case .withoutFault = failure.outcome else {
      Issue.record("\(failure)")
      return
    }
    #expect("\(report)".contains("It fails without any fault: the network's conditions have nothing to do with it."))
    #expect(!"\(report)".contains("@Test"))
  }
}

private func request(_ url: String) -> URLRequest {
  URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: "/"))
}
