import NetworkConditions
import RetryBenchmark
import Testing

@testable import netcond

struct RetryOptionsTests {
  private static func options(_ words: String...) throws -> RetryOptions {
    try RetryOptions(Arguments(words, usage: RetryOptions.usage))
  }

  @Test(arguments: [("1", 2_000), ("4", 500), ("10", 200), ("20", 200), ("9999", 200)])
  func `a scenario runs fewer seeds for more requests, but at least 200`(requests: String, seeds: Int) throws {
    let options = try Self.options("--requests", requests)
    #expect(options.benchmark.seeds.count == seeds)
  }

  @Test func `the --server option keeps the scenario's outages and brown-outs`() throws {
    let usual = RetryScenario.overload.server
    let server = try Self.options("--scenario", "overload", "--server", "5 ms").benchmark.server
    #expect(server.serviceTime == .milliseconds(5) && server.brownOuts == usual.brownOuts)
    #expect(usual.brownOuts.count == 1)
    let poll = try Self.options("--scenario", "poll", "--server", "5 ms").benchmark.server
    #expect(poll.outages == [.seconds(5)..<(.seconds(10))])
  }

  @Test func `spreads and shapes of time distributions are read to three decimals`() throws {
    #expect(
      try ServerText.distribution("log-normal 20 ms x2.5", of: "server")
        == .logNormal(median: .milliseconds(20), spread: 2_500))
    #expect(
      try ServerText.distribution("pareto 20 ms ^1.125", of: "server")
        == .pareto(least: .milliseconds(20), shape: 1_125))
  }
}
