import LoopbackServer
import Testing

@testable import NetworkConditions
import URLLoading

@Suite(.timeLimit(.minutes(10)))
struct URLSessionTransportTests {
  /// A gzip file of 11 000 bytes, "compressed " a thousand times over.
  static let gzip = Data(
    base64Encoded: "H4sIAAAAAAACA+3GsQ0AIAgAsFf8DRmJRv5PfIOhnRqn7svu3CtUVVVVVVVVVVVVVVVVVVVVVVVVVVWn9gO1B2Ep+CoAAA==")!

  /// Sends a request to a local server, and waits for the end of the answer.
  static func ask(
    _ method: String = "GET", _ path: String, headers: [String: String] = [:], body: RequestBody = .empty,
    _ behaviour: @escaping @Sendable (ServerRequest) -> Behaviour = Behaviour.named(by:)
  ) async throws -> (reply: RecordingReply, requests: [ServerRequest]) {
    let server = try LoopbackServer(behaviour)
    let reply = URLSessionTransport().send(method, server.url(path).absoluteString, headers: headers, body: body)
    await reply.ended()
    server.stop()
    #expect(reply.isInOrder)
    return (reply, server.requests)
  }

  @Test(arguments: [0, 1, 16_384, 5_000_000])
  func `a body of a real server arrives unchanged`(size: Int) async throws {
    let (reply, _) = try await Self.ask("GET", "/bytes/\(size)")
    #expect(reply.ending == .finished && reply.head?.status == 200)
    #expect(reply.body == Behaviour.bytes(first: size))
    #expect(reply.head?["content-length"] == "\(size)")
  }

  @Test func `a chunked body of a real server arrives unchanged`() async throws {
    let (reply, _) = try await Self.ask("GET", "/chunked/100000")
    #expect(reply.body == Behaviour.bytes(first: 100_000))
    // Its last chunk ends it, so the connection can carry another answer.
    #expect(reply.head?["Content-Length"] == nil && reply.head?.endsWithConnection == false)
  }

  @Test func `the answer that switches to another protocol is no interim response`() async throws {
    let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\n"
    let headers = ["Upgrade": "chat", "Connection": "Upgrade"]
    let (reply, _) = try await Self.ask("GET", "/", headers: headers) { _ in .raw(Data(answer.utf8)) }
    #expect(reply.head?.status == 101 && reply.head?["Upgrade"] == "chat")
  }

  @Test func `a large body is delivered in pieces before it has ended`() async throws {
    let server = try LoopbackServer()
    let reply = URLSessionTransport().send("GET", server.url("/stalled/1000000/2000000").absoluteString)
    await reply.received(1_000_000)
    #expect(reply.byteCount == 1_000_000 && reply.ending == nil)
    server.waitForHeld(1)
    server.release()
    await reply.ended()
    #expect(reply.ending == .failed(.networkConnectionLost))
    server.stop()
  }

  @Test(arguments: [
    ("/reset", 0, URLError.Code.networkConnectionLost), ("/reset/0/100", 0, .networkConnectionLost),
    ("/reset/3000000/9000000", 3_000_000, .networkConnectionLost), ("/truncated/0/10", 0, .networkConnectionLost),
    ("/truncated/100000/200000", 100_000, .networkConnectionLost), ("/close", 0, .networkConnectionLost),
    ("/garbage", 0, .cannotParseResponse),
  ])
  func `a broken response gives the same URLError as on Apple platforms`(path: String, bytes: Int, code: URLError.Code)
    async throws
  {
    let (reply, _) = try await Self.ask("GET", path) { request in
      request.path == "/garbage" ? .raw(Data("garbage\r\n\r\n".utf8)) : .named(by: request)
    }
    #expect(reply.ending == .failed(code))
    // A plain expectation would search for the difference of millions of bytes for hours.
    let hasThese = reply.body == Behaviour.bytes(first: bytes)
    #expect(hasThese, "\(reply.byteCount) bytes")
    #expect(reply.error?.failingURL?.path == path)
  }

  @Test func `a request to a closed port fails with cannotConnectToHost`() async throws {
    let port = try LoopbackServer.refusingPort()
    let reply = URLSessionTransport().send("GET", "http://127.0.0.1:\(port)/")
    await reply.ended()
    #expect(reply.ending == .failed(.cannotConnectToHost))
  }

  @Test(arguments: ["ftp://127.0.0.1/x", "file:///etc/hostname", "data:,x", "nonsense:x", "relative"])
  func `a URL with another scheme than http or https fails at once`(url: String) {
    let reply = URLSessionTransport().send("GET", url)
    #expect(reply.ending == .failed(.unsupportedURL))
  }

  @Test func `a URL that is relative to one with a scheme in upper case works`() async throws {
    let server = try LoopbackServer()
    let base = server.url("/bytes/").absoluteString.replacingOccurrences(of: "http:", with: "HTTP:")
    let url = try #require(URL(string: "10", relativeTo: URL(string: base)))
    let reply = RecordingReply()
    URLSessionTransport().respond(to: TransportRequest(request: URLRequest(url: url), body: .empty), with: reply)
    await reply.ended()
    server.stop()
    #expect(reply.byteCount == 10)
  }

