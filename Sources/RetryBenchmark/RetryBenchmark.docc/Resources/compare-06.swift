let benchmark = try RetryBenchmark(profiles: ["3G", "tunnel"], seeds: 0..<1000)
let report = try await benchmark.run([
  Candidate("ours") { network, request in _ = try await OurClient(network.session, network.clock).send(request) }
])
try report.requireNoWorse(than: URL(fileURLWithPath: "Tests/retry-baseline.json"))
