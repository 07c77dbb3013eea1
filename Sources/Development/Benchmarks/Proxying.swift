import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import NetworkProxy

/// Runs `curl` through the proxy and compares its times with the simulator's and with measured transfers.
///
/// `NETCOND_CASES` names a file of measured transfers, in the format of `netcond simulate --cases`; transfers under
/// five seconds are made. Those with losses run once for each of `NETCOND_SEEDS` seeds. `NETCOND_CASES_SHOWN` prints
/// the times without losses and names a file for those with losses.
enum Proxying {
  /// A transfer of curl's and its expected seconds.
  private struct Case {
    var profile: NetworkProfile
    var isUpload = false
    var bytes: Int64
    var expected: Double
    /// The 90th percentile of the measured times, in seconds; NaN if the expected time is simulated.
    var expectedLate = Double.nan
    var isLossy = false
  }

  static func run() async throws {
    try await Child.withServer { server in
      guard let port = URL(string: server)?.port.map({ UInt16($0) }) else { return }
      try MangledInput.run(port)
      try fidelity(of: simulatedCases, server, against: "the simulator")
      if let path = ProcessInfo.processInfo.environment["NETCOND_CASES"] {
        let cases = try measuredCases(path)
        try fidelity(of: cases.filter { !$0.isLossy }, server, against: "measured transfers")
        try losses(of: cases.filter(\.isLossy), server)
      }
      try ProxyLoad.speed(server, port)
      try ProxyLoad.active(port)
      try ProxyLoad.idle()
    }
  }

  // MARK: Fidelity

  private static func fidelity(of cases: [Case], _ server: String, against whom: String) throws {
    let late = Locked<[Double]>([])
    var errors: [Double] = []
    var timelineErrors: [Double] = []
    for item in cases {
      let proxy = try NetworkProxy(item.profile)
      defer { proxy.stop() }
      proxy.observe { [unowned proxy] event in
        guard case .received = event.kind else { return }
        let behind = Double(event.time.duration(to: proxy.now).wholeNanoseconds) / 1e6
        late.withLock { $0.append(behind) }
      }
      let times = try (0..<3).map { _ in try curl(item, proxy, server) }
      let told = proxy.timeline.transfers.map { $0.elapsed / .seconds(1) }
      errors.append(abs(times.median / item.expected - 1) * 100)
      timelineErrors.append(abs(told.median / item.expected - 1) * 100)
      if ProcessInfo.processInfo.environment["NETCOND_CASES_SHOWN"] != nil {
        let figures = (times + [told.median, item.expected]).map { $0.fixed(4) }.joined(separator: " ")
        report("\(item.profile.base.down.rate.map { "\($0)" } ?? "") \(item.bytes)", figures)
      }
    }
    func words(_ errors: [Double]) -> String {
      "median \(errors.median.fixed(2)) %, nine in ten \(errors.quantile(0.9).fixed(2)) %, worst "
        + "\((errors.max() ?? .nan).fixed(2)) % of \(cases.count)"
    }
    report("curl against \(whom)", words(errors), goal: "median within 1 %, nine in ten within 5 %")
    report("the timeline against \(whom)", words(timelineErrors))
    let all = late.value
    report(
      "handed over behind the simulated arrival",
      "median \(all.median.fixed(3)) ms, 99th percentile \(all.quantile(0.99).fixed(2)) ms", goal: "median below 1 ms")
  }

