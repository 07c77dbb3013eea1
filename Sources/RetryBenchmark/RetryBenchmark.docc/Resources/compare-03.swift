let benchmark = try RetryBenchmark(profiles: ["3G", "tunnel"], seeds: 0..<1000)
