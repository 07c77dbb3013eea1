import Internals
import LoopbackServer
import NetworkConditions
import Testing
import Thoroughness
import URLLoading

/// Upload tasks from data, files and streams: every byte reaches the server.
struct UploadTaskTests {
  let target = url("https://api.example.com/upload")
  let body = GeneratedBody.bytes(in: 0..<150_000)

  private func post() -> URLRequest {
    var request = URLRequest(url: target)
    request.httpMethod = "POST"
    return request
  }

  private func network() -> (SimulatedNetwork, StubRoute) {
    let network = SimulatedNetwork.immediate()
    let route = network.stub(.post, "https://api.example.com/upload", with: .status(201))
    return (network, route)
  }

  @Test func `an upload from data reaches the server whole`() async {
    let (network, route) = network()
    let result = await network.session.complete { $0.uploadTask(with: post(), from: body, completionHandler: $1) }
    #expect(result.response?.statusCode == 201)
    #expect(route.requests.first?.bodyData == body)
    #expect(network.timeline.transfers.first?.bytesSent == 150_000)
  }

  @Test func `an upload from a file reaches the server whole`() async throws {
    let (network, route) = network()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try body.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = await network.session.complete { $0.uploadTask(with: post(), fromFile: file, completionHandler: $1) }
    #expect(result.response?.statusCode == 201)
    #expect(route.requests.first?.bodyData == body)
  }

  @Test(arguments: [("/nonexistent/file", URLError.Code.fileDoesNotExist), ("/", .fileIsDirectory)])
  func `an upload from an unreadable file fails with the reason`(path: String, code: URLError.Code) async {
    let (network, route) = network()
    let file = URL(fileURLWithPath: path)
    let own = await #expect(throws: URLError.self) { try await network.upload(for: post(), fromFile: file) }
    #expect(own?.code == code)
    #expect(own?.localizedDescription.contains("cannot be read") == true)
    #expect(route.callCount == 0)
    let result = await network.session.complete { $0.uploadTask(with: post(), fromFile: file, completionHandler: $1) }
    #if canImport(FoundationNetworking)
      #expect(result.code == code)
      #expect(route.callCount == 0)
    #else
      // On Apple platforms a protocol sees a stream of the file, or no body (radar 15689128).
      #expect(result.code == .requestBodyStreamExhausted || route.requests.map(\.bodyData) == [Data()])
    #endif
  }

  @Test func `an upload from a symbolic link sends the file to which it leads`() async throws {
    let (network, route) = network()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let link = file.appendingPathExtension("link")
    try body.write(to: file)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    defer { for made in [file, link] { try? FileManager.default.removeItem(at: made) } }
    _ = try await network.upload(for: post(), fromFile: link)
    _ = try await network.session.upload(for: post(), fromFile: link)
    #expect(route.requests.map(\.bodyData) == [body, body])
    #expect(network.timeline.transfers.map(\.bytesSent) == [150_000, 150_000])
  }

  @Test func `a body in the request itself is sent from data and from a stream`() async throws {
    let (network, route) = network()
    var request = post()
    request.httpBody = body
    _ = try await network.session.data(for: request)
    request.httpBody = nil
    request.httpBodyStream = InputStream(data: body)
    _ = try await network.session.data(for: request)
    #expect(route.requests.map(\.bodyData) == [body, body])
  }

  @Test func `a streamed upload asks the delegate for its stream and reports its progress`() async {
    let (network, route) = network()
    let delegate = RecordingDelegate(stream: body)
    network.session(delegate: delegate).uploadTask(withStreamedRequest: post()).resume()
    let record = await delegate.end()
    #expect(record.error == nil)
    #expect(route.requests.first?.bodyData == body)
    #if canImport(FoundationNetworking)
      #expect(record.sent == record.sent.sorted())
      #expect(record.sent.last == 150_000 && record.justSent == 150_000)
    #endif
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: [true, false])
    func `the delegate of an asynchronous upload gets its progress, and no other`(hasOther: Bool) async throws {
      let (network, _) = network()
      let (delegate, twin, other) = (RecordingDelegate(), RecordingDelegate(), RecordingDelegate())
      let session = hasOther ? network.session(delegate: other) : network.session
      let request = post()
      async let second = session.upload(for: request, from: Data(count: 60_000), delegate: twin)
      _ = try await (session.upload(for: request, from: body, delegate: delegate), second)
      // The queue is serial.
      await withCheckedContinuation { done in session.delegateQueue.addOperation { done.resume() } }
      #expect(delegate.record.sent == delegate.record.sent.sorted())
      #expect(delegate.record.sent.last == 150_000 && delegate.record.justSent == 150_000)
      #expect(twin.record.sent.last == 60_000 && twin.record.justSent == 60_000)
      #expect(other.record.sent == [])
    }
  #endif

