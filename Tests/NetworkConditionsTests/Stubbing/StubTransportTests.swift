import Internals
import Testing
import URLLoading

@testable import NetworkConditions

struct StubTransportTests {
  struct Feed: Codable, Equatable {
    var title = "news"
    var items = [1, 2, 3]
  }

  let stub = StubTransport()

  @Test func `a stub with a closure for the body does not respond inside the engine's loop`() {
    stub.stub(.post, "/checked", body: .matching { _ in true }, with: .status(201))
    stub.stub(.post, "/plain", body: .contains("a"), with: .status(202))
    let isImmediate = ["/checked", "/plain"].map { path in
      var request = URLRequest(url: url("https://api.example.com\(path)"))
      request.httpMethod = "POST"
      let whole = TransportRequest(request: request, body: .data(Data("a".utf8)), occurrence: 1, time: .zero)
      return stub.respondImmediately(to: whole, with: RecordingReply())
    }
    #expect(isImmediate == [false, true])
  }

  @Test func `a stub releases its handlers at its end`() {
    final class Token: Sendable {}
    weak var token: Token?
    do {
      let held = Token()
      token = held
      stub.stub("/x") { _ in .text("\(ObjectIdentifier(held))") }
    }
    #expect(token != nil)
    stub.end()
    #expect(token == nil)
  }

  @Test func `the documented stubs give the documented responses`() throws {
    stub.stub("https://api.example.com/feed", with: .json(Feed()))
    let orders = stub.stub(.post, "/orders/**", with: .status(201))
    stub.stub({ $0.httpMethod == "PUT" }, with: .status(204))
    stub.stub {
      $0.httpMethod == "PATCH"
    } with: { request in
      (HTTPURLResponse(url: request.url!, statusCode: 202, httpVersion: nil, headerFields: nil), request.httpBody, nil)
    }
    stub.stub(
      .any,
      with: .handler { request in
        (
          HTTPURLResponse(url: request.url!, statusCode: 418, httpVersion: nil, headerFields: nil), Data("tea".utf8),
          nil
        )
      })

    let feed = stub.send("GET", "https://api.example.com/feed")
    #expect(try JSONDecoder().decode(Feed.self, from: feed.body) == Feed())
    #expect(feed.head?["content-type"] == "application/json")
    #expect(feed.head?["Content-Length"] == "\(feed.body.count)")
    #expect(stub.send("POST", "https://any.example/orders/1/lines").head?.status == 201)
    #expect(orders.callCount == 1)
    #expect(stub.send("PUT", "https://any.example/x").head?.status == 204)
    let patch = stub.send("PATCH", "https://any.example/x", body: .data(Data("new".utf8)))
    #expect(patch.head?.status == 202 && patch.text == "new")
    let rest = stub.send("GET", "https://any.example/x")
    #expect(rest.head?.status == 418 && rest.text == "tea" && rest.isInOrder)
    #expect(stub.verify().isEmpty)
  }

  @Test func `the first matching route responds`() {
    stub.stub("/a/*", with: .text("one"))
    stub.stub("/a/b", with: .text("two"))
    #expect(stub.send("GET", "http://x.example/a/b").text == "one")
    stub.routes[0].remove()
    #expect(stub.send("GET", "http://x.example/a/b").text == "two")
    for route in stub.routes { route.remove() }
    #expect(stub.send("GET", "http://x.example/a/b").ending == .failed(.resourceUnavailable))
  }

  @Test func `a later stub for the same requests replaces an earlier one in its place`() {
    let old = stub.stub(.get, "/a/*", headers: ["X": "1"], with: .text("old"))
    stub.stub("/a/*", with: .text("other"))
    stub.stub({ _ in true }, with: .text("any"))
    #expect(stub.send("GET", "http://x.example/a/b", headers: ["X": "1"]).text == "old")
    stub.stub(.get, "/a/*", headers: ["X": "1"], with: .text("new"))
    stub.stub({ _ in true }, with: .text("closures are never the same"))
    #expect(stub.send("GET", "http://x.example/a/b", headers: ["X": "1"]).text == "new")
    #expect(stub.send("GET", "http://x.example/a/b").text == "other")
    #expect(stub.send("GET", "http://x.example/c").text == "any")
    #expect(old.requests.count == 1 && stub.verify().isEmpty)
    stub.routes[0].remove()
    #expect(stub.send("GET", "http://x.example/a/b", headers: ["X": "1"]).text == "old")
  }

