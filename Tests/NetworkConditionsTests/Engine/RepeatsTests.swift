import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

/// The automatic retry of an HTTP library when a kept connection turns out to be closed.
struct RepeatsTests {
  /// A server at a distance of 50 ms that closes connections after 5 s of idle time.
  private static func profile(_ repeats: PathConfiguration.Repeats) -> NetworkProfile {
    let link = LinkConditions(delay: .milliseconds(50))
    var profile = NetworkProfile(name: "closing", down: link, up: link)
    profile.configuration.serverKeepAlive = .seconds(5)
    profile.configuration.repeats = repeats
    return profile
  }

  /// Sends a request that crosses the close; returns the client's result and its time, the number of requests at the
  /// server, and the transfers.
  private static func cross(
    _ repeats: PathConfiguration.Repeats, _ method: String, body: Data? = nil
  ) async throws -> (outcome: String, after: Duration, asked: Int, transfers: [Transfer]) {
    let run = try await Simulation(profile(repeats)) { network in
      network.stub("/first", with: .text("a"))
      let route = network.stub("/second", with: .text("b"))
      _ = try await network.session.data(for: URLRequest(url: url("https://shop.example/first")))
      try await network.clock.sleep(for: .seconds(5))
      let start = network.clock.now
      var request = URLRequest(url: url("https://shop.example/second"), timeoutInterval: 20)
      request.httpMethod = method
      request.httpBody = body
      let outcome: String
      do {
        outcome = String(decoding: try await network.session.data(for: request).0, as: UTF8.self)
      } catch let error as URLError {
        outcome = URLErrorNames.name(of: error.code)
      }
      return (outcome, start.duration(to: network.clock.now), route.requests.count)
    }
    return (run.value.0, run.value.1, run.value.2, run.timeline.transfers)
  }

  /// The request is sent as the connection closes; the client learns of it 50 ms later.
  ///
  /// Three round trips of 100 ms follow, for TCP, TLS and the request itself.
  @Test(arguments: [
    (PathConfiguration.Repeats.idempotent, "GET", false), (.idempotent, "DELETE", false), (.idempotent, "PUT", true),
    (.bodiless, "GET", false), (.bodiless, "POST", false),
  ])
  func `a repeatable request is sent again on a new connection when the old one closes`(
    repeats: PathConfiguration.Repeats, method: String, hasBody: Bool
  ) async throws {
    let crossing = try await Self.cross(repeats, method, body: hasBody ? Data("x".utf8) : nil)
    #expect(crossing.outcome == "b" && crossing.asked == 1 && crossing.after == .milliseconds(350))
    #expect(crossing.transfers.map(\.occurrence) == [1, 1, 2])
    #expect(
      crossing.transfers.map(\.outcome) == [.finished, .failed(.networkConnectionLost), .finished])
    #expect(crossing.transfers.map(\.reusedConnection) == [false, true, false])
    #expect(crossing.transfers.map(\.repetition) == [nil, nil, .whole])
  }

  @Test(arguments: [
    (PathConfiguration.Repeats.none, "GET", false), (.none, "POST", true), (.idempotent, "POST", false),
    (.idempotent, "PATCH", true),
  ])
  func `a request that may not be repeated fails when the connection closes`(
    repeats: PathConfiguration.Repeats, method: String, hasBody: Bool
  ) async throws {
    let crossing = try await Self.cross(repeats, method, body: hasBody ? Data("x".utf8) : nil)
    #expect(crossing.outcome == "networkConnectionLost" && crossing.asked == 0 && crossing.transfers.count == 2)
    #expect(crossing.after == .milliseconds(50))
  }

  @Test func `a redirect of a repeated request does not count as a repetition`() async throws {
    let run = try await Simulation(Self.profile(.idempotent)) { network in
      network.stub("/first", with: .text("a"))
      network.stub("/second", with: .redirect(to: "/third"))
      network.stub("/third", with: .text("b"))
      _ = try await network.session.data(for: URLRequest(url: url("https://shop.example/first")))
      try await network.clock.sleep(for: .seconds(5))
      _ = try await network.session.data(for: URLRequest(url: url("https://shop.example/second")))
    }
    #expect(run.timeline.transfers.map(\.repetition) == [nil, nil, .whole, nil])
  }

  @Test func `on Linux the platform repeats a request without its body and times out`() async throws {
    let crossing = try await Self.cross(.bodiless, "POST", body: Data("x".utf8))
    #expect(crossing.outcome == "timedOut" && crossing.asked == 0 && crossing.after == .seconds(20))
    let last = try #require(crossing.transfers.last)
    #expect(last.connected != nil && last.requestSent == nil && last.reusedConnection == false)
    #expect(last.repetition == .withoutBody)
    #expect(last.summary.hasSuffix("(sent again by the platform itself, without its body, so no answer comes)"))
  }

  @Test func `a request that its server fails on a kept connection is not repeated`() async throws {
    let run = try await Simulation(Self.profile(.idempotent)) { network in
      network.stub("/first", with: .text("a"))
      let route = network.stub("/second", with: .error(.networkConnectionLost))
      _ = try await network.session.data(for: URLRequest(url: url("https://shop.example/first")))
      await #expect(throws: URLError.self) {
        try await network.session.data(for: URLRequest(url: url("https://shop.example/second")))
      }
      return route.requests.count
    }
    #expect(run.value == 1 && run.timeline.transfers.map(\.reusedConnection) == [false, true])
  }

  @Test func `a request that is lost on a new connection is not repeated`() async throws {
    var profile = Self.profile(.idempotent)
    profile.faults = [FaultRule(.reset(after: .zero), probability: .percent(100))]
    let run = try await Simulation(profile) { network in
      network.stub("/**", with: .text("a"))
      return try? await network.session.data(for: URLRequest(url: url("https://shop.example/")))
    }
    #expect(run.value == nil && run.timeline.transfers.count == 1)
  }

  @Test func `a request is repeated at most five times`() async throws {
    var profile = Self.profile(.idempotent)
    // Every answer but the first of each connection is reset before its first byte; six connections are kept.
    profile.faults = [
      FaultRule(.reset(after: .zero), match: RequestMatch(path: "/dies"), probability: .percent(100))
    ]
    let run = try await Simulation(profile) { network in
      network.stub("/**", with: .text("a").after(.milliseconds(10)))
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<6 {
          group.addTask {
            _ = try? await network.session.data(for: URLRequest(url: url("http://shop.example/\(number)")))
          }
        }
      }
      do {
        _ = try await network.session.data(for: URLRequest(url: url("http://shop.example/dies")))
        return "answered"
      } catch let error as URLError {
        return URLErrorNames.name(of: error.code)
      }
    }
    #expect(run.value == "networkConnectionLost")
    #expect(run.timeline.transfers.count { $0.url.hasSuffix("/dies") } == 6)
    #expect(run.timeline.events.count { $0.kind == .repeated } == 5)
  }

  @Test func `a request whose response has begun is not repeated`() async throws {
    var profile = Self.profile(.idempotent)
    profile.faults = [FaultRule(.reset(after: .bytes(2_000)), match: RequestMatch(path: "/long"))]
    let run = try await Simulation(profile) { network in
      network.stub("/**", with: .bytes(count: 5_000))
      _ = try await network.session.data(for: URLRequest(url: url("http://shop.example/first")))
      let error = await #expect(throws: URLError.self) {
        try await network.session.data(for: URLRequest(url: url("http://shop.example/long")))
      }
      return error?.code
    }
    #expect(run.value == .networkConnectionLost)
    #expect(run.timeline.transfers.map(\.reusedConnection) == [false, true])
  }
}
