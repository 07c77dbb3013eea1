import LoopbackServer
import Internals
import NetworkConditions
import NetworkConditionsTesting
import Testing
import URLLoading

@testable import NetworkProxy

/// A proxy on real loopback sockets: a few round trips.
struct NetworkProxyTests {
  @Test(arguments: [false, true])
  func `a session reaches a server through a forward, which appears in the timeline`(usesDispatch: Bool) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let proxy = try NetworkProxy(
      .unlimited, seed: 0, listeningOn: .loopback(), timeScale: 1, usesDispatch: usesDispatch)
    defer { proxy.stop() }
    proxy.recordPackets()
    let opened = try proxy.forward(to: "127.0.0.1", port: UInt16(server.port))
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let (data, response) = try await session.data(from: URL(string: "http://\(opened)/bytes/300000")!)
    #expect(data.count == 300_000)
    let timeline = proxy.timeline
    #expect(timeline.packets(of: try #require(timeline.transfers.first)).isEmpty == false)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(proxy.timeline.transfers.map(\.url) == ["tcp://127.0.0.1:\(server.port)/"])
  }

  @Test func `a proxy listens on loopback by default and refuses a used address`() throws {
    let proxy = try NetworkProxy("3G", seed: 1)
    defer { proxy.stop() }
    #expect(proxy.address.isLoopback)
    #expect(proxy.url.absoluteString == "http://127.0.0.1:\(proxy.port)")
    #expect(proxy.environment["https_proxy"] == proxy.url.absoluteString)
    #expect(throws: ProxyError.self) { try NetworkProxy("3G", listeningOn: proxy.address) }
    #expect(throws: ProxyError.wrong("a time scale of 0.0 is out of range; write 0.001 to 1000")) {
      try NetworkProxy("3G", timeScale: 0)
    }
  }

  @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "127.0.0.1"), ("::1", "::1")])
  func `programs and sessions are told an address that they can reach`(host: String, told: String) throws {
    let proxy = try NetworkProxy(.unlimited, listeningOn: #require(SocketAddress(host: host, port: 0)))
    defer { proxy.stop() }
    let address = "\(told.contains(":") ? "[\(told)]" : told):\(proxy.port)"
    for scheme in ["http", "https"] {
      #expect(proxy.environment["\(scheme)_proxy"] == "http://\(address)")
      #expect(proxy.environment["\(scheme.uppercased())_PROXY"] == "http://\(address)")
      let name = scheme.uppercased()
      #expect(proxy.connectionProxyDictionary["\(name)Enable"] as? Int == 1)
      #expect(proxy.connectionProxyDictionary["\(name)Proxy"] as? String == told)
      #expect(proxy.connectionProxyDictionary["\(name)Port"] as? Int == proxy.port)
    }
    for name in ["all_proxy", "ALL_PROXY"] { #expect(proxy.environment[name] == "socks5h://\(address)") }
  }

  @Test func `a stopped proxy keeps its timeline and refuses new forwards`() throws {
    let proxy = try NetworkProxy(.unlimited)
    proxy.use(try .named("3G"))
    proxy.stop()
    proxy.stop()
    #expect(proxy.timeline.profile == "3G")
    #expect(throws: ProxyError.stopped) { try proxy.forward(to: "127.0.0.1", port: 1) }
  }

  @Test func `a stopped proxy's timeline records its closed connections as cancelled`() throws {
    let proxy = try NetworkProxy(.unlimited)
    let server = try NetworkProxy(.unlimited)
    let tunnel = try proxy.forward(to: "127.0.0.1", port: UInt16(server.port))
    let begun = DispatchSemaphore(value: 0)
    proxy.observe { if case .started = $0.kind { begun.signal() } }
    let client = try #require(Sockets.connect(to: tunnel))
    defer { close(client) }
    begun.wait()
    proxy.stop()
    server.stop()
    #expect(proxy.timeline.transfers.map(\.outcome) == [.cancelled])
  }

  @Test func `a stopped proxy that refuses a forward or a control port leaves no port open`() throws {
    let proxy = try NetworkProxy(.unlimited)
    proxy.stop()
    #expect(throws: ProxyError.stopped) { try proxy.forward(from: proxy.address, to: "127.0.0.1", port: 1) }
    #expect(throws: ProxyError.stopped) { try proxy.openControl(on: proxy.address) }
    try NetworkProxy(.unlimited, listeningOn: proxy.address).stop()
  }

  @Test func `a new profile also applies to the servers of a toxiproxy configuration`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let proxy = try NetworkProxy(.unlimited)
    defer { proxy.stop() }
    let opened = try proxy.populate(Data(#"[{"name": "a", "upstream": "127.0.0.1:\#(server.port)"}]"#.utf8))
    for name in ["unlimited", "wifi"] {
      proxy.use(try .named(name))
      let session = URLSession(configuration: .ephemeral)
      defer { session.invalidateAndCancel() }
      _ = try await session.data(from: URL(string: "http://\(opened[0])/bytes/3")!)
    }
    #expect(proxy.timeline.transfers.map(\.profile) == ["unlimited@a", "wifi@a"])
  }

  @Test(.network("3G", seed: 42, capturing: .nothing))
  func `a proxy made from a test's network has the network's profile and seed`() throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let proxy = try NetworkProxy(like: NetworkUnderTest.network, timeScale: 1_000)
    defer { proxy.stop() }
    let opened = try proxy.forward(to: "127.0.0.1", port: UInt16(server.port))
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let (answered, count) = (DispatchSemaphore(value: 0), Locked(0))
    let task = session.dataTask(with: URL(string: "http://\(opened)/bytes/300")!) { data, _, _ in
      count.withLock { $0 = data?.count ?? 0 }
      answered.signal()
    }
    task.resume()
    answered.wait()
    #expect(count.value == 300)
    #expect(proxy.timeline.profile == "3G" && proxy.timeline.seed == 42)
    #expect(proxy.timeline.transfers.map(\.profile) == ["3G"])
  }

  @Test(.timeLimit(.minutes(5)))
  func `an observer may change and stop the proxy from within its callback`() async throws {
    let proxy = try NetworkProxy(.unlimited)
    let (stopped, continuation) = AsyncStream.makeStream(of: Timeline.self)
    proxy.observe { [unowned proxy] event in
      guard case .started = event.kind else { return }
      proxy.goOffline()
      proxy.goOnline()
      if let wifi = try? NetworkProfile.named("wifi") { proxy.use(wifi) }
      _ = (proxy.now, proxy.connectionCount, proxy.profile)
      let before = proxy.timeline
      proxy.stop()
      continuation.yield(before)
    }
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let opened = try proxy.forward(to: "127.0.0.1", port: 9)
    await #expect(throws: URLError.self) { try await session.data(from: URL(string: "http://\(opened)/")!) }
    let before = await stopped.first { _ in true }
    #expect(before?.profile == "wifi")
    #expect(proxy.timeline.transfers.map(\.url) == before?.transfers.map(\.url))
  }

  @Test(arguments: ["8080", "127.0.0.1:80", "[::1]:80", "localhost:1", ":80"])
  func `a socket address is read with and without a host`(text: String) { #expect(SocketAddress(text) != nil) }

  @Test(arguments: ["", "a:80", "127.0.0.1", "127.0.0.1:99999", "::1:80", "1.2.3:80"])
  func `a malformed socket address is refused`(text: String) { #expect(SocketAddress(text) == nil) }
}
