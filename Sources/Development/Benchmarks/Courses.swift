import NetworkConditions
import URLLoading

/// Prints fingerprints of a fixed set of scenarios: a refactoring must not change them.
///
/// Run `swift run -c release Benchmarks courses > before`, refactor, run it again and compare both files.
enum Courses {
  private static let seeds: Range<UInt64> = 0..<5

  static func run() async throws {
    for profile in try NetworkProfile.all {
      line("transfers", profile.name, transfers(over: profile.schedule))
      line("HTTP/3", profile.name, transfers(over: profile.schedule, isQuic: true))
    }
    for (name, conditions) in links {
      for control in PathConfiguration.CongestionControl.allCases {
        line("link", "\(name), \(control)", transfers(over: ConditionSchedule(conditions), control))
        line("HTTP/3", "\(name), \(control)", transfers(over: ConditionSchedule(conditions), control, isQuic: true))
        line("packets", "\(name), \(control)", packets(over: ConditionSchedule(conditions), control))
      }
    }
    for profile in try NetworkProfile.all where !profile.name.contains(".") {
      line("client", profile.name, try await clients(under: profile))
    }
  }

  private static func line(_ kind: String, _ name: String, _ hash: TraceHash) {
    print("\(hash) \(kind) \(name)")
  }

  // MARK: Transfers

  /// Runs each kind of transfer with each seed, over TCP or QUIC.
  private static func transfers(
    over schedule: ConditionSchedule, _ control: PathConfiguration.CongestionControl = .cubic, isQuic: Bool = false
  ) -> TraceHash {
    var hash = TraceHash()
    for var scenario in kinds(over: schedule) {
      scenario.configuration.congestionControl = control
      if isQuic { (scenario.isSecure, scenario.version) = (true, .http3) }
      for seed in seeds { add(scenario.run(seed: seed), to: &hash) }
    }
    return hash
  }

  private static func kinds(over schedule: ConditionSchedule) -> [TransferScenario] {
    let get = TransferScenario(.get, bytes: 200_000, over: schedule)
    let put = TransferScenario(.put, bytes: 50_000, over: schedule)
    var warm = get
    warm.isWarm = true
    var many = TransferScenario(.get, bytes: 20_000, over: schedule)
    many.parallel = 8
    many.needsResolution = true
    var secure = many
    secure.isSecure = true
    secure.version = .http2
    var late = put
    late.schedule = schedule.starting(at: SimulatedInstant(nanoseconds: 44_000_000_000))
    return [get, put, warm, many, secure, late]
  }

  private static func add(_ outcome: TransferScenario.Outcome, to hash: inout TraceHash) {
    for time in [outcome.resolve, outcome.connect, outcome.secure, outcome.firstByte, outcome.total] {
      hash.add(time.map { "\($0.components.seconds) \($0.components.attoseconds)" } ?? "-")
    }
    for way in [outcome.up, outcome.down] {
      hash.add("\(way.packets) \(way.bytes) \(way.lost) \(way.retransmissions)")
    }
    hash.add(outcome.failure == nil ? "" : "failed")
  }

  // MARK: Packets

  /// All packets of a download and an upload that share a link.
  private static func packets(
    over schedule: ConditionSchedule, _ control: PathConfiguration.CongestionControl
  ) -> TraceHash {
    var hash = TraceHash()
    var configuration = PathConfiguration()
    configuration.congestionControl = control
    for seed in seeds {
      var path = PathSimulator(seed: seed, schedule: schedule, configuration: configuration)
      path.recordPackets()
      let streams = (0..<2).map { number in
        path.open(
          StreamRequest(
            key: UInt64(number), host: "192.0.2.1", port: 80, isSecure: false, version: .http1, needsResolution: true))
      }
      var ended = 0
      while ended < streams.count, let next = path.nextEventTime, next.nanoseconds < 120_000_000_000 {
        path.advance(to: next)
        var events: [PathEvent] = []
        path.drainEvents { events.append($0) }
        for event in events {
          guard let stream = event.stream else { continue }
          let isUpload = stream == streams[1]
          switch event.kind {
          case .connected: path.write(isUpload ? 100_000 : 80, .up, on: stream, finishing: true)
          case .requestReceived: path.write(isUpload ? 200 : 100_000, .down, on: stream, finishing: true)
          case .responseReceived, .failed: ended += 1
          default: break
          }
        }
      }
      for record in path.packetLog?.records ?? [] {
        hash.add(
          """
          \(record.time.nanoseconds) \(record.connection) \(record.direction) \(record.kind) \(record.firstByte) \
          \(record.length) \(record.acknowledged) \(record.congestionWindow) \(record.inFlight) \(record.queue)
          """)
      }
    }
    return hash
  }

  /// Links with one impairment each.
  private static var links: [(String, PathConditions)] {
    let plain = LinkConditions(rate: .megabitsPerSecond(2), delay: .milliseconds(30))
    func link(_ name: String, _ change: (inout LinkConditions) -> Void) -> (String, PathConditions) {
      var changed = plain
      change(&changed)
      return (name, PathConditions(down: changed, up: changed))
    }
    return [
      link("plain") { _ in },
      link("short queue") { $0.queue = 5 },
      link("loss") { $0.loss = .independent(.percent(2)) },
      link("bursts") { $0.loss = .bursts(GilbertElliott(goodToBad: .percent(1), badToGood: .percent(30))) },
      link("jitter") { $0.jitter = Jitter(.normal, spread: .milliseconds(10)) },
      link("reordering") {
        $0.jitter = Jitter(.pareto, spread: .milliseconds(10), correlation: .percent(25))
        $0.reorders = true
      },
    ]
  }

  // MARK: Clients

  /// A session client whose requests include an upload, a redirect and a slow response, with retries.
  private static func clients(under profile: NetworkProfile) async throws -> TraceHash {
    var hash = TraceHash()
    for seed in seeds {
      let run = try await Simulation(profile, seed: seed) { network in
        network.stub(.post, "/upload", with: .status(201))
        network.stub("/slow", with: .text("late").after(.seconds(3)))
        network.stub("/moved", with: .redirect(to: "/large"))
        network.stub("/**", with: .bytes(count: 40_000))
        for path in ["first", "moved", "slow", "upload", "large"] {
          guard let url = URL(string: "https://api.example.com/\(path)") else { return }
          var request = URLRequest(url: url)
          request.timeoutInterval = 10
          if path == "upload" {
            request.httpMethod = "POST"
            request.httpBody = Data(count: 30_000)
          }
          for attempt in 1...2 {
            if (try? await network.session.data(for: request, delegate: nil)) != nil { break }
            try await network.clock.sleep(for: .seconds(attempt))
          }
        }
      }
      hash.add("\(run.traceHash) \(run.elapsed.components.seconds) \(run.elapsed.components.attoseconds)")
    }
    return hash
  }
}