  @Test(arguments: [
    ("gzip", URLError.Code.cannotDecodeRawData), ("deflate", .cannotDecodeRawData),
    ("unheard-of", .cannotDecodeContentData),
  ])
  func `a body that cannot be decoded fails with a decoding error`(encoding: String, code: URLError.Code) async throws {
    let (reply, _) = try await Self.ask("GET", "/") { _ in
      .answer(headers: [("Content-Encoding", encoding)], Data("this is no such thing".utf8))
    }
    #expect(reply.ending == .failed(code))
  }

  @Test(arguments: [0, 1, 70_000, 3_000_000], [false, true])
  func `an upload from memory or a file reaches a real server unchanged`(size: Int, fromFile: Bool) async throws {
    let data = GeneratedBody.bytes(in: 0..<Int64(size))
    var body = RequestBody.data(data)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    if fromFile {
      try data.write(to: file)
      body = .file(file, length: Int64(size))
    }
    let headers = ["Content-Type": "x/y", "Content-Length": "12345", "X-Mine": "a b"]
    let (reply, requests) = try await Self.ask("PUT", "/echo?x=1", headers: headers, body: body)
    #expect(reply.ending == .finished)
    #expect(requests.count == 1)
    let request = try #require(requests.first)
    #expect(request.method == "PUT" && request.target == "/echo?x=1")
    #expect(request.bodyHash == BodyHash(data))
    #expect(request["content-type"] == "x/y" && request["x-mine"] == "a b" && request["content-length"] == "\(size)")
  }

  @Test func `redirects are delivered without being followed`() async throws {
    for status in [301, 302, 303, 307, 308] {
      let (reply, requests) = try await Self.ask("GET", "/redirect/\(status)?to=/elsewhere")
      #expect(reply.head?.status == status && reply.head?["Location"] == "/elsewhere")
      #expect(reply.text == "moved" && requests.count == 1)
    }
    let (reply, _) = try await Self.ask("GET", "/status/301")
    #expect(reply.head?.status == 301 && reply.ending == .finished)
    let promised = reply.head?["Content-Length"].flatMap { Int($0) } ?? reply.body.count
    #expect(promised == reply.body.count)
  }

