import FailureSearch
import FormatFuzzing
import NetworkConditions
import RetryBenchmark
import URLLoading

/// Damaged tokens, schedules, shards and baselines: each gives a one-line error or a usable value.
enum HostileDocuments {
  /// Reads and uses one kind of document; throws if it is refused.
  private typealias Use = ([UInt8], _ number: Int) throws -> Void

  static func run() async throws {
    let schedule = try FaultSchedule(
      "tunnel", seed: 7,
      faults: [
        .request(.post, "https://api.example.com/pay", nth: 2, .reset(after: 1200)),
        .request(.get, "/feed", .status(code: 503, retryAfter: .seconds(3))),
        .packetLost(12, .down, of: "api.example.com:443"), .outage(from: .seconds(4), for: .seconds(12)),
      ])
    let schedules = [Array(schedule.formatText.utf8)]
    let tokens = [ReplayToken(schedule), ReplayToken(try .named("flaky"), seed: 9, start: .seconds(3))].map { "\($0)" }
    try fuzz("tokens, as text", tokens.map { Array($0.utf8) }, count: 10_000) { bytes, _ in
      try use(ReplayToken(String(decoding: bytes, as: UTF8.self), acceptsStale: true))
    }
    try fuzz("tokens, behind their checksum", try tokens.map(payload), count: 15_000) { bytes, _ in
      try use(ReplayToken(ReplayToken.text(signing: String(decoding: bytes, as: UTF8.self)), acceptsStale: true))
    }
    try fuzz("schedules", schedules, count: 10_000) { bytes, _ in
      try use(ReplayToken(try FaultSchedule(json: Data(bytes))))
    }
    try await shards()
    try baselines()
  }

  private static func payload(_ token: String) throws -> [UInt8] {
    var text = token.split(separator: ":")[1].split(separator: ".")[0].replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    return Array(Data(base64Encoded: text) ?? Data())
  }

  private static func use(_ token: ReplayToken) throws {
    let again = try ReplayToken("\(token)")
    precondition(again == token, "a token changes when it is written and read")
    _ = "\(token.content)"
    let network = SimulatedNetwork(replaying: token, pace: .immediate)
    _ = "\(network)"
    network.invalidate()
  }

  /// Shards of explorations and benchmarks: a readable one can be merged with another and printed.
  private static func shards() async throws {
    var exploration = try FailureSearch.everyFault(upTo: 1, under: "3G")
    exploration.faults = FaultKinds([.reset, .status])
    var shares: [ExplorationReport] = []
    for number in 1...2 {
      exploration.shard = FaultExploration.Shard(number, of: 2) ?? .whole
      shares.append(
        try await exploration.run { network in
          network.stub("/a", with: .json("[1, 2, 3]"))
          _ = try await network.data(for: URLRequest(url: URL(string: "https://api.example.com/a")!))
        })
    }
    let (first, second) = (shares[0], shares[1])
    try fuzz("shares of an exploration", [Array(try first.json())], count: 15_000) { bytes, _ in
      var report = try ExplorationReport(json: Data(bytes))
      _ = ("\(report)", report.junit(), report.annotations(), ExplorationPage(report).text)
      try? report.merge(second)
      var other = second
      try? other.merge(report)
      _ = ("\(report)", "\(other)", try report.json(), ExplorationPage(other).text)
    }
    var benchmark = try RetryBenchmark(profiles: ["3G"], seeds: 0..<4)
    benchmark.shard = (0, 2)
    let part = try await benchmark.run(["none", "exponential"])
    benchmark.shard = (1, 2)
    let rest = try await benchmark.run(["none", "exponential"])
    try fuzz("shares of a benchmark, and baselines", [Array(try part.json())], count: 15_000) { bytes, number in
      let report = try RetryReport(json: Data(bytes))
      let whole = (try? RetryReport.merging([report, rest])) ?? report
      _ = (try? RetryComparison(part, to: report)).map { "\($0)\($0.junit)" }
      _ = ("\(whole)", try whole.json(), CSVReport(whole).text)
      if number % 8 == 0 { _ = (HTMLReport(whole).text, SVGReport(whole).text) }
    }
  }

  /// Megabytes of numbers, empty objects and nesting: they must be refused cheaply.
  private static func baselines() throws {
    let million = 10_000_000
    let bombs: [(String, [UInt8])] = [
      ("numbers", Array("[".utf8) + Array(repeating: Array("1,".utf8), count: million).joined() + Array("1]".utf8)),
      ("pairs", Array("{\"results\":[".utf8) + Array(repeating: Array("[1,2],".utf8), count: million / 3).joined()),
      ("objects", Array("{\"results\":[".utf8) + Array(repeating: Array("{},".utf8), count: million * 2 / 3).joined()),
      ("brackets", Array(repeating: UInt8(ascii: "["), count: 2 * million)),
    ]
    for (name, bytes) in bombs {
      let data = Data(bytes)
      let time = timed {
        _ = try? RetryReport(json: data)
        _ = try? ExplorationReport(json: data)
        _ = try? NetworkProfile(json: data.prefix(16 << 20))
      }.seconds
      report(
        "20 MB of \(name), read as a report, a share and a profile",
        "\(time.fixed(2)) s", goal: "under 2 s")
    }
    report("peak memory of all", "\(peakMegabytes().fixed(0)) MB", goal: "under 200 MB beside the 40 MB of the input")
  }

  private static func fuzz(_ name: String, _ documents: [[UInt8]], count: Int, _ use: Use) throws {
    var slowest = 0.0
    let outcome = FuzzOutcome(of: documents, count: count) { bytes, number in
      // Processor time, so that other programs do not count.
      let began = processorSeconds()
      defer { slowest = max(slowest, processorSeconds() - began) }
      try use(bytes, number)
    }
    for line in outcome.unclear.prefix(3) { print("  \(line)") }
    report(
      "\(count) damaged \(name)",
      "\(outcome.accepted) accepted, \(outcome.unclear.count) unclear errors, slowest \((slowest * 1000).fixed(0)) ms",
      goal: "none that traps, 0 unclear")
  }
}
