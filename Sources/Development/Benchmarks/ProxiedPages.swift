import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import NetworkProxy

/// A page of 33 resources through the proxy in real time, compared with the simulator.
///
/// Both use the same client: HTTP/1.1, two hosts, up to six connections per host, opened on demand. At LTE's rates the
/// programs' processing time distorts the result. So LTE's page is also loaded with the network slowed tenfold, where
/// that time counts a tenth.
enum ProxiedPages {
  /// A resource of the page: its host, body bytes and the resource that must arrive first.
  private typealias Thing = (host: Int, bytes: Int64, after: Int?)

  private static let things: [Thing] = [
    (0, 19_600, nil), (0, 12_500, 0), (1, 14_900, 0), (0, 12_500, 0), (0, 21_100, 0), (1, 51_200, 0), (0, 62_000, 0),
    (0, 60_500, 0), (0, 12_800, 0), (1, 20_000, 2), (1, 13_100, 1), (0, 2_600, 8), (1, 900, 8), (0, 8_300, 5),
    (0, 3_900, 0), (0, 9_800, 6), (1, 2_400, 2), (0, 21_300, 5), (1, 11_800, 4), (0, 1_300, 4), (1, 13_800, 5),
    (1, 4_900, 2), (1, 11_600, 0), (0, 4_300, 3), (1, 6_000, 3), (0, 4_100, 7), (0, 1_100, 0), (1, 3_500, 3),
    (1, 19_300, 0), (0, 27_000, 7), (1, 13_400, 0), (1, 15_300, 0), (0, 19_900, 0),
  ]

  static func run() async throws {
    try await Child.withServer { server in
      guard let port = URL(string: server)?.port.map({ UInt16($0) }) else { return }
      let head = Int64(try Proxying.curl("size_header", ["\(server)bytes/1"])) - 1
      for (name, rounds, pace) in [("EDGE", 1, 1.0), ("3G", 3, 1.0), ("LTE", 15, 1.0), ("LTE", 5, 0.1)] {
        var link = try NetworkProfile.named(name).base
        for direction in Direction.allCases {
          link[direction].jitter = nil
          link[direction].loss = .none
        }
        let profile = NetworkProfile(name: name, base: link)
        let proxied = try (0..<rounds).map {
          try load(through: profile, at: pace, seed: UInt64($0), from: port, headWithoutLength: head)
        }
        let simulated = simulate(over: profile)
        let apart = abs(proxied.median / simulated.median - 1) * 100
        report(
          "a page over \(name)" + (pace < 1 ? ", the network at \(pace.fixed(1)) of its pace" : ""),
          "proxy \(words(proxied)) s, simulator \(words(simulated)) s: \(apart.fixed(1)) % apart", goal: "3 %")
      }
    }
  }

  private static func words(_ times: [Double]) -> String {
    "\(times.median.fixed(3)) (\((times.min() ?? .nan).fixed(3)) to \((times.max() ?? .nan).fixed(3)))"
  }

  // MARK: The simulator

  private static func simulate(over profile: NetworkProfile) -> [Double] {
    let requests = things.enumerated().map { place, thing in
      var request = WorkloadScenario.Request(id: "\(place)", host: "\(thing.host)", path: path, method: .get)
      request.responseBytes = thing.bytes
      request.after = thing.after.map { [$0] } ?? []
      return request
    }
    var workload = WorkloadScenario(.http1, requests, over: profile.schedule)
    // The approximate processing time of the programs on this machine.
    workload.costs.call = .microseconds(20)
    workload.costs.thinking = .microseconds(60)
    workload.costs.waking = .microseconds(50)
    return (0..<31).compactMap { workload.run(seed: $0).total.map { $0 / .seconds(1) } }
  }

  // MARK: The proxy

  /// The longest path that fits in a request's head.
  private static let path = "/bytes/00000000"

  /// Loads the page and returns the network's time in seconds.
  private static func load(
    through profile: NetworkProfile, at pace: Double, seed: UInt64, from server: UInt16, headWithoutLength: Int64
  ) throws -> Double {
    let proxy = try NetworkProxy(profile, seed: seed, timeScale: pace)
    defer { proxy.stop() }
    var client = Client(proxy: UInt16(proxy.port), server: server, headWithoutLength: headWithoutLength)
    return try client.load() * pace
  }

  /// A single-threaded client.
  private struct Client {
    private struct Connection {
      var thing: Int
      /// The remaining bytes of the response.
      var left: Int
    }

    private let proxy: UInt16
    private let server: UInt16
    private let headWithoutLength: Int64
    private var sockets: [pollfd] = []
    private var connections: [Connection] = []
    /// By host: the idle connections, most recently used last; their total number; and the resources that wait for one.
    private var idle: [[Int]] = [[], []]
    private var count = [0, 0]
    private var waiting: [[Int]] = [[], []]

    init(proxy: UInt16, server: UInt16, headWithoutLength: Int64) {
      self.proxy = proxy
      self.server = server
      self.headWithoutLength = headWithoutLength
    }

    mutating func load() throws -> Double {
      defer { for socket in sockets { close(socket.fd) } }
      var left = things.count
      var buffer = [UInt8](repeating: 0, count: 256 << 10)
      let start = seconds()
      try begin(0)
      while left > 0 {
        guard poll(&sockets, nfds_t(sockets.count), 60_000) > 0 else { throw CocoaError(.fileReadUnknown) }
        for place in sockets.indices where sockets[place].revents != 0 {
          let got = recv(sockets[place].fd, &buffer, buffer.count, 0)
          guard got > 0 else { throw CocoaError(.fileReadUnknown) }
          connections[place].left -= got
          guard connections[place].left == 0 else { continue }
          left -= 1
          try finished(place)
        }
      }
      return seconds() - start
    }

    private mutating func begin(_ thing: Int) throws {
      let host = things[thing].host
      if let place = idle[host].popLast() { return ask(for: thing, on: place) }
      guard count[host] < 6 else { return waiting[host].append(thing) }
      count[host] += 1
      let socket = try Downloads.socket(port: proxy) { connect($0, $1, $2) }
      sockets.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
      connections.append(Connection(thing: thing, left: 0))
      ask(for: thing, on: sockets.count - 1)
    }

    /// Sends a request of the same size as the simulator's; its response has the same size, too.
    private mutating func ask(for thing: Int, on place: Int) {
      let bytes = things[thing].bytes
      // The simulator's head has 250 bytes plus the digits of the length; here the body fills the rest.
      let body = bytes + 250 - headWithoutLength
      let whole = body + headWithoutLength + Int64(String(body).count)
      let start = " /bytes/\(body) HTTP/1.1\r\nHost: 127.0.0.1:\(server)\r\nX: "
      let filler = String(repeating: "x", count: 137 + path.count - 3 - start.count - 4)
      let request = "GET http://127.0.0.1:\(server)\(start.dropFirst())\(filler)\r\n\r\n"
      connections[place] = Connection(thing: thing, left: Int(whole))
      _ = Array(request.utf8).withUnsafeBytes {
        send(sockets[place].fd, $0.baseAddress, $0.count, SystemSocket.sendFlags)
      }
    }

    private mutating func finished(_ place: Int) throws {
      let done = connections[place].thing
      let host = things[done].host
      if waiting[host].isEmpty {
        idle[host].append(place)
      } else {
        ask(for: waiting[host].removeFirst(), on: place)
      }
      for thing in things.indices where things[thing].after == done { try begin(thing) }
    }
  }
}
