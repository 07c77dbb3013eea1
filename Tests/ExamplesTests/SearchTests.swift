import ExampleClients
import ExampleSearches
import FailureSearch
import LinkSimulator
import NetworkConditions
import Testing

/// A search finds each planted mistake and shrinks it to the smallest fault that is known to suffice.
struct SearchTests {
  private static let seeds: Range<UInt64> = 0..<10_000

  /// Runs a search, makes the checks that hold for every search, and returns the faults that remain.
  private func faults(of example: ExampleSearch) async throws -> [ScheduledFault] {
    let report = try await example.run(.planted, seeds: Self.seeds)
    let failure = try #require(report.failures.first)
    guard case .shrunk(let shrunk) = failure.outcome else {
      Issue.record("\(failure)")
      return []
    }
    #expect(shrunk.reruns <= 500)
    #expect(shrunk.isComplete)
    #expect(shrunk.originalFaults > 1)
    #expect(shrunk.failedReruns == shrunk.confirmingReruns && shrunk.courses == 1)
    #expect("\(report)".contains(example.call))
    // Under the same faults the fix, and nothing else, makes the difference.
    await #expect(throws: SimulationFailure.self) { try await example.replay(shrunk.schedule, .planted) }
    let fixed = try await example.replay(shrunk.schedule, .fixed)
    #expect(fixed.unusedFaults.isEmpty)
    return shrunk.schedule.faults
  }

  @Test func `a search shrinks the failure of a shared timeout to one outage under 100 ms`() async throws {
    let left = try await faults(of: .feed)
    #expect(left.count == 1)
    guard case .outage(.drop, from: .zero, for: let duration?) = left.first?.kind else {
      Issue.record("\(left)")
      return
    }
    // The look-up of the host is lost; the resolver repeats it after 5 s, after the timeout. Two attempts would do.
    #expect(duration < .milliseconds(100))
  }

  @Test func `a search shrinks a double charge without an idempotency key to one lost response`() async throws {
    let left = try await faults(of: .checkout)
    #expect(left == [.request(.post, "https://api.example.com/payments", .reset(after: .zero))])
  }

  @Test func `a search shrinks the failure of an incomplete download to one truncated body`() async throws {
    let left = try await faults(of: .download)
    #expect(left.count == 1)
    guard case .request(let match, .truncate(after: let place)) = left.first?.kind else {
      Issue.record("\(left)")
      return
    }
    #expect(match.method == "GET" && match.url == "https://api.example.com/file" && match.nth != nil)
    // Some of the body must have arrived: with less than the head, the client asks for the part again.
    #expect((201..<6_000).contains(try #require(place.bytes)))
  }

  @Test(arguments: [ExampleSearch.feed, .checkout, .download])
  func `a search finds no failure in the fixed example`(_ example: ExampleSearch) async throws {
    let report = try await example.run(.fixed, seeds: 0..<40)
    #expect(report.runs == 40)
    #expect(report.failures.isEmpty, "\(report)")
  }
}
