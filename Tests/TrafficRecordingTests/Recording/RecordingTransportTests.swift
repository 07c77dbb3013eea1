import LoopbackServer
import NetworkConditions
import Testing

@testable import TrafficRecording
import URLLoading

@Suite(.timeLimit(.minutes(10)))
struct RecordingTransportTests {
  @Test func `a recorded site can be replayed after its server has stopped`() async throws {
    let scratch = try Scratch()
    let file = scratch.file("site.har")
    let server = try LoopbackServer { request in
      request.path == "/binary"
        ? .answer(headers: [("Content-Type", "image/x")], Data([0xFF, 0, 0xFE])) : .named(by: request)
    }
    let recording = try RecordingTransport(URLSessionTransport(), to: file, inlineLimit: 50_000)
    #expect(scratch.names.allSatisfy { $0.hasPrefix(".") })
    func fetch(_ transport: any Transport) async throws -> [Answer] {
      let network = SimulatedNetwork("unlimited", pace: .immediate, transport: transport)
      defer { network.invalidate() }
      var answers: [Answer] = []
      for path in ["/bytes/1000", "/status/404", "/binary", "/bytes/300000", "/redirect/302?to=/bytes/10"] {
        answers.append(try await network.ask("GET", server.url(path).absoluteString))
      }
      answers.append(try await network.ask("POST", server.url("/echo").absoluteString, body: Data("hello".utf8)))
      answers.append(try await network.ask("PUT", server.url("/echo").absoluteString, body: Data(count: 60_000)))
      return answers
    }
    let real = try await fetch(recording)
    #expect(try recording.finish() == 8)
    server.stop()
    #expect(scratch.names == ["site.bodies", "site.bodies/4-response", "site.bodies/8-request", "site.har"])
    let data = try Data(contentsOf: file)
    #expect(try ArchiveValidator.problems(data) == [])
    let transport = try RecordedTransport(contentsOf: file, matching: .standard.matchingBody())
    #expect(transport.notes.isEmpty)
    let replayed = try await fetch(transport)
    #expect(replayed.map(\.data) == real.map(\.data) && replayed.map(\.status) == real.map(\.status))
    #expect(real[3].data == Behaviour.bytes(first: 300_000) && real[4].data == Behaviour.bytes(first: 10))
    for (one, other) in zip(replayed, real) { #expect(one.headers["content-type"] == other.headers["content-type"]) }
  }

  @Test func `a recording contains no secrets of headers, cookies and URLs`() async throws {
    let scratch = try Scratch()
    let file = scratch.file("a.har")
    let recording = try RecordingTransport(
      HandlerTransport { _ in .text("x").header("Set-Cookie", "sid=hidden1; Path=/; HttpOnly").header("X-Plain", "seen")
      },
      to: file)
    let headers = ["Authorization": "Bearer hidden2", "Cookie": "a=hidden3; b=hidden4", "X-Own": "seen"]
    _ = try await recording.ask("GET", "http://user:hidden5@x.example/?q=a%20b#f", headers: headers)
    try recording.finish()
    let data = try Data(contentsOf: file)
    #expect(try ArchiveValidator.problems(data) == [])
    #expect(!String(decoding: data, as: UTF8.self).contains("hidden"))
    let entry = try #require(try HTTPArchive(contentsOf: file).entries.first)
    #expect(entry.request.headers.filter(\.isRedacted).map(\.name) == ["Authorization", "Cookie"])
    #expect(
      entry.request.cookies == [.init("a", "<redacted>", isRedacted: true), .init("b", "<redacted>", isRedacted: true)])
    #expect(
      entry.response.cookies == [
        .init("sid", "<redacted>", path: "/", isHTTPOnly: true, isSecure: false, isRedacted: true)
      ])
    #expect(entry.request.query == [.init("q", "a b")] && entry.request[header: "x-own"] == "seen")
  }

  @Test func `a recording without redaction keeps secrets`() async throws {
    let scratch = try Scratch()
    let recording = try RecordingTransport(
      HandlerTransport { _ in .text("x").header("Set-Cookie", "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2; Secure")
      },
      to: scratch.file("a.har"), redaction: .none)
    _ = try await recording.ask("GET", "http://x.example/", headers: ["Authorization": "Bearer token"])
    try recording.finish()
    let entry = try #require(try HTTPArchive(contentsOf: scratch.file("a.har")).entries.first)
    #expect(entry.request[header: "Authorization"] == "Bearer token")
    #expect(
      entry.response.cookies.map(\.name) == ["a", "b"] && entry.response.cookies.map(\.isSecure) == [false, true])
  }

  @Test func `failed requests are recorded and fail again when replayed`() async throws {
    let scratch = try Scratch()
    let stub = StubTransport()
    stub.stub("/lost", with: .error(.networkConnectionLost))
    stub.stub("/cut", with: .bytes(count: 500).failing(.networkConnectionLost, afterBytes: 200))
    stub.stub("/never", with: .never)
    let recording = try RecordingTransport(stub, to: scratch.file("a.har"))
    func check(_ transport: any Transport) async {
      for (path, code) in [
        ("lost", URLError.Code.networkConnectionLost), ("cut", .networkConnectionLost), ("never", .timedOut),
      ] {
        await #expect(
          performing: { try await transport.ask("GET", "http://x.example/\(path)") },
          throws: { ($0 as? URLError)?.code == code })
      }
    }
    await check(recording)
    #expect(try recording.finish() == 3)
    #expect(try ArchiveValidator.problems(Data(contentsOf: scratch.file("a.har"))) == [])
    let archive = try HTTPArchive(contentsOf: scratch.file("a.har"))
    #expect(archive.entries.map(\.response.error) == ["networkConnectionLost", "networkConnectionLost", "cancelled"])
    #expect(archive.entries.map(\.response.content.size) == [0, 200, 0])
    // Without a head the whole time is a wait, and a GET has no body.
    #expect([0, 2].allSatisfy { archive.entries[$0].timings.receive == .zero })
    #expect(archive.entries.allSatisfy { $0.request.body == nil })
    await check(try RecordedTransport(archive))
  }

  @Test func `a recording replaces an existing file only when asked to`() async throws {
    let scratch = try Scratch()
    let file = scratch.file("a.har")
    func record(_ count: Int64, overwrites: Bool = false) async throws {
      let recording = try RecordingTransport(
        HandlerTransport { _ in .bytes(count: count) }, to: file, overwrites: overwrites, inlineLimit: 100)
      _ = try await recording.ask("GET", "http://x.example/")
      try recording.finish()
    }
    try await record(200)
    #expect(
      performing: { try RecordingTransport(StubTransport(), to: file) },
      throws: { "\($0)".contains("already exists") })
    try Data("mine".utf8).write(to: scratch.file("a.bodies/notes"))
    try await record(300, overwrites: true)
    #expect(scratch.names == ["a.bodies", "a.bodies/1-response", "a.bodies/notes", "a.har"])
    #expect(try await RecordedTransport(contentsOf: file).ask("GET", "http://x.example/").data.count == 300)
    // A body as long as the limit stays in the archive.
    try await record(100, overwrites: true)
    #expect(scratch.names == ["a.bodies", "a.bodies/notes", "a.har"])
    let bodies = scratch.file("b.bodies")
    try FileManager.default.createSymbolicLink(at: bodies, withDestinationURL: scratch.file("a.bodies"))
    #expect(throws: HTTPArchiveError.self) {
      try RecordingTransport(StubTransport(), to: scratch.file("b.har"), overwrites: true)
    }
    #expect(throws: HTTPArchiveError.self) { try RecordingTransport(StubTransport(), to: scratch.file("no/a.har")) }
  }

  @Test func `a discarded recording leaves no file`() async throws {
    let scratch = try Scratch()
    let recording = try RecordingTransport(
      HandlerTransport { _ in .bytes(count: 500) }, to: scratch.file("a.har"), inlineLimit: 100)
    _ = try await recording.ask("GET", "http://x.example/")
    recording.discard()
    #expect(scratch.names == [])
    #expect(try recording.finish() == 1)
  }

  @Test func `an exchange that is still open at the end is recorded as cancelled`() async throws {
    let scratch = try Scratch()
    let stub = StubTransport()
    stub.stub("/whole", with: .bytes(count: 500))
    stub.stub("/open", with: .stream([(.zero, Data(count: 500)), (.seconds(30), Data(count: 500))]))
    let recording = try RecordingTransport(stub, to: scratch.file("a.har"), inlineLimit: 100)
    let network = SimulatedNetwork("unlimited", pace: .immediate, transport: recording)
    let route = stub.stub("/held", with: .text("x"))
    route.hold()
    _ = try await network.ask("GET", "http://x.example/whole")
    let (open, _) = try await network.bytes(from: URL(string: "http://x.example/open")!)
    let held = Task { try? await network.ask("GET", "http://x.example/held") }
    await route.waitUntilCalled()
    #expect(try recording.finish() == 3)
    let archive = try HTTPArchive(contentsOf: scratch.file("a.har"))
    #expect(archive.entries.last?.response.error == "cancelled" && archive.entries.last?.response.status == 0)
    let files = archive.entries.compactMap(\.response.content.file)
    #expect(scratch.names == (["a.bodies", "a.har"] + files).sorted())
    route.release()
    _ = await held.value
    _ = open
    network.invalidate()
    #expect(scratch.names == (["a.bodies", "a.har"] + files).sorted())
  }

  /// Answers with 100 decoded bytes and `encodedCount` bytes on the wire, and then ends or fails.
  private struct CodedServer: Transport {
    let encodedCount: Int64?
    let fails: Bool

    func respond(to request: TransportRequest, with reply: any TransportReply) {
      reply.head(
        ResponseHead(
          status: 200, headers: [HeaderField("Content-Encoding", "br"), HeaderField("Content-Length", "1000")]))
      // Only the first head counts.
      reply.head(ResponseHead(status: 500))
      reply.body(Data(count: 100), encodedCount: encodedCount)
      if fails { reply.fail(URLError(.networkConnectionLost)) } else { reply.finish() }
    }
  }

  @Test(arguments: [(40, false, 40), (nil, false, 1_000), (nil, true, -1), (40, true, 40)] as [(Int64?, Bool, Int64)])
  func `the wire size of a compressed body is the received size, or else a complete answer's Content-Length`(
    encoded: Int64?, fails: Bool, expected: Int64
  ) async throws {
    let scratch = try Scratch()
    let recording = try RecordingTransport(
      CodedServer(encodedCount: encoded, fails: fails), to: scratch.file("a.har"))
    _ = try? await recording.ask("GET", "http://x.example/")
    try recording.finish()
    let response = try #require(try HTTPArchive(contentsOf: scratch.file("a.har")).entries.first?.response)
    #expect(response.bodyBytes == expected && response.content.size == 100 && response.status == 200)
  }

  @Test func `a recording names the first of two problems`() throws {
    let scratch = try Scratch()
    let file = try RecordingFile(scratch.file("a.har"), overwrites: false)
    for text in ["one", "two"] {
      file.note(URLError(.cannotWriteToFile, userInfo: [NSLocalizedDescriptionKey: text]))
    }
    let error = #expect(throws: HTTPArchiveError.self) { try file.finish() }
    #expect("\(error, default: "none")".contains("one") && scratch.names.isEmpty)
  }

  @Test func `a recording to a pipe contains all bodies, whatever the limit, and creates no folder`() async throws {
    let scratch = try Scratch()
    let pipe = scratch.file("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let reader = open(pipe.path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let recording = try RecordingTransport(
      HandlerTransport { _ in .text(String(repeating: "a", count: 100)) }, to: pipe, inlineLimit: 10)
    _ = try await recording.ask("GET", "http://x.example/")
    try recording.finish()
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(reader, &bytes, bytes.count)
    let archive = try HTTPArchive(json: Data(bytes.prefix(max(0, count))))
    #expect(archive.entries[0].response.content.text?.count == 100 && scratch.names == ["pipe"])
  }
}