  @Test func `a stream that is too long for memory reaches the server whole`() async throws {
    let (network, route) = network()
    let body = GeneratedBody.bytes(in: 0..<2_500_000)
    var request = post()
    request.httpBodyStream = InputStream(data: body)
    _ = try await network.data(for: request)
    #expect(route.requests.map(\.bodyData) == [body])
  }

  /// As with a plain session: the stream is at its end, which gives an empty body.
  @Test func `a stream that was already uploaded gives an empty body the next time`() async throws {
    let (network, route) = network()
    var request = post()
    request.httpBodyStream = InputStream(data: body)
    for _ in 0..<2 { _ = try await network.session.data(for: request) }
    _ = try await network.data(for: request)
    let delegate = RecordingDelegate()
    network.session(delegate: delegate).dataTask(with: request).resume()
    #expect(await delegate.end().error == nil)
    let result = await network.session.complete { $0.dataTask(with: request, completionHandler: $1) }
    #expect(result.response?.statusCode == 201)
    #expect(route.requests.map(\.bodyData) == [body, Data(), Data(), Data(), Data()])
  }

  @Test func `a stream that parallel requests share is uploaded by exactly one of them`() async throws {
    let (network, route) = network()
    var request = post()
    request.httpBodyStream = InputStream(data: body)
    let shared = request
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await network.session.data(for: shared) } }
      try await group.waitForAll()
    }
    #expect(route.requests.map(\.bodyData.count).sorted() == Array(repeating: 0, count: 19) + [150_000])
  }

  #if canImport(FoundationNetworking)
    /// Fails after some bytes without a `streamError`.
    private final class FailingStream: InputStream {
      private var left = 1000
      private var status = Stream.Status.notOpen
      private let result: Int

      init(result: Int) {
        self.result = result
        super.init(data: Data())
      }
      override var streamStatus: Stream.Status { status }
      override var hasBytesAvailable: Bool { true }
      override func open() { status = .open }
      override func close() { status = .closed }
      override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        if left == 0 { status = .error }
        defer { left = 0 }
        return left == 0 ? result : min(left, len)
      }
    }
    private static var failing: [InputStream?] { [FailingStream(result: -1), FailingStream(result: 0)] }
  #else
    /// A folder can be opened but not read; a subclass of `InputStream` would not be one of the system's streams.
    private static var failing: [InputStream?] { [InputStream(fileAtPath: "/")] }
  #endif

  @Test func `a body stream that fails makes its request fail with an explanation`() async {
    let (network, route) = network()
    for stream in [InputStream(fileAtPath: "/nonexistent/file")] + Self.failing {
      var request = post()
      request.httpBodyStream = stream
      let failing = request
      let result = await network.session.complete { $0.dataTask(with: failing, completionHandler: $1) }
      #expect(result.code == .requestBodyStreamExhausted)
      #expect(result.error?.localizedDescription.contains("cannot be read") == true)
    }
    #expect(route.callCount == 0)
  }

  @Test func `the network's own calls upload streams`() async throws {
    let (network, route) = network()
    func streamed() -> URLRequest {
      var request = post()
      request.httpBodyStream = InputStream(data: body)
      return request
    }
    _ = try await network.data(for: streamed())
    for try await _ in try await network.bytes(for: streamed()).0 {}
    try FileManager.default.removeItem(at: try await network.download(for: streamed()).0)
    // The body given to an upload replaces the request's own body.
    _ = try await network.upload(for: streamed(), from: Data("own".utf8))
    #expect(route.requests.map(\.bodyData) == [body, body, body, Data("own".utf8)])
    #expect(network.timeline.transfers.map(\.bytesSent) == [150_000, 150_000, 150_000, 3])
  }

  /// Each hop of a redirect has its own size, and Foundation's `Progress` aborts the process over a total of 0.
  @Test(arguments: [302, 303, 307], [1, 4])
  func `an upload that is always redirected to itself fails with too many redirects`(
    status: Int, width: Int
  ) async throws {
    let body = GeneratedBody.bytes(in: 0..<20_000)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try body.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for seed in Thoroughness.cases(1, of: 0..<6) {
      let network = SimulatedNetwork.immediate(seed: UInt64(seed))
      network.stub("/upload", with: .redirect(to: "/upload", status: status))
      let delegates = (0..<3).map { _ in RecordingDelegate(stream: body) }
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = width
      let sessions = delegates.map {
        URLSession(configuration: network.sessionConfiguration, delegate: $0, delegateQueue: queue)
      }
      sessions[0].uploadTask(with: post(), from: body).resume()
      sessions[1].uploadTask(with: post(), fromFile: file).resume()
      sessions[2].uploadTask(withStreamedRequest: post()).resume()
      for delegate in delegates { #expect(await delegate.end().code == .httpTooManyRedirects) }
      network.invalidate()
    }
  }

  #if canImport(FoundationNetworking)
    /// The response to an upload counts for 5 %, as on Apple's systems.
    @Test(arguments: [307, 302, 201])
    func `a task's progress never decreases and is the same in each run`(status: Int)
      async throws
    {
      let body = body
      func run() async throws -> RecordingDelegate.Record {
        let delegate = RecordingDelegate()
        _ = try await Simulation("3G", seed: 42) { network in
          network.stub("/start", with: .redirect(to: "/upload", status: status == 201 ? 307 : status))
          network.stub("/upload", with: .bytes(count: 50_000).status(201))
          var request = URLRequest(url: url("http://api.example.com/\(status == 201 ? "upload" : "start")"))
          request.httpMethod = "POST"
          network.session(delegate: delegate).uploadTask(with: request, from: body).resume()
          _ = await delegate.end()
        }
        return delegate.record
      }
      let first = try await run()
      #expect(first.error == nil)
      #expect(first.body.count == 50_000)
      let fractions = first.progress.map(\.fraction)
      #expect(fractions == fractions.sorted())
      #expect(first.progress.map(\.completed) == first.progress.map(\.completed).sorted())
      #expect(Set(first.progress.map(\.total)) == [157_894])
      #expect(first.progress.contains { $0.completed == 150_000 && $0.fraction > 0.9499 && $0.fraction < 0.9501 })
      #expect(fractions.last == 1)
      for _ in 0..<2 { #expect(try await run().progress == first.progress) }
    }
  #endif

  @Test func `an upload task sends its own body instead of its request's body`() async {
    let (network, route) = network()
    var request = post()
    request.httpBody = Data("request".utf8)
    let given = request
    _ = await network.session.complete { $0.uploadTask(with: given, from: Data("task".utf8), completionHandler: $1) }
    #expect(route.requests.map(\.bodyText) == ["task"])
  }

  /// Over a real transport, so that the whole stack is compared.
  @Test func `an upload has the same Content-Type as in a plain session`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let network = SimulatedNetwork("wifi", pace: .immediate, transport: URLSessionTransport())
    func send(over session: URLSession) async throws {
      for (method, type) in [("POST", nil), ("PUT", nil), ("POST", "text/plain")] {
        var request = URLRequest(url: server.url("/status/200"))
        request.httpMethod = method
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        _ = try await session.upload(for: request, from: Data("body".utf8))
        request.httpBody = Data("body".utf8)
        _ = try await session.data(for: request)
        _ = try await session.upload(for: request, from: Data("body".utf8))
        request.httpBodyStream = InputStream(data: Data("body".utf8))
        _ = try await session.data(for: request)
      }
    }
    try await send(over: URLSession(configuration: .ephemeral))
    let plain = server.requests.map { $0["Content-Type"] }
    try await send(over: network.session)
    #expect(server.requests.map { $0["Content-Type"] } == plain + plain)
    #expect(server.requests.map(\.body) == Array(repeating: Data("body".utf8), count: 24))
  }

  @Test func `a streamed body above one mebibyte is stored in a file that is later removed`() async throws {
    let server = KeepingServer()
    let network = SimulatedNetwork("wifi", pace: .immediate, transport: server)
    let large = GeneratedBody.bytes(in: 0..<3_000_000)
    var request = post()
    request.httpBodyStream = InputStream(data: large)
    _ = try await network.session.data(for: request)
    let (file, data) = try #require(server.file.withLock { $0 })
    #expect(data == large)
    await network.settle()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  /// Reads the file of a body and remembers its path.
  private final class KeepingServer: Transport {
    let file = Mutex<(URL, Data)?>(nil)

    func respond(to request: TransportRequest, with reply: any TransportReply) {
      if case .file(let url, _) = request.body, let data = try? Data(contentsOf: url) {
        file.withLock { $0 = (url, data) }
      }
      reply.head(ResponseHead(status: 201))
      reply.finish()
    }
  }

  @Test func `a 307 redirect sends the body again and a 302 redirect becomes a GET`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("/keep", with: .redirect(to: "/final", status: 307))
    network.stub("/drop", with: .redirect(to: "/final", status: 302))
    let final = network.stub("/final", with: .text("done"))
    for path in ["keep", "drop"] {
      var request = URLRequest(url: url("https://api.example.com/\(path)"))
      request.httpMethod = "POST"
      request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
      let (data, response) = try await network.session.upload(for: request, from: Data("body".utf8))
      #expect(String(decoding: data, as: UTF8.self) == "done")
      #expect(response.url == url("https://api.example.com/final"))
    }
    #expect(final.requests.map(\.method) == ["POST", "GET"])
    #expect(final.requests.map(\.bodyText) == ["body", ""])
    #expect(final.requests.map { $0.header("Content-Type") } == ["text/plain", nil])
  }
}
