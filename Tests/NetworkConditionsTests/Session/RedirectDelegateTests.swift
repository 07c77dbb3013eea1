import Foundation
import Internals
import NetworkConditions
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Delegates that refuse, change or delay redirects.
@Suite(.enabled(if: CaptureMode.obstacle == nil)) struct RedirectDelegateTests {
  final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
    let asked = Locked<[String]>([])
    let isElsewhere = Locked(false)
    let choose: @Sendable (URLRequest, @escaping @Sendable (URLRequest?) -> Void) -> Void

    init(_ choose: @escaping @Sendable (URLRequest, @escaping @Sendable (URLRequest?) -> Void) -> Void) {
      self.choose = choose
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      isElsewhere.withLock { $0 = OperationQueue.current !== session.delegateQueue }
      let paths = "\(response.url?.path ?? "") \(response.statusCode) \(request.url?.absoluteString ?? "")"
      asked.withLock { $0.append(paths) }
      choose(request, completionHandler)
    }
  }

  /// Loads `/a`, which leads to `/b`, in a session with the delegate.
  private static func load(
    over network: SimulatedNetwork, _ delegate: Delegate
  ) async throws -> (status: Int?, body: String, route: StubRoute) {
    network.stub("https://x.example/a", with: .redirect(to: "/b").header("Set-Cookie", "sid=1; Path=/"))
    let route = network.stub("/b", with: .text("b"))
    let session = network.session(delegate: delegate)
    let url = try #require(URL(string: "https://x.example/a"))
    let (data, response) = try await session.data(from: url)
    return ((response as? HTTPURLResponse)?.statusCode, String(decoding: data, as: UTF8.self), route)
  }

  private static let follow = "/a 302 https://x.example/b"

  private static func inEachTime(_ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void) async throws {
    try await body(SimulatedNetwork("3G", seed: 1, pace: .immediate))
    _ = try await Simulation("3G", seed: 1) { try await body($0) }
    _ = try await Simulation("3G", seed: 1, capturing: .nothing) { try await body($0) }
  }

  @Test func `a redirect on the same host keeps the cookies that a client wrote itself`() async throws {
    try await Self.inEachTime { network in
      network.stub("https://x.example/a", with: .redirect(to: "/b"))
      network.stub("https://x.example/away", with: .redirect(to: "https://y.example/b"))
      let route = network.stub("/b", with: .text("b"))
      var own = URLRequest(url: url("https://x.example/a"))
      own.setValue("own=1", forHTTPHeaderField: "Cookie")
      var away = own
      away.url = url("https://x.example/away")
      for loader in [network.session, network] as [any HTTPLoader] {
        for request in [own, away] { _ = try await loader.data(for: request) }
      }
      #expect(route.requests.map { $0.headers["Cookie"] } == ["own=1", nil, "own=1", nil])
    }
  }

  @Test func `a delegate that refuses a redirect gets the redirect as the answer`() async throws {
    try await Self.inEachTime { network in
      let delegate = Delegate { _, decide in decide(nil) }
      let (status, body, route) = try await Self.load(over: network, delegate)
      #expect((status, body) == (302, ""))
      #expect(route.callCount == 0)
      #expect(delegate.asked.value == [Self.follow])
      #expect(network.timeline.transfers.map(\.status) == [302])
    }
  }

  @Test(arguments: [29, 31, 1_000])
  func `the timeout counts anew from the moment at which a delegate has decided about a redirect`(
    seconds: Int
  ) async throws {
    // The next server is silent for 30 s, and the limit is 60 s.
    _ = try await Simulation("unlimited", seed: 1) { network in
      network.stub("https://x.example/a", with: .redirect(to: "/b"))
      network.stub("/b", with: .text("b").after(.seconds(30)))
      let delegate = Delegate { request, decide in
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { decide(request) }
      }
      let request = URLRequest(url: url("https://x.example/a"), timeoutInterval: 60)
      let answer = try? await network.session(delegate: delegate).data(for: request).0
      #expect(answer == Data("b".utf8))
      #expect(network.now == .zero.advanced(by: .seconds(seconds + 30)))
    }
  }

  @Test func `a delegate is asked about a redirect on its session's queue`() async throws {
    let delegate = Delegate { request, decide in decide(request) }
    _ = try await Self.load(over: SimulatedNetwork("3G", seed: 1, pace: .immediate), delegate)
    #expect(delegate.asked.value == [Self.follow] && !delegate.isElsewhere.value)
  }

  @Test func `a delegate's changed request is sent, with the redirect's cookie`() async throws {
    try await Self.inEachTime { network in
      let delegate = Delegate { request, decide in
        var request = request
        request.setValue("1", forHTTPHeaderField: "X-Changed")
        decide(request)
        decide(nil)
      }
      let (status, body, route) = try await Self.load(over: network, delegate)
      #expect((status, body) == (200, "b"))
      #expect(route.requests.map { $0.headers["X-Changed"] } == ["1"])
      #expect(route.requests.map { $0.headers["Cookie"] } == ["sid=1"])
      #expect(delegate.asked.value == [Self.follow])
    }
  }

  @Test func `a delegate that redirects to another host sends no cookies of the proposed host`() async throws {
    try await Self.inEachTime { network in
      let other = network.stub("https://y.example/c", with: .text("c"))
      let delegate = Delegate { request, decide in
        var request = request
        request.url = URL(string: "https://y.example/c")
        decide(request)
      }
      let body = try await Self.load(over: network, delegate).body
      #expect(body == "c")
      #expect(other.requests.map { $0.headers["Cookie"] } == [nil])
    }
  }

  @Test func `a delegate that redirects to another host sends the stored cookies of that host`() async throws {
    try await Self.inEachTime { network in
      network.stub("https://y.example/first", with: .text("y").header("Set-Cookie", "tab=7; Path=/"))
      network.stub("https://x.example/a", with: .redirect(to: "/b"))
      let other = network.stub("https://y.example/c", with: .text("c"))
      let delegate = Delegate { request, decide in
        var request = request
        request.url = URL(string: "https://y.example/c")
        decide(request)
      }
      let session = network.session(delegate: delegate)
      for address in ["https://y.example/first", "https://x.example/a"] {
        _ = try await session.data(from: try #require(URL(string: address)))
      }
      #expect(other.requests.map { $0.headers["Cookie"] } == ["tab=7"])
    }
  }

  @Test func `a delegate that redirects to a file URL fails the request`() async throws {
    try await Self.inEachTime { network in
      let delegate = Delegate { _, decide in decide(URLRequest(url: URL(fileURLWithPath: "/etc/hostname"))) }
      let error = await #expect(throws: URLError.self) { try await Self.load(over: network, delegate) }
      #expect(error?.code == .unsupportedURL)
    }
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `time passes until a delegate has decided`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      let delegate = Delegate { request, decide in
        DispatchQueue.global().asyncAfter(deadline: .now() + 70) { decide(request) }
      }
      return try await Self.load(over: network, delegate).body
    }
    #expect(run.value == "b")
    #expect(run.elapsed > .seconds(70) && run.elapsed < .seconds(72))
  }

  @Test func `redirects that a delegate follows have the limits of all others`() async throws {
    try await Self.inEachTime { network in
      network.stub("/loop", with: .redirect(to: "/loop"))
      network.stub("/slow", with: .redirect(to: "/slow").after(.seconds(3)))
      let configuration = network.sessionConfiguration
      configuration.timeoutIntervalForResource = 10
      let delegate = Delegate { request, decide in decide(request) }
      let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
      for (path, code) in [("loop", URLError.Code.httpTooManyRedirects), ("slow", .timedOut)] {
        let url = try #require(URL(string: "https://x.example/\(path)"))
        let start = network.now
        let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
        #expect(error?.code == code)
        if code == .timedOut { #expect(start.duration(to: network.now) == .seconds(10)) }
      }
      let loops = delegate.asked.value.filter { $0.contains("loop") }
      #expect(loops.count == 20)
    }
  }

  @Test func `a 307 redirect that a delegate follows sends the body again`() async throws {
    try await Self.inEachTime { network in
      network.stub("/keep", with: .redirect(to: "/final", status: 307))
      let final = network.stub(.post, "/final", with: .status(201))
      let session = network.session(delegate: Delegate { request, decide in decide(request) })
      var request = URLRequest(url: try #require(URL(string: "https://x.example/keep")))
      request.httpMethod = "POST"
      let response = try await session.upload(for: request, from: Data("body".utf8)).1
      #expect((response as? HTTPURLResponse)?.statusCode == 201)
      #expect(final.requests.map(\.bodyText) == ["body"])
    }
  }
}
