import LinkSimulator
import NetworkConditions
import URLLoading

/// Timelines for tests, each recorded in virtual time.
enum SampleNetworks {
  /// A train behind a captive portal and through a tunnel, with a fault rule: few events, but every kind of event.
  static let train = NetworkProfile(
    name: "our train",
    base: PathConditions(
      down: LinkConditions(
        rate: .megabitsPerSecond(4), delay: .milliseconds(35), jitter: Jitter(.normal, spread: .milliseconds(8))),
      up: LinkConditions(rate: .megabitsPerSecond(2), delay: .milliseconds(35))),
    phases: [
      NetworkProfile.Phase("open track", for: .seconds(6), conditions: conditions()),
      NetworkProfile.Phase("portal", for: .seconds(3), conditions: conditions(.kilobitsPerSecond(600), loss: 6)),
      NetworkProfile.Phase("tunnel", for: .seconds(5), conditions: conditions(outage: .drop)),
    ],
    repeats: true,
    faults: [FaultRule(.status(code: 503), match: RequestMatch(path: "/pay"), probability: .percent(60))])

  /// A POST on a kept-alive connection that the server has closed; Foundation on Linux repeats it without its body.
  static func repeated() async throws -> Timeline {
    var profile = plain
    profile.configuration.serverKeepAlive = .seconds(5)
    profile.configuration.repeats = .bodiless
    return try await Simulation(profile) { network in
      network.stub("/**", with: .text("a"))
      var request = URLRequest(url: URL(string: "http://192.0.2.1/pay")!, timeoutInterval: 20)
      _ = try await network.data(for: request)
      try await network.clock.sleep(for: .milliseconds(5_010))
      request.httpMethod = "POST"
      request.httpBody = Data("x".utf8)
      _ = try? await network.data(for: request)
      return network.timeline
    }.value
  }

  private static func conditions(
    _ rate: Bandwidth = .megabitsPerSecond(4), loss: Double = 0.2, outage: PathConditions.Outage? = nil
  ) -> PathConditions {
    PathConditions(
      down: LinkConditions(
        rate: rate, delay: .milliseconds(35), jitter: Jitter(.normal, spread: .milliseconds(8)),
        loss: .independent(.percent(loss))),
      up: LinkConditions(rate: .megabitsPerSecond(2), delay: .milliseconds(35)), outage: outage)
  }

  /// Sequential requests, and some simultaneous ones.
  static func ride(_ count: Int, seed: UInt64 = 7, every pause: Duration = .milliseconds(700), packets: Bool = false)
    async throws -> Timeline
  {
    try await Simulation(train, seed: seed) { network in
      network.recordsPackets = packets
      for path in ["/feed", "/pay", "/photo/*", "/upload"] {
        let isPhoto = path == "/photo/*"
        network.stub("\(path)", with: .bytes(count: isPhoto ? 180_000 : 24_000).after(.milliseconds(60)))
      }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<count {
          group.addTask {
            try? await network.clock.sleep(for: pause * number)
            let paths = ["/feed?page=\(number)", "/photo/\(number).jpg", "/pay", "/upload"]
            var request = URLRequest(url: URL(string: "https://api.example.com\(paths[number % 4])")!)
            request.timeoutInterval = 4
            if number % 4 == 3 {
              request.httpMethod = "PUT"
              _ = try? await network.upload(for: request, from: Data(count: 120_000))
            } else {
              _ = try? await network.data(for: request)
            }
          }
        }
      }
      return network.timeline
    }.value
  }

  /// A link with round numbers: 1 Mbit/s and 50 ms each way.
  static let plain = NetworkProfile(
    name: "plain", down: LinkConditions(rate: .megabitsPerSecond(1), delay: .milliseconds(50)),
    up: LinkConditions(rate: .megabitsPerSecond(1), delay: .milliseconds(50)))

  /// Sequential requests to one server with an IP address instead of a name.
  static func plain(
    _ paths: String..., profile: NetworkProfile = plain, bytes: Int64 = 3_000, server: String = "http://192.0.2.1",
    recordsPackets: Bool = false
  ) async throws -> Timeline {
    try await Simulation(profile, seed: 1) { network in
      network.recordsPackets = recordsPackets
      network.stub("/refused", with: .status(404))
      network.stub("*", with: .bytes(count: bytes))
      for path in paths {
        var request = URLRequest(url: URL(string: server + path)!)
        request.setValue("Bearer s3cret-token", forHTTPHeaderField: "Authorization")
        request.setValue("session=s3cret-cookie", forHTTPHeaderField: "Cookie")
        _ = try? await network.data(for: request)
      }
      return network.timeline
    }.value
  }
}
