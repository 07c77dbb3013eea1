import NetworkConditions
import Testing
import URLLoading

/// Whether the settings of a request or of its session apply.
struct SessionBindingTests {
  static let feed = url("https://api.example.com/feed")

  @Test(arguments: [(nil, 30, 30), (120, 30, 120), (5, 30, 5), (nil, 90, 90)])
  func `a request's own timeout takes precedence over its session's`(
    own: TimeInterval?, session: TimeInterval, expected: Int64
  ) async throws {
    let run = try await Simulation("unlimited") { network in
      network.stub("/feed", with: .never)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = session
      var request = URLRequest(url: Self.feed)
      if let own { request.timeoutInterval = own }
      let client = network.session(with: configuration, delegate: nil)
      await #expect(throws: URLError.self) { _ = try await client.data(for: request).0 }
    }
    #expect(run.elapsed == .seconds(expected) && run.timeline.transfers.map(\.outcome) == [.failed(.timedOut)])
  }

  @Test func `a timeout of 0 is no timeout`() async throws {
    let run = try await Simulation("unlimited") { network in
      network.stub("/feed", with: .text("late").after(.seconds(600)))
      return try await network.data(for: URLRequest(url: Self.feed, timeoutInterval: 0)).0
    }
    #expect(run.value == Data("late".utf8) && run.elapsed == .seconds(600))
  }

  @Test(arguments: [
    ("me:se%20c%40ret@", nil, "Basic bWU6c2UgY0ByZXQ="), ("me@", nil, "Basic bWU6"), ("", nil, nil),
    ("me:secret@", "Bearer x", "Bearer x"),
  ])
  func `a URL's user and password are sent with its first request`(
    credentials: String, own: String?, expected: String?
  ) async throws {
    let network = SimulatedNetwork.immediate()
    let route = network.stub("/feed", with: .text("x"))
    var request = URLRequest(url: url("https://\(credentials)api.example.com/feed"))
    request.setValue(own, forHTTPHeaderField: "Authorization")
    _ = try await network.session.data(for: request)
    _ = try await network.data(for: request)
    #expect(route.requests.map { $0.header("Authorization") } == [expected, expected])
  }

  @Test func `a request's own cookies are not replaced by stored ones`() async throws {
    let network = SimulatedNetwork.immediate()
    let route = network.stub("/feed", with: .text("x").header("Set-Cookie", "sid=1; Path=/"))
    var request = URLRequest(url: Self.feed)
    for own in [nil, nil, "own=1"] {
      request.setValue(own, forHTTPHeaderField: "Cookie")
      _ = try await network.data(for: request)
    }
    #expect(route.requests.map { $0.header("Cookie") } == [nil, "sid=1", "own=1"])
  }

  @Test func `a session that refuses cookies stores none`() async throws {
    let network = SimulatedNetwork.immediate()
    let route = network.stub("/feed", with: .text("x").header("Set-Cookie", "sid=1; Path=/"))
    let configuration = network.sessionConfiguration
    configuration.httpCookieAcceptPolicy = .never
    let session = URLSession(configuration: configuration)
    for _ in 0..<2 { _ = try await session.data(from: Self.feed) }
    #expect(route.requests.map { $0.header("Cookie") } == [nil, nil])
    #expect(configuration.httpCookieStorage?.cookies ?? [] == [])
  }

  @Test(arguments: [CaptureMode.everything, .nothing])
  func `a session of the client's configuration finds no cookies of the run before`(_ mode: CaptureMode) async throws {
    let url = try #require(URL(string: "https://\(mode)-runs.example.com/feed"))
    // On Apple platforms a simulation must make each session itself.
    for isCopied in CaptureMode.obstacle == nil ? [false, true, false] : [true, true] {
      let run = try await Simulation("3G", seed: 1, capturing: mode) { network in
        let route = network.stub("/feed", with: .text("x").header("Set-Cookie", "sid=1; Path=/"))
        let configuration = URLSessionConfiguration.default
        if !isCopied { network.simulate(in: configuration) }
        let session =
          isCopied ? network.session(with: configuration, delegate: nil) : URLSession(configuration: configuration)
        for _ in 0..<2 { _ = try await session.data(from: url) }
        return route.requests.map { $0.header("Cookie") }
      }
      #expect(run.value == [nil, "sid=1"])
      #expect(HTTPCookieStorage.shared.cookies(for: url) == [])
    }
  }
}