  @Test func `a list of answers is a sequence`() {
    stub.stub("/a", with: [.text("one"), .text("two")])
    #expect((0..<3).map { _ in stub.send("GET", "http://x.example/a").text } == ["one", "two", "two"])
  }

  @Test func `verify names a stub that an earlier one hides`() {
    stub.stub("/orders/*", with: .status(500))
    stub.stub(.post, "/orders/*", headers: ["Accept": "*"], with: .status(201))
    stub.stub(.get, "/orders/1", with: .status(200))
    stub.stub("/items", body: .contains("a"), with: .status(200))
    stub.stub("/items", with: .status(200))
    stub.stub("/carts", headers: ["Accept": "*"], with: .status(200))
    stub.stub("/carts", with: .status(200))
    #expect(
      stub.verify() == [
        "The stub POST /orders/* with Accept: * never answers: the earlier stub /orders/* answers all its requests. "
          + "Make the narrower stub first.",
        "The stub GET /orders/1 never answers: the earlier stub /orders/* answers all its requests. "
          + "Make the narrower stub first.",
      ])
    stub.routes[0].remove()
    #expect(stub.verify().isEmpty)
  }

  @Test func `a stub can match query, header fields and body`() {
    stub.stub("/s", query: ["page": "2"], with: .text("query"))
    stub.stub("/s?sort=*", with: .text("pattern query"))
    stub.stub("/s", headers: ["authorization": "Bearer **"], with: .text("header"))
    stub.stub(.post, "/s", body: .json(#"{"a": 1, "b": [true]}"#), with: .text("json"))
    stub.stub(.post, "/s", body: .text("hello"), with: .text("text"))
    stub.stub(.post, "/s", body: .bytes(Data([1, 2])), with: .text("bytes"))
    stub.stub(.post, "/s", body: .contains("needle"), with: .text("contains"))
    let url = "http://x.example/s"
    func post(_ body: String) -> String { stub.send("POST", url, body: .data(Data(body.utf8))).text }
    #expect(stub.send("GET", url + "?x=1&page=2").text == "query")
    #expect(stub.send("GET", url + "?sort=up").text == "pattern query")
    #expect(stub.send("GET", url, headers: ["Authorization": "Bearer a/b"]).text == "header")
    #expect(post(#"{ "b":[true],"a":1}"#) == "json")
    #expect(post("hello") == "text")
    #expect(stub.send("POST", url, body: .data(Data([1, 2]))).text == "bytes")
    #expect(post("hay needle hay") == "contains")
    #expect(stub.send("GET", url + "?page=3").ending == .failed(.resourceUnavailable))
  }

  @Test func `the error for a request without a stub lists the most similar stubs first`() throws {
    stub.stub(.get, "https://other.example/zzz", with: .status(200))
    stub.stub(.post, "https://api.example.com/feed", with: .status(200))
    stub.stub("orders", with: .status(200))
    let reply = stub.send("GET", "https://api.example.com/feed", headers: ["Cookie": "secret"])
    let error = try #require(reply.error)
    #expect(error.code == .resourceUnavailable)
    #expect(error.failingURL?.absoluteString == "https://api.example.com/feed")
    let lines = error.localizedDescription.split(separator: "\n")
    let title = "No stub matches GET https://api.example.com/feed (netcond explain no-stub)."
    #expect(lines[0] == "\(title) The stubs are, nearest first:")
    #expect(lines[1] == "  POST https://api.example.com/feed (another method)")
    #expect(error.localizedDescription.contains("\"/orders\" for a path") && lines.count == 4)
    let failures = stub.verify()
    #expect(failures.count == 2)
    #expect(failures.contains { $0.hasPrefix("The pattern \"orders\" matches nothing") })
    #expect(failures.contains { $0.contains("No stub matched GET") && !$0.contains("secret") })
  }

  @Test func `the error for a request without a stub names all parts that differ`() throws {
    stub.stub(
      .post, "http://x.example/a", query: ["page": "2"], headers: ["accept": "b"], body: .text("c"), with: .status(200))
    stub.stub({ $0.httpMethod == "PUT" }, with: .status(200))
    let error = try #require(stub.send("GET", "http://x.example/a").error)
    let lines = error.localizedDescription.split(separator: "\n").dropFirst()
    #expect(lines.first == "  * any URL that a closure accepts (another closure)")
    #expect(lines.last?.hasSuffix(" (another method, query, headers, body)") == true)
  }

  @Test func `the error for a request without a stub lists twelve stubs and counts the others`() throws {
    for number in 0..<14 { stub.stub("/\(number)", with: .status(200)) }
    let error = try #require(stub.send("GET", "https://a.example/feed").error)
    let lines = error.localizedDescription.split(separator: "\n").dropFirst()
    #expect(lines.count == 13 && lines.last == "  and 2 more")
  }

  @Test func `a stub whose URL differs only in its middle is nearer than one that differs at its end`() throws {
    stub.stub(.get, "https://a.example/v1/orders", with: .status(200))
    stub.stub(.get, "https://a.example/v2/feed", with: .status(200))
    let error = try #require(stub.send("GET", "https://a.example/v1/feed").error)
    #expect(error.localizedDescription.split(separator: "\n")[1].contains("v2/feed"), "\(error)")
  }

  @Test func `a printed stub transport lists its routes on at most a screen`() {
    #expect("\(stub)" == "no stubs")
    stub.stub(.post, "/orders/**", with: .status(201))
    #expect("\(stub)" == "POST /orders/**")
    for number in 0..<60 { stub.stub("/\(number)", with: .status(200)) }
    let lines = "\(stub)".split(separator: "\n")
    #expect(lines.count == 41 && lines.last == "and 21 more")
  }

  @Test func `the error for a request says when there are no stubs at all`() {
    #expect(stub.send("GET", "http://x.example/").error?.localizedDescription.contains("there are no stubs (") == true)
  }

  @Test func `two thousand requests from eight threads all end and are all recorded`() {
    let large = stub.stub("/large", with: .bytes(count: 3_000_000))
    let turns = stub.stub("/turns", with: .sequence([.status(500), .status(200)], then: .cycle))
    let held = stub.stub("/held", with: .text("late"))
    held.hold()
    let replies = Mutex<[RecordingReply]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<250 {
        let path = ["large", "turns", "held", "none"][number % 4]
        let reply = RecordingReply(keepingBody: false)
        _ = stub.send("GET", "http://x.example/\(path)", to: reply)
        if number % 3 == 0 { reply.cancel() }
        if number == 100 { stub.stub("/extra/\(thread)", with: .status(200)) }
        replies.withLock { $0.append(reply) }
      }
    }
    held.release()
    let all = replies.withLock { $0 }
    #expect(all.count == 2_000 && all.allSatisfy(\.isInOrder))
    // Per thread, 250 numbers: 63 are 0 and 63 are 1 modulo 4, 62 are 2 and 62 are 3.
    #expect([large, turns, held].map(\.callCount) == [504, 504, 496])
    let bytes = all.reduce(Int64(0)) { $0 + $1.byteCount }
    #expect(bytes == 8 * 63 * 3_000_000 + 8 * 62 * 4)
    #expect(all.filter { $0.head?.status == 500 }.count == 252)
    #expect(stub.verify().count == 8 * 62)
    // Each third number is cancelled; 21 of the 63 numbers that are 0 modulo 4 are 0 modulo 3 too.
    #expect(large.requests.filter(\.wasCancelled).count == 8 * 21)
  }
}
