import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import NetworkProxy

/// A proxy as other programs have it: `curl` through it against the simulator, and against a file of measured transfers.
///
/// `NETCOND_CASES` names such a file, in the form of `netcond simulate --cases`: of its transfers, those without loss that take less
/// than five seconds are made.
enum Proxying {
  /// A transfer of curl's, and how long it should take.
  private struct Case {
    var profile: NetworkProfile
    var isUpload = false
    var bytes: Int64
    var expected: Double
  }

  static func run() async throws {
    try await Child.withServer { server in
      let simulated = try fidelity(of: simulatedCases, server)
      report("curl against the simulator", simulated.words, goal: "median within 1 %, nine in ten within 5 %")
      report("handed over behind the simulated arrival", simulated.late, goal: "median below 1 ms")
      if let path = ProcessInfo.processInfo.environment["NETCOND_CASES"] {
        let measured = try fidelity(of: measuredCases(path), server)
        report("curl against measured transfers", measured.words, goal: "median within 1 %, nine in ten within 5 %")
        report("handed over behind the simulated arrival", measured.late, goal: "median below 1 ms")
      }
      try forwarding(server)
    }
  }

  // MARK: Fidelity

  private static func fidelity(of cases: [Case], _ server: String) throws -> (words: String, late: String) {
    let late = Locked<[Double]>([])
    var errors: [Double] = []
    for item in cases {
      let proxy = try NetworkProxy(item.profile)
      defer { proxy.stop() }
      proxy.observe { [unowned proxy] event in
        guard case .received = event.kind else { return }
        let behind = Double(event.time.duration(to: proxy.now).wholeNanoseconds) / 1e6
        late.withLock { $0.append(behind) }
      }
      let times = try (0..<3).map { _ in try curl(item, proxy, server) }
      errors.append(abs(times.median / item.expected - 1) * 100)
    }
    let all = late.value
    return (
      "median \(errors.median.fixed(2)) %, nine in ten \(errors.quantile(0.9).fixed(2)) %, worst "
        + "\((errors.max() ?? .nan).fixed(2)) % of \(cases.count)",
      "median \(all.median.fixed(3)) ms, 99th percentile \(all.quantile(0.99).fixed(2)) ms"
    )
  }

  /// Runs curl once, and says how many seconds it took.
  private static func curl(_ item: Case, _ proxy: NetworkProxy, _ server: String) throws -> Double {
    var words = ["-x", proxy.url.absoluteString]
    if item.isUpload {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("netcond-upload")
      try Data(count: Int(item.bytes)).write(to: file)
      words += ["-H", "Expect:", "-T", file.path, "\(server)status/201"]
    } else {
      words.append("\(server)bytes/\(item.bytes)")
    }
    return try curl("time_total", words)
  }

