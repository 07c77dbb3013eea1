import NetworkConditions
import Testing
import URLLoading

struct StubResponseTests {
  static func answer(_ response: StubResponse, _ method: String = "GET") -> RecordingReply {
    let stub = StubTransport()
    stub.stub(.any, with: response)
    return stub.send(method, "http://x.example/a")
  }

  @Test func `a stub sets Content-Type and Content-Length unless the test sets them`() {
    #expect(Self.answer(.text("é")).head?["Content-Type"] == "text/plain; charset=utf-8")
    #expect(Self.answer(.text("é")).head?["Content-Length"] == "2")
    #expect(Self.answer(.data(Data([1]))).head?["Content-Type"] == "application/octet-stream")
    let own = Self.answer(.json("[]").header("content-type", "a/b").header("content-length", "9"))
    #expect(own.head?["Content-Type"] == "a/b" && own.head?["Content-Length"] == "9" && own.text == "[]")
    #expect(own.head?.headers.count == 2)
    let cookies = Self.answer(.text("x").header("Set-Cookie", "a=1").header("Set-Cookie", "b=2"))
    #expect(cookies.head?.headers.filter { $0.name == "Set-Cookie" }.count == 2)
  }

  @Test func `each kind of closure of a stub gets the request's body`() {
    @Sendable func head() -> HTTPURLResponse? {
      HTTPURLResponse(url: url("http://x.example/a"), statusCode: 200, httpVersion: nil, headerFields: nil)
    }
    let plain = StubResponse.handler { request in .data(request.httpBody ?? Data()) }
    let pair = StubResponse.handler { request in (try #require(head()), request.httpBody ?? Data()) }
    let triple = StubResponse.handler { request in (head(), request.httpBody, nil) }
    #expect(Self.answer(.handler { .text("\($0.httpBody == nil)") }).text == "true")
    for answer in [plain, pair, triple] {
      let stub = StubTransport()
      stub.stub(.post, with: answer)
      #expect(stub.send("POST", "http://x.example/a", body: .data(Data("body".utf8))).text == "body")
    }
  }

  @Test func `a response has a status from 100 to 599 and no negative number of bytes`() {
    func problems(_ response: StubResponse) -> [String] {
      let stub = StubTransport()
      stub.stub(.any, with: response)
      return stub.verify()
    }
    #expect([100, 599].flatMap { problems(.text("x").status($0)) }.isEmpty && problems(.bytes(count: 0)).isEmpty)
    for status in [99, 600] {
      #expect(problems(.text("x").status(status)).contains { $0.contains("\(status) is not an HTTP status") })
    }
    #expect(problems(.bytes(count: -1)).contains { $0.contains("-1 is not a number of bytes") })
  }

  @Test func `the last of equal header fields is sent, but every Set-Cookie field`() {
    var response = StubResponse.text("x")
    for number in 0..<2_000 {
      response = response.header("X-\(number % 1_000)", "\(number)").header("Set-Cookie", "c\(number)=1")
    }
    let fields = Self.answer(response.header("x-7", "last")).head?.headers ?? []
    #expect(fields.filter { $0.name == "Set-Cookie" }.count == 2_000)
    let others = fields.filter { $0.name != "Set-Cookie" }.dropFirst(2)
    let expected = (1_000..<2_000).filter { $0 != 1_007 }.map { HeaderField("X-\($0 - 1_000)", "\($0)") }
    #expect(Array(others) == expected + [HeaderField("x-7", "last")])
  }

  @Test func `stubs with extreme numbers give a response or an error instead of trapping`() {
    #expect(Self.answer(.status(503, retryAfter: .seconds(Int64.max))).head?["Retry-After"] == "\(Int64.max)")
    let longest = Duration.seconds(Int64.max) + .seconds(Int64.max)
    #expect(Self.answer(.status(503, retryAfter: longest)).head?["Retry-After"] == "\(Int64.max)")
    let endless = Self.answer(.error(.networkConnectionLost, afterBytes: .max))
    #expect(endless.error?.localizedDescription.contains("more than \(Int64.max) bytes") == true)
  }

  @Test func `a failure after some bytes announces one byte more than it sends`() {
    let reply = Self.answer(.error(.networkConnectionLost, afterBytes: 10))
    #expect(reply.head?["Content-Length"] == "11" && reply.byteCount == 10)
    #expect(reply.ending == .failed(.networkConnectionLost))
  }

  @Test func `a JSON stub sorts its keys, and a value that cannot be encoded is an error`() throws {
    let value = ["b": 1, "a": 2, "c": 3]
    #expect(Self.answer(.json(value)).text == #"{"a":2,"b":1,"c":3}"#)
    #expect(Self.answer(.json("not JSON")).text == "not JSON")
    let reply = Self.answer(.json(Double.nan))
    #expect(reply.ending == .failed(.badServerResponse))
    #expect(reply.error?.localizedDescription.contains("Double cannot be encoded as JSON") == true)
  }

  @Test func `a file stub has the file's media type, and a missing file is an error`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("stub-\(UUID().uuidString).JSON")
    try Data("{}".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let reply = Self.answer(.file(url))
    #expect(reply.text == "{}" && reply.head?["Content-Type"] == "application/json")
    let missing = Self.answer(.file(URL(fileURLWithPath: "/nonexistent/a.json")))
    #expect(missing.error?.localizedDescription.contains("/nonexistent/a.json") == true)
  }

  @Test func `a status stub has no body, and its Retry-After is rounded up to whole seconds`() {
    let reply = Self.answer(.status(503, retryAfter: .milliseconds(1_200)))
    #expect(reply.head?.status == 503 && reply.head?["Retry-After"] == "2" && reply.byteCount == 0)
    #expect(reply.head?["Content-Length"] == "0")
    #expect(Self.answer(.status(503, retryAfter: .seconds(-5))).head?["Retry-After"] == "0")
    #expect(Self.answer(.text("busy").status(503)).text == "busy")
    #expect(Self.answer(.status(42)).ending == .failed(.badServerResponse))
    #expect(Self.answer(.text("x").status(1_000)).ending == .failed(.badServerResponse))
  }

  @Test func `stub responses to HEAD and with status 1xx, 204 and 304 have no body`() {
    let head = Self.answer(.text("hello"), "HEAD")
    #expect(head.head?["Content-Length"] == "5" && head.byteCount == 0 && head.isInOrder)
    for status in [100, 199, 204, 304] {
      let reply = Self.answer(.text("hello").status(status))
      #expect(reply.byteCount == 0 && reply.head?["Content-Length"] == nil && reply.ending == .finished)
    }
  }

  @Test func `every kind of stub sends only its head to HEAD`() {
    let packed = StubResponse.text("hello").header("Content-Encoding", "br").header("Content-Length", "9")
    for response in [
      .text("hello"), .bytes(count: 5), packed, .stream([(.zero, Data("a".utf8)), (.seconds(1), Data("b".utf8))]),
      .text("hello").failing(.networkConnectionLost, afterBytes: 3),
    ] as [StubResponse] {
      let reply = Self.answer(response, "HEAD")
      #expect(reply.head?.status == 200 && reply.pieces == 0 && reply.encodedCount == 0 && reply.delays.isEmpty)
      #expect(reply.ending == .finished && reply.isInOrder)
    }
  }

  @Test func `the error of an exhausted sequence counts its answers and the requests`() {
    let stub = StubTransport()
    stub.stub(.any, with: .sequence([.text("a"), .text("b")], then: .fail))
    let replies = (0..<3).map { _ in stub.send("GET", "http://x.example/") }
    #expect(
      replies[2].error?.localizedDescription.contains("sequence of 2 answers has no answer for request 3.") == true,
      "\(String(describing: replies[2].error))")
  }
  @Test func `an error stub fails at the start or after the given bytes`() {
    let start = Self.answer(.error(.notConnectedToInternet))
    #expect(start.head == nil && start.ending == .failed(.notConnectedToInternet))
    #expect(start.error?.failingURL?.absoluteString == "http://x.example/a")
    let cut = Self.answer(.text("hello world").failing(.networkConnectionLost, afterBytes: 5))
    #expect(cut.text == "hello" && cut.head?["Content-Length"] == "11")
    #expect(cut.ending == .failed(.networkConnectionLost) && cut.isInOrder)
    let none = Self.answer(.text("hello").failing(.networkConnectionLost, afterBytes: 0))
    #expect(none.pieces == 0 && none.head?["Content-Length"] == "5" && none.ending == .failed(.networkConnectionLost))
    let generated = Self.answer(.error(.networkConnectionLost, afterBytes: 2_000_000))
    #expect(
      generated.body == GeneratedBody.bytes(in: 0..<2_000_000) && generated.ending == .failed(.networkConnectionLost))
    let own = Self.answer(.error(URLError(.timedOut, userInfo: ["a": "b"])))
    #expect(own.error?.userInfo["a"] as? String == "b")
  }

