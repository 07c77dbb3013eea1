let benchmark = try RetryBenchmark(profiles: ["3G", "tunnel"], seeds: 0..<1000)
let report = try await benchmark.run([
  Candidate(named: "none"),
  Candidate(named: "full-jitter"),
  Candidate("ours") { network, request in _ = try await OurClient(network.session, network.clock).send(request) },
])
print(report)
try Data(HTMLReport(report).text.utf8).write(to: URL(fileURLWithPath: "report.html"))
