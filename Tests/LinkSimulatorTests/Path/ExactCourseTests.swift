import Testing

@testable import LinkSimulator

/// A run of a few requests that a number determines: network, versions, sizes, and lost, late and doubled packets.
struct DrawnCourse {
  private var random: TestRandom
  /// The figures of each request.
  private(set) var text = ""

  init(_ number: UInt64) {
    random = TestRandom(number)
    text = run()
  }

  /// The first figure of `text`, and its digest (FNV-1a).
  var summary: String {
    let digest = text.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return "\(text.prefix { $0 != " " }) \(digest)"
  }

  private mutating func pick<Value>(_ values: Value...) -> Value { values[Int(random.next(0..<Int64(values.count)))] }

  private mutating func link() -> LinkConditions {
    LinkConditions(
      rate: .kilobitsPerSecond(pick(300, 2_000, 6_000, 50_000)), delay: .milliseconds(pick(5, 20, 60, 250)),
      queue: pick(10, 40, 200))
  }

  private mutating func configuration() -> PathConfiguration {
    var configuration = PathConfiguration()
    configuration.congestionControl = pick(.cubic, .reno, .bbr)
    configuration.racesQuic = pick(true, false)
    configuration.certificates = pick(900, 3_114, 9_000)
    configuration.handshakeComputing = .milliseconds(pick(0, 0, 9))
    configuration.validatesAddresses = pick(false, false, true)
    configuration.scheduling = pick(.buffered, .fair)
    configuration.streamsPerConnection = pick(100, 100, 1)
    configuration.uploadBuffer = pick(nil, 8_000)
    configuration.resumesSessions = pick(false, true)
    configuration.migration = pick(.none, .server, .both)
    configuration.natTimeout = pick(nil, nil, nil, .seconds(9))
    configuration.serverKeepAlive = pick(nil, nil, nil, .seconds(5))
    return configuration
  }

  /// Up to four runs of packets, each lost, late or doubled.
  private mutating func faults(_ port: Int) -> [PacketFault] {
    var faults: [PacketFault] = []
    for _ in 0..<pick(0, 1, 2, 4) {
      let (start, count, step) = (Int(random.next(0..<60)), pick(1, 1, 2, 3, 9, 30), pick(1, 1, 2, 3))
      let late = PacketEffect.late(nanoseconds: pick(9_000_000, 40_000_000, 300_000_000, 1_500_000_000))
      let effect = pick(PacketEffect.lost, .lost, .lost, late, .doubled)
      let direction = pick(Direction.down, .down, .up)
      for number in stride(from: start, to: start + count * step, by: step) {
        faults.append(
          PacketFault(effect, of: PacketName(origin: "a.example:\(port)", direction: direction, number: number)))
      }
    }
    if pick(true, false, false) {
      faults.append(PacketFault(.lost, of: PacketName(origin: "dns a.example", direction: pick(.up, .down), number: 0)))
    }
    return faults
  }

  /// A fault of one request, or none.
  private mutating func fault() -> [StreamFault] {
    let place = random.next(0..<20_000)
    let faults: [StreamFault] = [
      .resolutionFailure, .refused, .unreachable, .handshakeFailure, .reset(direction: .down, afterBytes: place),
      .reset(direction: .up, afterBytes: place / 100), .stall(afterBytes: place, duration: .milliseconds(700)),
      .truncation(afterBytes: place), .slowClose(delay: .milliseconds(300)), .idleClose(after: .seconds(3)),
      .idleForget(after: .seconds(3)), .goAway, .streamReset(afterBytes: place),
    ]
    return pick(true, false, false, false) ? [faults[Int(random.next(0..<13))]] : []
  }

  private mutating func schedule() -> ConditionSchedule {
    var usual = PathConditions(down: link(), up: link(), dnsDelay: .milliseconds(pick(0, 3)))
    usual.udp = pick(.open, .open, .open, .blocked, .limited(.kilobitsPerSecond(900)))
    usual.model = pick(.link, .link, .link, .link, .link, .link, .link, .devTools)
    var other = PathConditions(down: link(), up: link())
    let isSteady = pick(true, true, false)
    other.outage = pick(nil, nil, .drop, .refuse)
    other.device.suspendsApp = pick(false, false, false, true)
    other.device.interface = pick(.unknown, .unknown, .cellular)
    let phases: [ConditionSchedule.Phase] = [
      .init(for: .milliseconds(random.next(50..<900)), conditions: usual),
      .init(for: .milliseconds(pick(30, 300, 3_000)), conditions: other), .init(conditions: usual),
    ]
    return (isSteady ? nil : ConditionSchedule(phases: phases)) ?? ConditionSchedule(usual)
  }