  @Test func `a stream stub that fails does not wait for the pieces that it does not send`() {
    let stream = StubResponse.stream([
      (.zero, Data("a".utf8)), (.seconds(1), Data("b".utf8)), (.seconds(2), Data("c".utf8)),
    ])
    let cut = Self.answer(stream.failing(.networkConnectionLost, afterBytes: 1))
    #expect(cut.text == "a" && cut.ending == .failed(.networkConnectionLost))
    let later = Self.answer(stream.failing(.networkConnectionLost, afterBytes: 2))
    #expect(later.text == "a" && later.ending == nil)
    later.runNextDelayed()
    #expect(later.text == "ab" && later.ending == .failed(.networkConnectionLost))
    let empty = Self.answer(stream.failing(.networkConnectionLost, afterBytes: 0))
    #expect(empty.text == "" && empty.ending == .failed(.networkConnectionLost))
  }

  @Test func `a redirect stub sends its status and Location`() {
    let reply = Self.answer(.redirect(to: "/b", status: 307))
    #expect(reply.head?.status == 307 && reply.head?["Location"] == "/b")
    for status in [200, 300, 304, 305, 306, 399] {
      #expect(Self.answer(.redirect(to: "/b", status: status)).ending == .failed(.badServerResponse))
    }
  }

  @Test func `a large stub body is sent in slices of the same bytes each time`() {
    let reply = Self.answer(.bytes(count: 5_000_000))
    #expect(reply.body == GeneratedBody.bytes(in: 0..<5_000_000))
    #expect(reply.body[3_000_000..<3_000_100] == GeneratedBody.bytes(in: 3_000_000..<3_000_100))
    #expect(reply.pieces == 5)
    #expect(reply.head?["Content-Length"] == "5000000")
    #expect(Self.answer(.bytes(count: 0)).isInOrder)
    #expect(Self.answer(.bytes(count: -1)).ending == .failed(.badServerResponse))
  }

