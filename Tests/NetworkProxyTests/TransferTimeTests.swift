import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@testable import NetworkProxy

/// Compares transfers through the proxy with transfers of the simulator alone.
struct TransferTimeTests {
  /// Links like those of the measurements: rates in kbit/s, round trip, and share of lost packets.
  private static let links: [(down: Double, up: Double, roundTrip: Duration, loss: Double)] = [
    (50_000, 10_000, .milliseconds(100), 0), (40_000, 33_000, .milliseconds(2), 0), (1_600, 750, .milliseconds(150), 0),
    (50_000, 10_000, .milliseconds(100), 0.01), (200_000, 200_000, .milliseconds(60), 0),
  ]

  private static func profiles(_ control: PathConfiguration.CongestionControl) -> [NetworkProfile] {
    links.map { link in
      let loss: LossModel = link.loss > 0 ? .independent(.percent(link.loss * 100)) : .none
      func conditions(_ rate: Double) -> LinkConditions {
        LinkConditions(rate: .kilobitsPerSecond(rate), delay: link.roundTrip / 2, loss: loss, queue: 100)
      }
      var configuration = PathConfiguration()
      configuration.congestionControl = control
      let path = PathConditions(down: conditions(link.down), up: conditions(link.up))
      return NetworkProfile(name: "link", base: path, configuration: configuration)
    }
  }

  /// A head padded to `count` bytes.
  private static func head(_ lines: String, of count: Int) -> String {
    "\(lines)\r\nA: \(String(repeating: "a", count: count - lines.utf8.count - 9))\r\n\r\n"
  }

  /// Runs the same transfer in the simulator, without the proxy.
  private static func alone(_ method: TransferScenario.Method, _ bytes: Int, _ profile: NetworkProfile) -> Duration? {
    var scenario = TransferScenario(method, bytes: Int64(bytes), over: profile.schedule)
    scenario.configuration = profile.configuration
    return scenario.run(seed: 0).total
  }

  private static let sizes = [14_000, 600_000]

  @Test(arguments: PathConfiguration.CongestionControl.allCases)
  func `a download through the proxy takes as long as in the simulator`(_ control: PathConfiguration.CongestionControl)
  {
    for profile in Self.profiles(control) {
      for bytes in Self.sizes {
        let bench = ProxyBench(profile)
        let headSize = 250 + String(bytes).count
        let head = Self.head("HTTP/1.1 200 OK\r\nContent-Length: \(bytes)", of: headSize)
        bench.server = { _ in Array(head.utf8) + [UInt8](repeating: 7, count: bytes) }
        // The proxy takes the host's name from the first line, which leaves 80 bytes.
        let client = bench.client(
          Self.head("GET http://192.0.2.1/a HTTP/1.1\r\nHost: 192.0.2.1", of: 80 + "http://192.0.2.1".utf8.count))
        bench.run(for: .seconds(60))
        #expect(bench.sockets.ends[client]?.outgoing.count == headSize + bytes)
        #expect(bench.timeline.transfers[0].elapsed == Self.alone(.get, bytes, profile))
      }
    }
  }

  @Test func `a tunnel's request counts as arrived at its first bytes, even if more follow`() throws {
    func transfer(speaksOn: Bool) -> Transfer {
      let bench = ProxyBench(.plain())
      let client = bench.client("CONNECT 192.0.2.1:443 HTTP/1.1\r\n\r\n")
      bench.run(for: .seconds(1))
      bench.say("hello", client)
      bench.run(for: .milliseconds(10))
      if speaksOn { bench.say("world", client) }
      bench.run(for: .seconds(1))
      return bench.timeline.transfers[0]
    }
    let (once, twice) = (transfer(speaksOn: false), transfer(speaksOn: true))
    #expect(twice.requestSent == once.requestSent && twice.requestReceived == once.requestReceived)
    #expect(once.requestReceived != nil)
  }

  @Test(arguments: PathConfiguration.CongestionControl.allCases)
  func `an upload through the proxy takes as long as in the simulator`(_ control: PathConfiguration.CongestionControl) {
    for profile in Self.profiles(control) {
      for bytes in Self.sizes {
        let bench = ProxyBench(profile)
        let head = Self.head(
          "PUT http://192.0.2.1/a HTTP/1.1\r\nHost: 192.0.2.1\r\nContent-Length: \(bytes)",
          of: 106 + "http://192.0.2.1".utf8.count)
        var received = 0
        bench.server = { new in
          received += new.count
          return received < 106 + bytes
            ? [] : Array(Self.head("HTTP/1.1 201 Created\r\nContent-Length: 0", of: 200).utf8)
        }
        _ = bench.client(head + String(repeating: "b", count: bytes))
        bench.run(for: .seconds(60))
        #expect(received == 106 + bytes)
        #expect(bench.timeline.transfers[0].elapsed == Self.alone(.put, bytes, profile))
      }
    }
  }
}
