import Foundation
import Internals
import LinkSimulator
import LoopbackServer
import NetworkConditions
import NetworkProxy

/// The proxy under load: throughput beside other forwarders, thousands of downloads, and idle connections.
enum ProxyLoad {
  // MARK: Speed

  /// A route to the server: its name, its URL and how to stop it.
  private typealias Way = (name: String, url: String, stop: () -> Void)

  /// Compares the throughput of the unlimited proxy with that of other installed forwarders, in turns.
  static func speed(_ server: String, _ port: UInt16) throws {
    var ways: [Way] = [("directly", server, {})]
    for usesDispatch in [false, true] {
      let proxy = try NetworkProxy(
        .unlimited, seed: 0, listeningOn: .loopback(), timeScale: 1, usesDispatch: usesDispatch)
      let opened = try proxy.forward(to: "127.0.0.1", port: port)
      let name = usesDispatch ? "through the proxy, Dispatch" : "through the proxy, the system's own readiness"
      ways.append((name, "http://\(opened)/", { proxy.stop() }))
    }
    ways += try otherForwarders(to: port)
    defer { for way in ways { way.stop() } }
    var speeds: [String: [Double]] = [:]
    for _ in 0..<5 {
      for way in ways {
        speeds[way.name, default: []].append(
          try Proxying.curl("speed_download", ["\(way.url)bytes/1000000000"]) / 1e6)
      }
    }
    for way in ways { report("1 GB \(way.name)", "\((speeds[way.name] ?? []).median.fixed(0)) MB/s") }
    let medians = ways.map { speeds[$0.name, default: []].median }
    report("the system's own readiness against Dispatch", (medians[1] / medians[2]).fixed(2))
    if let best = medians.dropFirst(3).max() {
      report("the proxy against the best other", (medians[1] / best).fixed(2), goal: "0.7")
    } else {
      report("the proxy against other forwarders", "neither haproxy nor socat is installed")
    }
    for way in ways.dropFirst() {
      guard let port = URL(string: way.url)?.port else { continue }
      let request = "GET /bytes/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      let rounds = try (0..<3).map { _ in
        try timed { for _ in 0..<300 { _ = try Downloads.run(1, port: UInt16(port), request, bytes: 1) } }.seconds
      }
      report(
        "connections \(way.name)", "\((300 / rounds.median).fixed(0)) in a second, one after another, each answered")
    }
  }

  private static func otherForwarders(to port: UInt16) throws -> [Way] {
    var ways: [Way] = []
    func add(_ name: String, _ arguments: [String], _ own: Int) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      Thread.sleep(forTimeInterval: 0.5)
      if process.isRunning { ways.append(("through \(name)", "http://127.0.0.1:\(own)/", { process.terminate() })) }
    }
    let (first, second) = (try LoopbackServer.refusingPort(), try LoopbackServer.refusingPort())
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("netcond-haproxy.cfg")
    try Data(
      """
      global
        maxconn 4000
      defaults
        mode tcp
        timeout connect 5s
        timeout client 60s
        timeout server 60s
        option splice-auto
      listen forward
        bind 127.0.0.1:\(first)
        server upstream 127.0.0.1:\(port)

      """.utf8
    ).write(to: file)
    try add("HAProxy", ["haproxy", "-db", "-f", file.path], first)
    try add(
      "socat",
      ["socat", "-b", "262144", "TCP-LISTEN:\(second),reuseaddr,fork,bind=127.0.0.1", "TCP:127.0.0.1:\(port)"], second)
    return ways
  }

  // MARK: Many at once

  /// A shared link whose queue holds all the SYNs that arrive at once.
  private static var fast: NetworkProfile {
    let way = LinkConditions(rate: .megabitsPerSecond(500), delay: .milliseconds(5), queue: 10_000)
    return NetworkProfile(name: "500 Mbit/s", down: way, up: way)
  }

  /// Makes 2,000 concurrent downloads, unlimited and over a shared link, and compares every byte.
  static func active(_ port: UInt16) throws {
    let bytes = 200_000
    for profile in [NetworkProfile.unlimited, fast] {
      let proxy = try NetworkProxy(profile)
      defer { proxy.stop() }
      let request =
        "GET http://127.0.0.1:\(port)/bytes/\(bytes) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n"
      let result = try Downloads.run(2_000, port: UInt16(proxy.port), request, bytes: bytes)
      report(
        "2,000 downloads of 200 kB, \(profile.name)",
        "\(result.whole) whole, every byte compared with what was to come, \(result.damaged) damaged or cut, "
          + "\(result.seconds.fixed(1)) s", goal: "all whole")
    }
  }

  // MARK: Idle connections

  /// The memory of a separate proxy process with up to 10,000 tunnels, as the descriptor limit allows.
  static func idle() throws {
    #if os(Linux)
      for limits in ["unlimited", "limited"] {
        let (sink, sinkOutput) = try Child.start(["sink"])
        let (proxy, proxyOutput) = try Child.start(["proxy-alone", limits])
        defer {
          sink.terminate()
          proxy.terminate()
        }
        func number(_ output: Pipe) -> UInt16? {
          UInt16(
            String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .newlines)
          )
        }
        guard let target = number(sinkOutput), let port = number(proxyOutput) else {
          throw CocoaError(.fileReadUnknown)
        }
        let count = min(10_000, (SystemSocket.raiseDescriptorLimit() - 200) / 2)
        let before = currentMegabytes(of: proxy.processIdentifier)
        let request = "CONNECT 127.0.0.1:\(target) HTTP/1.1\r\n\r\n"
        let (sockets, time) = try timed { try Downloads.tunnels(count, port: port, request) }
        Thread.sleep(forTimeInterval: 1)
        let after = currentMegabytes(of: proxy.processIdentifier)
        for socket in sockets { close(socket) }
        report(
          "\(sockets.count) idle tunnels, \(limits)",
          "\(after.fixed(0)) MB (\(before.fixed(0)) before), \((Double(count) / time).fixed(0)) in a second accepted and led on",
          goal: "10,000 below 150 MB")
      }
    #endif
  }

  /// Runs a proxy in this child process.
  static func serve(_ limits: String) throws {
    let proxy = try NetworkProxy(limits == "unlimited" ? .unlimited : fast)
    print(proxy.port)
    fflush(nil)
    Thread.sleep(forTimeInterval: 600)
    proxy.stop()
  }

  /// Accepts connections and ignores them.
  static func sink() throws {
    SystemSocket.raiseDescriptorLimit()
    let listener = try Downloads.socket(port: 0) { bind($0, $1, $2) }
    guard listen(listener, 4_096) == 0 else { throw CocoaError(.fileReadUnknown) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    print(UInt16(bigEndian: address.sin_port))
    fflush(nil)
    while accept(listener, nil, nil) >= 0 {}
  }
}