  @Test func `a stub's delays add up in the network's time`() {
    let reply = Self.answer(.text("late").after(.milliseconds(200)).after(.milliseconds(50)))
    #expect(reply.delays == [.milliseconds(250)] && reply.head == nil)
    reply.runNextDelayed()
    #expect(reply.text == "late" && reply.isInOrder)
  }

  @Test func `a stream stub sends its pieces after their delays`() {
    let reply = Self.answer(
      .stream([(.zero, Data("a".utf8)), (.seconds(1), Data("b".utf8)), (.seconds(2), Data("c".utf8))]))
    #expect(reply.text == "a" && reply.head?["Content-Type"] == "text/event-stream")
    #expect(reply.head?["Content-Length"] == nil)
    reply.runNextDelayed()
    #expect(reply.text == "ab" && reply.ending == nil)
    reply.runNextDelayed()
    #expect(reply.text == "abc" && reply.isInOrder && reply.delays == [.seconds(1), .seconds(2)])
  }

  @Test func `a stream stub sends a hundred thousand pieces without a delay`() {
    let piece = Data("a".utf8)
    let reply = Self.answer(.stream([(.seconds(1), piece)] + Array(repeating: (.zero, piece), count: 100_000)))
    reply.runNextDelayed()
    #expect(reply.pieces == 100_001 && reply.isInOrder)
  }

