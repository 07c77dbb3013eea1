import ExampleClients
import ExampleSearches
import FailureSearch
import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import NetworkProxy
import Pictures
import ProfileFormats
import RetryBenchmark
import RetryPolicies
import Testing
import TimelineReports
import TrafficRecording
import URLLoading

/// The text that `print` shows for public types.
struct PrintedTests {
  /// The public types of these names, out of the sources.
  private static func names() throws -> Set<String> {
    var names: Set<String> = []
    let kinds =
      /(Report|Page|Picture|Drawing|Network|Proxy|Timeline|FaultSchedule|Profile|Policy|Backoff|Retry|Hedging|Pattern|Hash)$/
    let folder = Picture.root.appendingPathComponent("Sources")
    for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)!
    where file.pathExtension == "swift" && !file.path.contains("/Development/") {
      for match in try String(contentsOf: file, encoding: .utf8)
        .matches(of: /(?m)^public (?:struct|final class) (\w+)/) where match.1.contains(kinds)
      {
        names.insert(String(match.1))
      }
    }
    return names
  }

  private static func samples() async throws -> [String: Any] {
    let run = try await Simulation("tunnel", seed: 3) { network in
      network.stub("/**", with: .bytes(count: 20_000))
      for number in 0..<60 {
        _ = try? await network.data(for: URLRequest(url: URL(string: "https://api.example.com/\(number)")!))
      }
    }
    let network = SimulatedNetwork("tunnel", seed: 3)
    let timeline = run.timeline
    let search = try await ExampleSearch.feed.run(.planted, seeds: 0..<10)
    let explored = try await ExampleSearch.comment.explore(
      .planted, changing: { $0.faults.kinds = [.idleClose, .status, .stall] })
    let report = try await RetryBenchmark(profiles: ["tunnel"], seeds: 0..<5).run([Candidate(named: "none")])
    let proxy = try NetworkProxy("tunnel", seed: 3)
    proxy.stop()
    let policy = FullJitterBackoff().maximumAttempts(4).perTryTimeout(.seconds(5))
    let faults = (0..<100).map { ScheduledFault.outage(from: .seconds($0), for: .milliseconds(10)) }
    let policies: [any RetryPolicy] = [
      NoRetry(), ImmediateRetry(), FixedBackoff(delay: .seconds(1)), LinearBackoff(), ExponentialBackoff(),
      EqualJitterBackoff(), FullJitterBackoff(), DecorrelatedJitterBackoff(), GRPCRetry(), GRPCHedging(),
      AlamofireRetry(),
      URLLib3Retry(), policy, policy.budgeted(by: RetryBudget()), policy.guarded(by: CircuitBreaker()),
      policy.limited(by: Bulkhead(limit: 4)), policy.throttled(by: RetryThrottle()), policy.hedged(after: .seconds(1)),
      policy.rateLimited(by: RateLimiter()), policy.shedding(by: LoadShedder()),
      policy.authorized(by: AccessToken { "" }),
    ]
    let others: [Any] = [
      search, search.failures[0], explored, report, network, timeline, proxy, try FaultSchedule("3G", faults: faults),
      try NetworkProfile.named("tunnel"), try NetworkProfile.imported(Data("delay 5ms".utf8), as: .netem)[0],
      TimelinePage(timeline), URLPattern("/**"), MethodPattern.get, BodyPattern.text("hello"), timeline.traceHash,
      TimelinePicture(timeline), TimelineDrawing(timeline), TraceEventReport(timeline), ExplorationPage(explored),
      HTMLReport(report),
      SVGReport(report),
      CSVReport(report),
    ]
    return Dictionary((policies + others).map { ("\(type(of: $0))", $0) }) { first, _ in first }
  }

  @Test func `every printed public type shows words instead of Swift syntax and fits a screen`()
    async throws
  {
    let samples = try await Self.samples()
    let names = try Self.names()
    #expect(names.count > 30)
    #expect(names.subtracting(samples.keys).isEmpty, "\(names.subtracting(samples.keys))")
    for (name, sample) in samples {
      let text = "\(sample)"
      #expect(Excerpt.height(of: text) <= 48, "\(name): \(text)")
      #expect(!text.contains("\(name)(") && !text.hasPrefix("RetryPolicies.") && !text.contains("Optional("), "\(text)")
    }
  }

  @Test func `a printed retry policy is one line that starts with the innermost policy`() {
    let policy = FullJitterBackoff().maximumAttempts(4).perTryTimeout(.seconds(5)).budgeted(by: RetryBudget())
    #expect(
      "\(policy)" == "FullJitterBackoff (100 ms to 20 s, x2) + BudgetedPolicy: at most 4 attempts, 5 s each")
    #expect("\(NoRetry())" == "NoRetry: at most 1 attempt")
  }
}
