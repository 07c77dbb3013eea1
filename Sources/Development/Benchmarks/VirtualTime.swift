import Internals
import NetworkConditions
import URLLoading

/// Simulations in virtual time: their speed, and whether one seed always gives one trace.
enum VirtualTime {
  static func run() async throws {
    let before = calls.map { nanoseconds($0.body) }
    try await retryingClient()
    try await manyClients()
    try await download()
    try await sleeps()
    for (call, before) in zip(calls, before) {
      let now = nanoseconds(call.body)
      report(
        "\(call.name) after the last simulation",
        "\(now.fixed(1)) ns, \((now / before).fixed(2)) of before the first", goal: "1.1")
    }
  }

  /// Calls that a simulation intercepts and otherwise passes on.
  private static let calls: [(name: String, body: @Sendable () -> Void)] = [
    ("Date()", { _ = Date() }), ("a lock", { lock.withLock {} }), ("a random number", { _ = UInt64.random(in: 0...9) }),
    ("a block on a queue", { queue.sync {} }),
  ]
  private static let lock = NSLock()
  private static let queue = DispatchQueue(label: "calls")

  /// The median time of a call, in nanoseconds.
  private static func nanoseconds(_ call: () -> Void) -> Double {
    (0..<21).map { _ in
      let start = seconds()
      for _ in 0..<20_000 { call() }
      return (seconds() - start) / 20_000 * 1e9
    }.median
  }

  /// A client with up to five attempts and waits of 1, 2, 4 and 8 s.
  static func retry(_ session: URLSession, _ clock: some Clock<Duration>, _ path: String, attempts: Int = 5) async
    -> Int
  {
    guard let url = URL(string: "https://api.example.com/\(path)") else { return 0 }
    for attempt in 0..<attempts {
      let status: Int
      do {
        let (_, response) = try await session.data(for: URLRequest(url: url), delegate: nil)
        status = (response as? HTTPURLResponse)?.statusCode ?? 0
      } catch {
        status = 0
      }
      if status == 200 { return attempt + 1 }
      try? await clock.sleep(for: .seconds(1 << attempt))
    }
    return attempts
  }

  private static func retryingClient() async throws {
    func measure(_ runs: Int, capturing capture: CaptureMode = .everything) async throws -> (
      hashes: Set<TraceHash>, milliseconds: [Double]
    ) {
      var hashes: Set<TraceHash> = []
      var times: [Double] = []
      for _ in 0..<runs {
        let start = seconds()
        let isCaptured = capture == .everything
        let run = try await Simulation("3G", seed: 42, capturing: capture) { network in
          network.stub(
            "/**",
            with: .sequence([.status(503), .error(.networkConnectionLost), .status(503), .status(503), .text("ok")]))
          return isCaptured
            ? await retry(network.session, ContinuousClock(), "order")
            : await retry(network.session, network.clock, "order")
        }
        times.append((seconds() - start) * 1000)
        hashes.insert(run.traceHash)
      }
      return (hashes, times)
    }
    let probe = timed { CaptureMode.obstacle }.seconds
    report("whether this process can capture, asked once", "\((probe * 1000).fixed(1)) ms", goal: "under 5 ms")
    let idle = try await measure(1000)
    report(
      "5 requests, 4 back-offs on ContinuousClock: courses in 1000 runs",
      "\(idle.hashes.count), \(idle.milliseconds.median.fixed(2)) ms a run", goal: "1, under 0.7 ms")
    let uncaptured = try await measure(1000, capturing: .nothing)
    report(
      "the same on the network's clock, not captured",
      "\(uncaptured.hashes.count), \(uncaptured.milliseconds.median.fixed(2)) ms a run", goal: "1, under 1 ms")
    let busy = try await withBusyProcessors { try await measure(200) }
    report(
      "the same with both cores busy, 200 runs",
      "\(idle.hashes.union(busy.hashes).count), \(busy.milliseconds.median.fixed(2)) ms a run", goal: "1")
  }

  private static func manyClients() async throws {
    var hashes: Set<TraceHash> = []
    var times: [Double] = []
    var events = 0
    for _ in 0..<20 {
      let start = seconds()
      let run = try await Simulation("wifi", seed: 7) { network in
        network.stub("/**", with: .sequence([.status(503), .text("ok")], then: .cycle))
        await withTaskGroup(of: Void.self) { group in
          for client in 0..<1000 {
            group.addTask { _ = await retry(network.session, network.clock, "\(client)", attempts: 2) }
          }
        }
      }
      times.append(seconds() - start)
      hashes.insert(run.traceHash)
      events = run.timeline.events.count
    }
    report(
      "1000 clients, \(events) events: courses in 20 runs", "\(hashes.count), \(times.median.fixed(3)) s a run",
      goal: "1, under 0.2 s for 7000 events")
  }

  private static func download() async throws {
    var times: [Double] = []
    var elapsed = Duration.zero
    for _ in 0..<11 {
      let start = seconds()
      elapsed = try await Simulation("3G", seed: 1) { network in
        network.stub("/**", with: .bytes(count: 5_000_000))
        guard let url = URL(string: "https://api.example.com/large") else { return }
        _ = try await network.session.data(for: URLRequest(url: url), delegate: nil)
      }.elapsed
      times.append((seconds() - start) * 1000)
    }
    report(
      "5 MB under 3G",
      "\((Double(elapsed.components.seconds)).fixed(0)) virtual seconds in \(times.median.fixed(1)) ms",
      goal: "under 20 ms")
  }

  private static func sleeps() async throws {
    let count = 200_000
    let start = seconds()
    _ = try await Simulation("3G") { network in
      for _ in 0..<count { try await network.clock.sleep(for: .milliseconds(10)) }
    }
    report("virtual sleeps", "\((Double(count) / (seconds() - start)).fixed(0))/s", goal: "500000/s")
  }

  // MARK: Many processes

  static let processes = 12
  static let simulations = 600

  /// Runs many processes, each with hundreds of simulations of cancelling clients.
  static func storm() async throws {
    let start = seconds()
    let children = try (0..<processes).map { _ in try Child.start(["simulation-storm"]) }
    var outputs: [String] = []
    var crashes = 0
    for (process, output) in children {
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      if process.terminationStatus != 0 { crashes += 1 }
      outputs.append(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    report(
      "\(processes) processes of \(simulations) simulations with 50 clients that cancel",
      "\(crashes) crashed, \(Set(outputs).count) course, \((seconds() - start).fixed(0)) s", goal: "no crash, 1 course")
  }

  static func stormChild() async throws {
    var hashes: Set<TraceHash> = []
    for _ in 0..<simulations {
      let run = try await Simulation("flaky", seed: 3) { network in
        network.stub("/**", with: .bytes(count: 3_000))
        await withTaskGroup(of: Void.self) { group in
          for client in 0..<50 {
            group.addTask { await impatient(network, client) }
          }
        }
      }
      hashes.insert(run.traceHash)
    }
    print(hashes.map(\.description).sorted().joined(separator: " "))
  }

  /// Gives each attempt a separate timeout and cancels it then.
  private static func impatient(_ network: SimulatedNetwork, _ client: Int) async {
    guard let url = URL(string: "https://api.example.com/\(client)") else { return }
    for attempt in 1...3 {
      let isDone = await withTaskGroup(of: Bool.self) { race in
        race.addTask { (try? await network.session.data(for: URLRequest(url: url), delegate: nil)) != nil }
        race.addTask {
          try? await network.clock.sleep(for: .milliseconds(200 * attempt + client))
          return false
        }
        let first = await race.next() ?? false
        race.cancelAll()
        return first
      }
      if isDone { return }
    }
  }
}