  @Test func `a sequence stub repeats its last response, starts again or fails`() {
    func texts(_ end: StubResponse.SequenceEnd) -> [String] {
      let stub = StubTransport()
      stub.stub(.any, with: .sequence([.text("a"), .text("b")], then: end))
      return (0..<5).map { _ in
        let reply = stub.send("GET", "http://x.example/")
        return reply.ending == .finished ? reply.text : "\(reply.error?.code == .resourceUnavailable)"
      }
    }
    #expect(texts(.repeatLast) == ["a", "b", "b", "b", "b"])
    #expect(texts(.cycle) == ["a", "b", "a", "b", "a"])
    #expect(texts(.fail) == ["a", "b", "true", "true", "true"])
    #expect(Self.answer(.sequence([])).ending == .failed(.badServerResponse))
  }

  @Test func `a sequence stub counts separately for each route`() {
    let stub = StubTransport()
    let twice = StubResponse.sequence([.status(500), .sequence([.text("x"), .text("y")])]).header("A", "1")
    stub.stub("/one", with: twice)
    stub.stub("/two", with: twice.after(.seconds(1)))
    let one = (0..<3).map { _ in stub.send("GET", "http://x.example/one") }
    #expect(one.map { $0.head?.status } == [500, 200, 200])
    #expect(one.map(\.text) == ["", "x", "y"])
    #expect(one.allSatisfy { $0.head?["A"] == "1" })
    let two = stub.send("GET", "http://x.example/two")
    #expect(two.delays == [.seconds(1)])
    two.runNextDelayed()
    #expect(two.head?.status == 500)
  }

  @Test func `a stub handler can return tuples or responses and can throw or wait`() async throws {
    struct Refused: Error {}
    let response = try #require(
      HTTPURLResponse(
        url: URL(string: "http://x.example/")!, statusCode: 201, httpVersion: nil, headerFields: ["X-A": "b"]))
    let three = Self.answer(.handler { _ in (response, Data("three".utf8), nil) })
    #expect(three.head?.status == 201 && three.head?["x-a"] == "b" && three.text == "three")
    let two = Self.answer(.handler { _ in (response, Data("two".utf8)) }.header("B", "c"))
    #expect(two.text == "two" && two.head?["B"] == "c")
    #expect(Self.answer(.handler { _ in (nil, Data("only".utf8), nil) }).head?.status == 200)
    #expect(Self.answer(.handler { _ in (nil, nil, URLError(.timedOut)) }).ending == .failed(.timedOut))
    #expect(Self.answer(.handler { _ in (nil, nil, nil) }).ending == .failed(.badServerResponse))
    let cut = Self.answer(.handler { _ in (response, Data("half".utf8), URLError(.networkConnectionLost)) })
    #expect(cut.text == "half" && cut.ending == .failed(.networkConnectionLost))
    let own = Self.answer(.handler { request in .text(request.httpMethod ?? "").after(.seconds(1)) }, "PUT")
    own.runNextDelayed()
    #expect(own.text == "PUT")
    let thrown = Self.answer(.handler { _ -> StubResponse in throw Refused() })
    #expect(thrown.ending == .failed(.unknown) && thrown.error?.localizedDescription == "The stub threw Refused()")
    let waiting = Self.answer(
      .handler { _ in
        await Task.yield()
        return .text("later")
      })
    await waiting.ended()
    #expect(waiting.text == "later")
  }

  @Test func `a waiting stub handler is cancelled when its client disconnects`() async {
    let (started, continuation) = AsyncStream<Void>.makeStream()
    let reply = Self.answer(
      .handler { _ -> StubResponse in
        continuation.yield()
        try await Task.sleep(for: .seconds(3_600))
        return .text("never")
      })
    for await _ in started { break }
    reply.cancel()
    await reply.ended()
    #expect(reply.ending == .failed(.cancelled))
  }
}