  /// Runs curl, and gives one of the figures that it knows of its transfer.
  private static func curl(_ figure: String, _ words: [String]) throws -> Double {
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

  /// Transfers of three links, as the simulator alone has them.
  private static var simulatedCases: [Case] {
    let links: [(Bandwidth?, Bandwidth?, Int)] = [
      (.kilobitsPerSecond(780), .kilobitsPerSecond(330), 200), (.megabitsPerSecond(12), .megabitsPerSecond(5), 70),
      (.megabitsPerSecond(50), .megabitsPerSecond(10), 40),
    ]
    return links.flatMap { down, up, roundTrip -> [Case] in
      let delay = Duration.milliseconds(roundTrip / 2)
      let profile = NetworkProfile(
        name: "link", down: LinkConditions(rate: down, delay: delay), up: LinkConditions(rate: up, delay: delay))
      return [1_000, 14_000, 100_000].map { bytes in
        Case(profile: profile, bytes: bytes, expected: simulated(profile, bytes))
      }
    }
  }

  /// The seconds of a transfer on a connection of its own; heads have the usual sizes.
  private static func simulated(_ profile: NetworkProfile, _ bytes: Int64) -> Double {
    var path = PathSimulator(seed: 0, schedule: profile.schedule)
    let stream = path.open(StreamRequest(key: 0, host: "127.0.0.1", port: 80))
    path.write(80, .up, on: stream, finishing: true)
    var end: SimulatedInstant?
    while end == nil, let next = path.nextEventTime {
      path.advance(to: next)
      var isAsked = false
      path.drainEvents { event in
        if event.kind == .requestReceived { isAsked = true }
        if event.kind == .responseReceived { end = event.time }
      }
      // The server writes its head by itself, which takes a segment of its own.
      if isAsked {
        path.write(120, .down, on: stream, finishing: false)
        path.write(bytes, .down, on: stream, finishing: true)
      }
    }
    return Double(end?.nanoseconds ?? 0) / 1e9
  }

  /// The transfers of a file that have no loss and take less than five seconds.
  private static func measuredCases(_ path: String) throws -> [Case] {
    struct File: Decodable {
      struct Entry: Decodable {
        struct Times: Decodable { var median: Double }
        var bytes: Int64
        var down_kbps, up_kbps, rtt_ms, loss: Double
        var queue_packets: Int
        var congestion_control, kind: String
        var total_s: Times
      }
      var cases: [Entry]
    }
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    return file.cases.compactMap { entry -> Case? in
      guard entry.loss == 0, entry.total_s.median < 5, ["get", "put"].contains(entry.kind),
        let control = PathConfiguration.CongestionControl(rawValue: entry.congestion_control)
      else { return nil }
      let delay = Duration.nanoseconds(Int64(entry.rtt_ms * 500_000))
      var conditions = PathConditions(
        down: LinkConditions(rate: .kilobitsPerSecond(entry.down_kbps), delay: delay),
        up: LinkConditions(rate: .kilobitsPerSecond(entry.up_kbps), delay: delay))
      conditions.down.queue = entry.queue_packets
      conditions.up.queue = entry.queue_packets
      var configuration = PathConfiguration()
      configuration.congestionControl = control
      let profile = NetworkProfile(name: "link", base: conditions, configuration: configuration)
      return Case(
        profile: profile, isUpload: entry.kind == "put", bytes: entry.bytes, expected: entry.total_s.median)
    }
  }

  // MARK: Forwarding

  /// Connects, asks for one byte, and waits for the end of the answer.
  private static func connection(to address: SocketAddress) throws -> Int {
    let socket = socket(AF_INET, SystemSocket.stream, 0)
    defer { close(socket) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = address.port.bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    _ = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let request = "GET /bytes/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    _ = request.utf8.withContiguousStorageIfAvailable { send(socket, $0.baseAddress, $0.count, 0) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var total = 0
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count <= 0 { return total }
      total += count
    }
  }

  /// Bytes in a second through the proxy without limits, beside those of other forwarders that are installed.
  private static func forwarding(_ server: String) throws {
    guard let port = URL(string: server)?.port else { return }
    let item = Case(profile: .unlimited, bytes: 2_000_000_000, expected: 1)
    func speed(_ root: String) throws -> Double {
      try curl("speed_download", ["\(root)bytes/\(item.bytes)"]) / 1e6
    }
    let direct = try (0..<3).map { _ in try speed(server) }.median
    for usesDispatch in [false, true] {
      let proxy = try NetworkProxy(
        .unlimited, seed: 0, listeningOn: .loopback(), timeScale: 1, usesDispatch: usesDispatch)
      defer { proxy.stop() }
      let opened = try proxy.forward(to: "127.0.0.1", port: UInt16(port))
      let through = try (0..<3).map { _ in try speed("http://\(opened)/") }.median
      let (_, time) = try timed { try (0..<200).forEach { _ in _ = try connection(to: opened) } }
      report(
        "2 GB through a forward, \(usesDispatch ? "Dispatch" : "the system's own readiness")",
        "\(through.fixed(0)) MB/s, direct \(direct.fixed(0)) MB/s; \((200 / time).fixed(0)) connections/s, each answered"
      )
    }
    let socat = Process()
    socat.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    socat.arguments = [
      "socat", "-b", "262144", "TCP-LISTEN:18933,reuseaddr,fork,bind=127.0.0.1", "TCP:127.0.0.1:\(port)",
    ]
    socat.standardError = FileHandle.nullDevice
    try socat.run()
    Thread.sleep(forTimeInterval: 0.5)
    guard socat.isRunning else { return report("socat, which is not installed", "not measured") }
    defer { socat.terminate() }
    let other = try (0..<3).map { _ in try speed("http://127.0.0.1:18933/") }.median
    report("the same through socat", "\(other.fixed(0)) MB/s", goal: "the proxy at least 0.7 of it")
  }
}
