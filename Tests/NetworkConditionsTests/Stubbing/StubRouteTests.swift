import Internals
import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

struct StubRouteTests {
  let stub = StubTransport()

  @Test func `held responses are released in order`() async {
    let route = stub.stub("/a", with: .sequence([.text("1"), .text("2"), .text("3")]))
    route.hold()
    let replies = (0..<3).map { _ in stub.send("GET", "http://x.example/a") }
    #expect(replies.allSatisfy { $0.head == nil })
    route.release()
    #expect(replies.map(\.text) == ["1", "2", "3"])
    #expect(stub.send("GET", "http://x.example/a").text == "3")
    route.hold()
    let last = stub.send("GET", "http://x.example/a")
    route.remove()
    #expect(last.ending == .finished && stub.routes.isEmpty)
  }

  /// An object that asks a route for its calls when it is released.
  private final class Reader: Sendable {
    let route: StubRoute
    init(_ route: StubRoute) { self.route = route }
    deinit { _ = route.callCount }
  }

  @Test func `a response that is replaced may release an object that uses its route`() {
    let route = stub.stub("/a", with: .status(200))
    do {
      let reader = Reader(route)
      route.respond(
        with: .handler { (_: URLRequest) -> StubResponse in
          withExtendedLifetime(reader) {}
          return .text("a")
        })
    }
    route.respond(with: .text("b"))
    #expect(stub.send("GET", "http://x.example/a").text == "b")
  }

