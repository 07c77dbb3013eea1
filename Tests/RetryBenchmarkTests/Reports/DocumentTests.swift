import NetworkConditions
import Pictures
import RetryBenchmark
import Testing

/// Whole documents, so that the test notices a change of any line, colour, place or number.
struct DocumentTests {
  @Test func `pages, charts and tables of a fixed benchmark equal the last reviewed ones`() async throws {
    let server = ServerModel(
      serviceTime: .milliseconds(100), capacity: 2, queueLength: 4, outages: [.seconds(1)..<(.seconds(3))])
    let workload = Workload(clients: 12, requestsPerClient: 2, method: "POST", requestBytes: 2_000)
    let benchmark = try RetryBenchmark(profiles: ["wifi", "flaky"], seeds: 0..<6, workload: workload, server: server)
    let policies = [
      "none", "immediate(attempts 3) + any-method", "full-jitter + any-method + per-try(2 s)",
      "full-jitter(attempts 4) + any-method + idempotency-key",
    ]
    let report = try await benchmark.run(try policies.map { try Candidate(named: $0) })
    let course = NamedTrial(
      profile: "flaky", policy: "none",
      trial: try await benchmark.trial(of: try Candidate(named: "none"), under: "flaky", seed: 1))
    let changes = try Picture.changes(
      of: ("retry.html", HTMLReport(report, trials: [course], command: "retry").text, "7c7ef155e8025391"),
      ("retry.svg", SVGReport(report, profile: "flaky", command: "retry").text, "0628f75176b157ff"),
      ("retry.csv", CSVReport(report).text, "b4746619fdedd791"),
      ("retry.json", String(decoding: try report.json(), as: UTF8.self), "18178e7bbd4a2709"),
      ("retry.txt", report.description, "07bb5f14f7e2f92a"))
    #expect(changes == [])
  }
}