  @Test(arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer", "Negotiate"])
  func `a 401 response is delivered whatever its challenge`(challenge: String) async throws {
    let (reply, requests) = try await Self.ask("GET", "/") { _ in
      .answer(status: 401, headers: [("WWW-Authenticate", challenge)], Data("no".utf8))
    }
    #expect(reply.head?.status == 401 && reply.head?["WWW-Authenticate"] == challenge)
    #expect(reply.text == "no" && reply.ending == .finished && requests.count == 1)
  }

  @Test func `cookies are delivered but not stored`() async throws {
    let server = try LoopbackServer()
    let transport = URLSessionTransport()
    for _ in 0..<2 {
      let reply = transport.send("GET", server.url("/cookie?a=1").absoluteString)
      await reply.ended()
      #expect(reply.head?["Set-Cookie"] == "a=1")
    }
    let reply = transport.send("GET", server.url("/echo").absoluteString, headers: ["Cookie": "own=1"])
    await reply.ended()
    server.stop()
    #expect(server.requests.map { $0["Cookie"] } == [nil, nil, "own=1"])
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: [false, true])
  func `a compressed body is decoded and delivered with its size on the wire`(inChunks: Bool) async throws {
    let (reply, _) = try await Self.ask("GET", "/") { _ in
      guard inChunks else { return .answer(headers: [("Content-Encoding", "gzip")], Self.gzip) }
      let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
      let middle = "\r\n\(String(Self.gzip.count - 30, radix: 16))\r\n"
      return .raw(
        Data("\(head)1e\r\n".utf8) + Self.gzip.prefix(30) + Data(middle.utf8) + Self.gzip.dropFirst(30)
          + Data("\r\n0\r\n\r\n".utf8))
    }
    #expect(reply.text == String(repeating: "compressed ", count: 1_000) && reply.ending == .finished)
    #expect(reply.encodedCount == Int64(Self.gzip.count))
    #expect(reply.head?["Content-Encoding"] == "gzip")
    #expect(reply.head?["Content-Length"] == (inChunks ? nil : "\(Self.gzip.count)"))
  }

  @Test func `responses to HEAD and with status 204 and 304 have no body`() async throws {
    let (head, _) = try await Self.ask("HEAD", "/bytes/1000")
    #expect(head.head?["Content-Length"] == "1000" && head.byteCount == 0 && head.ending == .finished)
    for status in [204, 304] {
      let (reply, _) = try await Self.ask("GET", "/status/\(status)")
      #expect(reply.head?.status == status && reply.byteCount == 0 && reply.ending == .finished)
    }
  }

  @Test func `cancelling before or after the head ends the request as cancelled`() async throws {
    let server = try LoopbackServer()
    let transport = URLSessionTransport()
    for path in ["/held/10", "/stalled/1000/2000"] {
      let reply = transport.send("GET", server.url(path).absoluteString)
      server.waitForHeld(1)
      if path != "/held/10" { await reply.received(1_000) }
      reply.cancel()
      await reply.ended()
      #expect(reply.ending == .failed(.cancelled) && reply.isInOrder)
      server.release()
    }
    let gone = RecordingReply()
    gone.cancel()
    _ = transport.send("GET", server.url("/held/10").absoluteString, to: gone)
    await gone.ended()
    #expect(gone.ending == .failed(.cancelled))
    server.stop()
  }

  @Test func `two hundred parallel requests reach the server at the same time`() async throws {
    let server = try LoopbackServer()
    let transport = URLSessionTransport()
    let replies = (0..<200).map { transport.send("GET", server.url("/held/\($0 * 100)").absoluteString) }
    // All requests are at the server at the same time: no connection limit delays one.
    server.waitForHeld(200)
    server.release()
    for (index, reply) in replies.enumerated() {
      await reply.ended()
      #expect(reply.isInOrder && reply.body == Behaviour.bytes(first: index * 100))
    }
    server.stop()
  }

  @Test func `a released transport still completes its open request`() async throws {
    let server = try LoopbackServer()
    var transport: URLSessionTransport? = URLSessionTransport()
    let reply = transport?.send("GET", server.url("/held/1000").absoluteString)
    server.waitForHeld(1)
    transport = nil
    server.release()
    await reply?.ended()
    #expect(reply?.body == Behaviour.bytes(first: 1_000))
    server.stop()
  }

  @Test func `a slow reader stops its own transfer but not others`() async throws {
    let server = try LoopbackServer()
    let transport = URLSessionTransport()
    let reply = RecordingReply(keepingBody: false)
    reply.setRoom(false)
    _ = transport.send("GET", server.url("/bytes/60000000").absoluteString, to: reply)
    await reply.received(1 << 20)
    for _ in 0..<20 {
      let other = transport.send("GET", server.url("/bytes/1000").absoluteString)
      await other.ended()
      #expect(other.byteCount == 1_000)
    }
    // The bytes in the session and its delegate queue when the task is paused: a few MiB.
    #expect(reply.byteCount < 30_000_000 && reply.ending == nil)
    reply.setRoom(true)
    await reply.ended()
    #expect(reply.isInOrder && reply.ending == .finished && reply.byteCount == 60_000_000)
    server.stop()
  }

  @Test(arguments: [false, true])
  func `an endless body can be cancelled at full speed or while held back`(hasRoom: Bool) async throws {
    let server = try LoopbackServer()
    let transport = URLSessionTransport()
    let reply = RecordingReply(keepingBody: false)
    reply.setRoom(hasRoom)
    _ = transport.send("GET", server.url("/bytes/\(1 << 50)").absoluteString, to: reply)
    // Without room, only the bytes before the first pause are certain to arrive.
    await reply.received(hasRoom ? 3 << 20 : 1 << 20)
    // All sessions share one queue on Linux: the others still get their turns.
    let network = SimulatedNetwork("unlimited", pace: .immediate)
    network.stub("*", with: .text("here"))
    for _ in 0..<20 { #expect(try await network.session.data(from: url("http://a.example/")).0.count == 4) }
    reply.cancel()
    await reply.ended()
    #expect(reply.isInOrder && reply.ending == .failed(.cancelled))
    server.stop()
  }

  @Test func `a transport ignores simulated protocols in its configuration`() async throws {
    let network = SimulatedNetwork("offline")
    let configuration = network.sessionConfiguration
    let simulated: AnyClass = try #require(configuration.protocolClasses?.first)
    let server = try LoopbackServer()
    let reply = URLSessionTransport(configuration: configuration).send("GET", server.url("/bytes/10").absoluteString)
    await reply.ended()
    #expect(reply.byteCount == 10 && reply.ending == .finished)
    #expect(configuration.protocolClasses?.first == simulated)
    #expect(network.timeline.transfers.isEmpty)
    server.stop()
  }

  @Test(arguments: [100, 102, 103])
  func `interim responses are skipped`(status: Int) async throws {
    let interim = "HTTP/1.1 \(status) Wait\r\nLink: </style.css>\r\n\r\n"
    let final = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Final: yes\r\n\r\nhi"
    let (reply, _) = try await Self.ask("GET", "/") { _ in .raw(Data("\(interim)\(interim)\(final)".utf8)) }
    #expect(reply.head?.status == 200 && reply.head?["X-Final"] == "yes" && reply.head?["Link"] == nil)
    #expect(reply.text == "hi" && reply.ending == .finished)
  }
}