  /// An object that asks a network for its timeline when it is released.
  private final class Observer: Sendable {
    let network: SimulatedNetwork
    init(_ network: SimulatedNetwork) { self.network = network }
    deinit { _ = network.timeline }
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a delayed response that its client cancels may release an object that uses the network`() async throws {
    let run = try await Simulation("unlimited") { network in
      let observer: WeakReference<Observer>
      let route: StubRoute
      do {
        let object = Observer(network)
        observer = WeakReference(object)
        let answer = StubResponse.handler { (_: URLRequest) -> StubResponse in
          withExtendedLifetime(object) {}
          return .text("late")
        }
        route = network.stub("/late", with: answer.after(.seconds(9)))
      }
      let load = Task { try await network.data(from: url("http://x.example/late")) }
      try await network.clock.sleep(for: .seconds(1))
      route.respond(with: .text("early"))
      let wasHeld = observer.object != nil
      load.cancel()
      _ = await load.result
      return (wasHeld, observer.object == nil)
    }
    #expect(run.value == (true, true))
  }

  @Test func `a test can wait for a number of calls, and cancelling ends the wait`() async {
    let route = stub.stub("/a", with: .status(200))
    async let waited: Void = route.waitUntilCalled(times: 2)
    for _ in 0..<2 { _ = stub.send("GET", "http://x.example/a") }
    await waited
    await route.waitUntilCalled(times: 1)
    let tasks = [
      Task { await route.waitUntilCalled(times: 99) }, Task { await route.waitUntilCancelled(times: 99) },
    ]
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(route.callCount == 2)
  }

  @Test func `a request was cancelled if its client leaves before it has the whole response`() async throws {
    let run = try await Simulation("3G", seed: 1) { network in
      let route = network.stub("/file", with: .bytes(count: 1_000_000))
      _ = try await network.data(from: url("https://x.example/file"))
      try await withThrowingTaskGroup(of: Void.self) { load in
        load.addTask { _ = try? await network.data(from: url("https://x.example/file")) }
        try await network.clock.sleep(for: .seconds(2))
        load.cancelAll()
      }
      try await network.clock.sleep(for: .seconds(1))
      return route.requests.map(\.wasCancelled)
    }
    #expect(run.value == [false, true])
  }

  @Test func `a closure of a route can respond, throw or wait`() async throws {
    stub.stub("/echo") { request in .data(request.httpBody ?? Data()).header("A", request.httpMethod ?? "") }
    stub.stub(.get, "/refused") { _ in throw URLError(.cannotConnectToHost) }
    stub.stub(.delete) { _ in .status(204) }
    #expect(stub.send("PUT", "http://x.example/echo").head?["A"] == "PUT")
    #expect(stub.send("GET", "http://x.example/refused").ending == .failed(.cannotConnectToHost))
    #expect(stub.send("DELETE", "http://x.example/any").head?.status == 204)
    let run = try await Simulation(.unlimited) { network in
      network.stub("/slow") { _ in
        try await network.clock.sleep(for: .seconds(3))
        return .text("slow")
      }
      network.stub(.post, "/twice") { request in
        .data(try await network.data(from: url("http://x.example/slow")).0 + (request.httpBody ?? Data()))
      }
      var request = URLRequest(url: url("http://x.example/twice"))
      request.httpMethod = "POST"
      request.httpBody = Data(" and more".utf8)
      return String(decoding: try await network.data(for: request).0, as: UTF8.self)
    }
    #expect(run.value == "slow and more" && run.elapsed == .seconds(3))
  }

  @Test func `a route records each request with method, headers, body and time`() throws {
    let route = stub.stub(.post, "/orders", with: .status(201))
    var request = URLRequest(url: try #require(URL(string: "https://x.example/orders")))
    request.httpMethod = "post"
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    request.setValue("1", forHTTPHeaderField: "X-Try")
    let reply = RecordingReply()
    let body = RequestBody.data(Data(#"{"count": 3}"#.utf8))
    stub.respond(
      to: TransportRequest(request: request, body: body, occurrence: 2, time: .zero.advanced(by: .seconds(7))),
      with: reply)
    let recorded = try #require(route.requests.first)
    #expect(recorded.method == "POST" && recorded.url == request.url)
    #expect(recorded.header("authorization") == "Bearer secret")
    #expect(recorded.occurrence == 2 && recorded.time == .zero.advanced(by: .seconds(7)))
    #expect(try recorded.json([String: Int].self) == ["count": 3])
    #expect(
      recorded.description
        == "POST https://x.example/orders, 12 bytes of body, Authorization: <redacted>, X-Try: 1")
    #expect(!recorded.wasCancelled)
    reply.cancel()
    #expect(recorded.wasCancelled && route.requests[0].wasCancelled)
  }

  @Test func `redaction of recorded requests can be extended or switched off`() async throws {
    let address = "http://x.example/?x-key"
    for (redaction, expected) in [
      (Redaction.none, "\(address)=k, X-Key: k"),
      (.standard.adding("x-key"), "\(address)=redacted, X-Key: <redacted>"),
    ] {
      let network = SimulatedNetwork.immediate()
      network.redaction = redaction
      let route = network.stub(.any, with: .status(200))
      var request = URLRequest(url: url("\(address)=k"))
      request.setValue("k", forHTTPHeaderField: "X-Key")
      _ = try await network.data(for: request)
      #expect(route.requests.first?.description == "GET \(expected)", "\(route.requests)")
    }
  }

  @Test func `a recorded body file of up to 1 MiB is kept in memory`() throws {
    let route = stub.stub(.any, with: .status(200))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("recorded-\(UUID().uuidString)")
    let data = GeneratedBody.bytes(in: 0..<1 << 20)
    try data.write(to: file)
    _ = stub.send("PUT", "http://x.example/", body: .file(file, length: 1 << 20))
    try FileManager.default.removeItem(at: file)
    guard case .data(data) = route.requests[0].body else { throw CocoaError(.fileReadUnknown) }
  }

  @Test func `only the latest requests are recorded, but all are counted`() {
    let route = stub.stub(.any, with: .status(200))
    for number in 0..<10_001 { _ = stub.send("GET", "http://x.example/\(number)") }
    #expect(route.callCount == 10_001)
    #expect(route.requests.count == 10_000 && route.requests.first?.url?.lastPathComponent == "1")
  }

  @Test func `recorded bodies have a total size limit`() {
    let route = stub.stub(.any, with: .status(200))
    // The same memory counts again each time it is sent.
    let data = GeneratedBody.bytes(in: 0..<30_000_000)
    for number in 0..<20 { _ = stub.send("PUT", "http://x.example/\(number)", body: .data(data)) }
    #expect(route.callCount == 20)
    #expect(route.requests.map { $0.url?.lastPathComponent } == (12..<20).map { "\($0)" })
    #expect(route.requests.allSatisfy { $0.bodyData == data })
  }

  @Test func `a large recorded body file can be read after its removal but not after a change`() throws {
    let route = stub.stub(.any, with: .status(200))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("recorded-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let data = GeneratedBody.bytes(in: 0..<3_000_000)
    for _ in 0..<2 {
      try data.write(to: file)
      _ = stub.send("PUT", "http://x.example/", body: .file(file, length: 3_000_000))
      guard case .file = route.requests[0].body else { throw CocoaError(.fileReadUnknown) }
      #expect(route.requests.last?.bodyData == data)
      if route.callCount == 1 { try FileManager.default.removeItem(at: file) }
    }
    #expect(route.requests[0].bodyData == data)
    // Overwritten in place with less data: reading a mapped file would then end the process.
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 1_000)
    try handle.close()
    #expect(route.requests[0].bodyData == data && route.requests[1].bodyData.isEmpty)
  }

  @Test func `unmet expectations of stubs are reported as sentences`() {
    let twice = stub.stub(.get, "/a", with: .status(200)).expect(count: 2)
    let some = stub.stub("/b", query: ["x": "1"], with: .status(200)).expect(count: 1...3)
    stub.stub("/c", with: .file(URL(fileURLWithPath: "/nonexistent/x")))
    _ = stub.send("GET", "http://x.example/a")
    _ = stub.send("GET", "http://x.example/d")
    let failures = stub.verify()
    #expect(failures.count == 4)
    #expect(failures[0] == "GET /a was called once, but 2 was expected.")
    #expect(failures[1] == "/b with x=1 was called 0 times, but 1 to 3 was expected.")
    #expect(failures[2].hasPrefix("The answer of /c is unusable: /nonexistent/x cannot be read"))
    #expect(failures[3] == "No stub matched GET http://x.example/d.")
    _ = stub.send("GET", "http://x.example/a")
    _ = stub.send("GET", "http://x.example/b?x=1")
    #expect(twice.verify().isEmpty && some.verify().isEmpty)
  }

  @Test func `a route's response can be replaced`() {
    let route = stub.stub("/a", with: .text("old"))
    _ = stub.send("GET", "http://x.example/a")
    route.respond(with: .text("new"))
    #expect(stub.send("GET", "http://x.example/a").text == "new" && route.callCount == 2)
  }
}
