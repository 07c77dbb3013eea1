import FailureSearch
import NetworkConditions
import Testing
import URLLoading

/// Clients with planted mistakes, each broken by one kind of fault.
struct ServerFaultExplorationTests {
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  private static func explore(
    _ kind: FaultKinds.Kind, _ client: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws -> ExplorationReport {
    var exploration = try FailureSearch.everyFault(upTo: 1, of: [kind], under: "3G")
    exploration.timeLimit = nil
    return try await exploration.run { network in
      network.stub("/news", with: .bytes(count: 400).header("Cache-Control", "max-age=60"))
      try await client(network)
    }
  }

  @Test(arguments: [false, true])
  func `a slow response keeps a client waiting without an overall deadline`(hasDeadline: Bool) async throws {
    let report = try await Self.explore(.drip) { network in
      let configuration = network.sessionConfiguration
      configuration.timeoutIntervalForRequest = 20
      if hasDeadline { configuration.timeoutIntervalForResource = 60 }
      let session = network.session(with: configuration, delegate: nil)
      _ = try? await session.data(from: url("https://api.example.com/news"))
      if network.now > .zero.advanced(by: .seconds(70)) { throw Wrong(description: "the user waited") }
    }
    #expect(report.failures.isEmpty == hasDeadline)
    #expect(report.points == 1)
  }

  @Test(arguments: [false, true])
  func `a single reset stream breaks a client that does not retry`(asksAgain: Bool) async throws {
    let report = try await Self.explore(.resetStream) { network in
      let page = url("https://api.example.com/news")
      var data = try? await network.session.data(from: page).0
      if data == nil, asksAgain { data = try? await network.session.data(from: page).0 }
      if data?.count != 400 { throw Wrong(description: "nothing is shown") }
    }
    #expect(report.failures.isEmpty == asksAgain)
    #expect(report.points == 2)
  }

  @Test(arguments: [false, true])
  func `a brown-out breaks a client that retries without backing off`(backsOff: Bool) async throws {
    let report = try await Self.explore(.brownOut) { network in
      for attempt in 0..<12 {
        let answer = try? await network.session.data(from: url("https://api.example.com/news"))
        if (answer?.1 as? HTTPURLResponse)?.statusCode == 200 { return }
        if backsOff { try await network.clock.sleep(for: .seconds(1 << attempt)) }
      }
      throw Wrong(description: "gave up")
    }
    #expect(report.failures.isEmpty == backsOff)
  }

  @Test(arguments: [FaultKinds.Kind.suspend, .outage, .offline], [false, true])
  func `a suspension of the app breaks a client that shows an old price after resuming`(
    kind: FaultKinds.Kind, loadsAgain: Bool
  ) async throws {
    let report = try await Self.explore(kind) { network in
      func load() async -> SimulatedInstant {
        _ = try? await network.session.data(from: url("https://api.example.com/news"))
        return network.now
      }
      var loaded = await load()
      try await network.clock.sleep(for: .seconds(1))
      if loadsAgain, loaded.duration(to: network.now) > .seconds(60) { loaded = await load() }
      if loaded.duration(to: network.now) > .seconds(60) { throw Wrong(description: "an old price") }
    }
    #expect(report.failures.isEmpty == (kind != .suspend || loadsAgain))
    guard let failure = report.failures.first else { return }
    #expect("\(failure)".contains("the app is suspended"))
  }

  @Test func `a stale list from a cache breaks a client that checks it for its own write`() async throws {
    let report = try await Self.explore(.stale) { try await Self.write($0) }
    #expect(report.failures.count == 1 && report.points == 1)
    // No stale answer can happen to a request that a cache must pass on.
    await #expect(throws: FailureSearchError.self) {
      try await Self.explore(.stale) { try await Self.write($0, asking: "no-cache") }
    }
  }

  private static func write(_ network: SimulatedNetwork, asking directive: String? = nil) async throws {
    network.stub(
      .get, "/orders", with: .sequence(["[]", "[1]"].map { .json($0).header("Cache-Control", "max-age=60") }))
    network.stub(.post, "/orders", with: .status(201))
    var list = URLRequest(url: url("https://api.example.com/orders"))
    list.setValue(directive, forHTTPHeaderField: "Cache-Control")
    var order = list
    order.httpMethod = "POST"
    for request in [list, order] { _ = try await network.session.data(for: request) }
    // The news, which never change, offer no point.
    for _ in 0..<2 { _ = try await network.session.data(from: url("https://api.example.com/news")) }
    let orders = try await network.session.data(for: list).0
    if orders != Data("[1]".utf8) { throw Wrong(description: "the order is gone") }
  }

  /// Every QUIC packet is lost in turn, in both directions.
  @Test func `a request over HTTP/3 succeeds whichever single packet is lost`() async throws {
    let profile = try NetworkProfile(
      json: Data(
        """
        { "name": "new", "down": { "rate": "5 Mbit/s", "delay": "30 ms" }, "up": { "rate": "2 Mbit/s", "delay": "30 ms" },
          "http": { "version": "3" } }
        """.utf8))
    var exploration = FailureSearch.everyFault(upTo: 1, of: [.packet], under: profile)
    exploration.timeLimit = nil
    let report = try await exploration.run { network in
      network.stub("/news", with: .bytes(count: 20_000))
      let (data, _) = try await network.session.data(from: url("https://api.example.com/news"))
      if data.count != 20_000 { throw Wrong(description: "lost") }
    }
    #expect(report.failures.isEmpty && report.points > 20)
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil), arguments: [false, true])
  func `a clock set back breaks only a client that waits until a date`(usesDurations: Bool) async throws {
    let report = try await Self.explore(.clock) { network in
      let end = Date(timeIntervalSinceNow: 5)
      _ = try await network.session.data(from: url("https://api.example.com/news"))
      while !usesDurations, Date() < end { try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow))) }
      if usesDurations { try await Task.sleep(for: .seconds(4)) }
    }
    #expect(report.failures.isEmpty == usesDurations)
    #expect(report.failures.allSatisfy { $0.example.first?.hasSuffix("back") == true })
  }
}

private func url(_ text: String) -> URL {
  guard let url = URL(string: text) else { preconditionFailure("\(text) is no URL") }
  return url
}