  /// Makes transfers with losses under several seeds; four at a time, since they mostly wait.
  private static func losses(of cases: [Case], _ server: String) throws {
    guard let seeds = ProcessInfo.processInfo.environment["NETCOND_SEEDS"].flatMap(UInt64.init) else { return }
    let times = Locked([[Double]](repeating: [], count: cases.count))
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 4
    for seed in 0..<seeds {
      for (index, item) in cases.enumerated() {
        queue.addOperation {
          guard let proxy = try? NetworkProxy(item.profile, seed: seed) else { return }
          defer { proxy.stop() }
          guard let time = try? curl(item, proxy, server) else { return }
          times.withLock { $0[index].append(time) }
        }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    let all = times.value
    func off(_ quantile: Double, _ expected: (Case) -> Double) -> [Double] {
      zip(cases, all).map { abs($1.quantile(quantile) / expected($0) - 1) * 100 }
    }
    for (what, errors) in [("medians", off(0.5, \.expected)), ("slowest in ten", off(0.9, \.expectedLate))] {
      report(
        "curl with losses against measured transfers, the \(what)",
        "median \(errors.median.fixed(2)) % off, nine in ten \(errors.quantile(0.9).fixed(1)) %, of \(cases.count), "
          + "\(seeds) seeds each")
    }
    if let path = ProcessInfo.processInfo.environment["NETCOND_CASES_SHOWN"] {
      try JSONEncoder().encode(all).write(to: URL(fileURLWithPath: path))
    }
  }

  /// Runs curl once and returns its seconds.
  private static func curl(_ item: Case, _ proxy: NetworkProxy, _ server: String) throws -> Double {
    var words = ["-x", proxy.url.absoluteString]
    if item.isUpload {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("netcond-upload-\(item.bytes)")
      try Data(count: Int(item.bytes)).write(to: file, options: .atomic)
      words += ["-H", "Expect:", "-T", file.path, "\(server)status/201"]
    } else {
      words.append("\(server)bytes/\(item.bytes)")
    }
    return try curl("time_total", words)
  }

  /// Runs curl and returns one of its transfer figures.
  static func curl(_ figure: String, _ words: [String]) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["curl", "-s", "-o", "/dev/null", "-w", "%{\(figure)}"] + words
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Double(text) ?? .nan
  }

  /// Transfers over three links with the simulator's times.
  private static var simulatedCases: [Case] {
    let links: [(Bandwidth?, Bandwidth?, Int)] = [
      (.kilobitsPerSecond(780), .kilobitsPerSecond(330), 200), (.megabitsPerSecond(12), .megabitsPerSecond(5), 70),
      (.megabitsPerSecond(50), .megabitsPerSecond(10), 40),
    ]
    return links.flatMap { down, up, roundTrip -> [Case] in
      let delay = Duration.milliseconds(roundTrip / 2)
      let profile = NetworkProfile(
        name: "link", down: LinkConditions(rate: down, delay: delay), up: LinkConditions(rate: up, delay: delay))
      return [1_000, 14_000, 100_000].map { (bytes: Int64) -> Case in
        let total = TransferScenario(.get, bytes: bytes, over: profile.schedule).run(seed: 0).total
        return Case(profile: profile, bytes: bytes, expected: total.map { $0 / .seconds(1) } ?? .nan)
      }
    }
  }

  /// The transfers of a file that take less than five seconds.
  ///
  /// The measuring apparatus lengthened each round trip, so the simulated link adds the same.
  private static func measuredCases(_ path: String) throws -> [Case] {
    struct File: Decodable {
      struct Entry: Decodable {
        struct Times: Decodable { var median, p90: Double }
        var bytes: Int64
        var down_kbps, up_kbps, rtt_ms, loss: Double
        var queue_packets: Int
        var congestion_control, kind: String
        var total_s: Times
      }
      var cases: [Entry]
    }
    // In nanoseconds: the apparatus added 0.12 to 0.17 ms; `netcond simulate --cases` uses the same value.
    let apparatus: Int64 = 150_000
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    return file.cases.compactMap { entry -> Case? in
      guard entry.total_s.median < 5, ["get", "put"].contains(entry.kind),
        let control = PathConfiguration.CongestionControl(rawValue: entry.congestion_control)
      else { return nil }
      let delay = Duration.nanoseconds(Int64(entry.rtt_ms * 500_000) + apparatus / 2)
      var conditions = PathConditions(
        down: LinkConditions(rate: .kilobitsPerSecond(entry.down_kbps), delay: delay),
        up: LinkConditions(rate: .kilobitsPerSecond(entry.up_kbps), delay: delay))
      conditions.down.queue = entry.queue_packets
      conditions.up.queue = entry.queue_packets
      if entry.loss > 0 {
        conditions.down.loss = .independent(.percent(entry.loss * 100))
        conditions.up.loss = conditions.down.loss
      }
      var configuration = PathConfiguration()
      configuration.congestionControl = control
      let profile = NetworkProfile(name: "link", base: conditions, configuration: configuration)
      return Case(
        profile: profile, isUpload: entry.kind == "put", bytes: entry.bytes, expected: entry.total_s.median,
        expectedLate: entry.total_s.p90, isLossy: entry.loss > 0)
    }
  }
}