  /// Two rounds of requests with a pause between them.
  private mutating func run() -> String {
    let version = pick(StreamRequest.HTTPVersion.http1, .http2, .http3, .http3)
    let isSecure = version != .http1 || pick(true, false)
    let (schedule, configuration, faults) = (schedule(), configuration(), faults(isSecure ? 443 : 80))
    var harness = Harness()
    harness.path = PathSimulator(
      seed: 1, schedule: schedule, configuration: configuration, chance: .scheduled(faults))
    var streams: [StreamID] = []
    let other = isSecure ? pick(version, version, .http2) : version
    for limit in [Duration.seconds(40), .seconds(2_000)] {
      for _ in 0..<pick(1, 1, 3) {
        streams.append(
          harness.get(
            pick(300, 9_000, 60_000, 300_000, 2_000_000), request: pick(150, 150, 20_000, 90_000, 500_000), head: 100,
            key: UInt64(streams.count), isSecure: isSecure, version: streams.count == 1 ? other : version,
            priority: pick("u=1", "u=1, i", "u=5"),
            needsResolution: true, faults: fault()))
        if pick(true, false, false) { harness.run(until: .milliseconds(random.next(10..<400))) }
      }
      if pick(true, false, false, false, false) { harness.path.cancel(streams[0]) }
      harness.run(until: limit)
    }
    return streams.map { Self.figures(of: $0, in: harness) }.joined(separator: ", ")
  }

  /// The end of a response, or `x` and the time of a failure, and the mean arrival of its bytes, in microseconds; then
  /// the bytes of its packets.
  private static func figures(of stream: StreamID, in harness: Harness) -> String {
    var (end, sum, count): (String, Int64, Int64) = ("-", 0, 0)
    for event in harness.events(of: stream) {
      let time = SimulatedInstant.zero.duration(to: event.time).wholeNanoseconds / 1_000
      switch event.kind {
      case .responseReceived: end = "\(time)"
      case .failed: end = "x\(time)"
      case .received(let bytes): (sum, count) = (sum + time * bytes, count + bytes)
      case .uploaded, .requestSent: (sum, count) = (sum + time, count + 1)
      default: break
      }
    }
    let cost = harness.path.statistics(of: stream)
    return "\(end) \(count > 0 ? sum / count : 0) \(cost.down.bytes + cost.up.bytes)"
  }
}

struct ExactCourseTests {
  /// For each run its number, the microsecond in which the first request ended, and the digest of all figures.
  ///
  /// A changed rule of recovery, timers, windows, framing or scheduling changes some of them. Such a change needs a
  /// reason: a standard, a source, or a measurement.
  private static let courses = """
    7 3976661 1695365487, 9 1873041 3509561904, 13 23406998 2546840306, 19 2142000 2689946856,
    28 1660870 3854466317, 34 20695678 2257112810, 46 x0 3197831729, 55 5821252 634698644, 56 6755756 206168218,
    59 10010756 1619883038, 64 1359512 1246707633, 69 14317363 4136632828, 75 1388867 2086869520,
    79 60560000 3055823831, 81 82508516 3829801573, 95 15691956 2259755977, 115 x823000 1590613816,
    121 - 1558559639, 126 x50000 3446903750, 158 17742626 312776419, 172 4683696 3456935062,
    193 x816000 2436369698, 207 x242186 1337689414, 212 22526810 2600838158, 223 12318311 1152136579,
    240 x866000 5902956, 248 80685153 3770773544, 251 21418000 267182364, 258 x6296383 1586585144,
    274 8904654 1926600586, 280 327568 2554698330, 281 x30028103 2306933080, 294 3227333 2721845608,
    298 x20156 151359668, 300 x2591934 604583261, 313 - 555278037, 319 x290000 3206859408,
    326 6937697 3286231960, 334 x30000000 4162842622, 341 13877169 1175559058, 342 688984 499857801,
    366 - 3631586076, 370 x336000 306306811, 384 - 1399799564, 387 353589 1936669986, 391 - 1127993723,
    395 - 655459755, 402 711716 2753974684, 414 x3975000 1184413953, 421 - 1022752520, 423 7100874 2963363090,
    429 7605240 4023986169, 449 - 981286688, 454 - 3043986574, 457 3279000 2898605893, 464 70089478 3116441755,
    472 x511000 2770732386, 491 2202000 547997164, 492 44800253 2277498401, 494 1101054 3307195098,
    495 1750023 4227723593, 498 - 281180463, 513 x1034786 1814350795, 517 3142837 2835302867, 535 - 665066468,
    549 - 784049827, 555 4153974 1173243648, 556 - 3659567713, 565 60427111 46502921, 570 x1443349 4115045536,
    575 948162 1532678341, 578 365034 2757178877, 586 x139547707 395779409, 592 5546010 2244674663
    """

  @Test func `requests over lossy, late and changing networks end at exactly these times`() {
    for row in Self.courses.split(separator: ",") {
      let cells = row.split { $0 == " " || $0 == "\n" }
      let course = DrawnCourse(UInt64(cells[0]) ?? 0)
      #expect(course.summary == "\(cells[1]) \(cells[2])", "run \(cells[0]): \(course.text)")
    }
  }
}
