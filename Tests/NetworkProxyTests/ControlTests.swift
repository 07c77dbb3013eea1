import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@testable import NetworkProxy

/// The control API without sockets.
struct ControlTests {
  /// Fake sockets and a fake clock for the control API.
  final class Host: ControlHost {
    var timeScale = 1.0
    var restarts: [UInt64] = []
    var closed: [Int32] = []
    private var next: Int32 = 1_000

    func open(_ proxy: ToxicProxy) throws(ProxyError) {
      if proxy.listen.port == 0 { proxy.listen = .loopback(port: UInt16(next)) }
      if proxy.listen.port == 1 { throw .cannotListen(proxy.listen, reason: "Permission denied") }
      proxy.listener = next
      next += 1
      proxies[proxy.name] = proxy
    }

    var proxies: [String: ToxicProxy] = [:]
    func close(_ listener: Int32) { closed.append(listener) }
    func restart(seed: UInt64) { restarts.append(seed) }
  }

  let bench = ProxyBench(.unlimited)
  let host = Host()
  let api: ControlAPI

  init() {
    api = ControlAPI(core: bench.core, host: host)
  }

  @discardableResult
  private func ask(_ method: String, _ path: String, _ body: String = "", agent: String = "test") throws -> (
    Int, JSONValue
  ) {
    let text =
      "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nUser-Agent: \(agent)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let bytes = Array(text.utf8)
    let head = try #require(try HTTPHead(bytes[...]))
    let answer = api.answer(try #require(try ControlRequest(head, bytes)))
    let json = try? JSONDecoder().decode(JSONValue.self, from: Data(answer.body))
    return (answer.status, json ?? .string(String(decoding: answer.body, as: UTF8.self)))
  }

  @Test func `proxies are created, listed, changed and removed as in toxiproxy`() throws {
    let made = try ask("POST", "/proxies", #"{"name": "db", "listen": "127.0.0.1:0", "upstream": "localhost:5432"}"#)
    #expect(made.0 == 201)
    #expect(made.1["enabled"] == .bool(true) && made.1["listen"] == "127.0.0.1:1000" && made.1["toxics"] == .array([]))
    #expect(try ask("POST", "/proxies", #"{"name": "db", "upstream": "localhost:5432"}"#).0 == 409)
    #expect(
      try ask("POST", "/proxies", #"{"upstream": "localhost:5432"}"#).1["error"] == "missing required field: name")
    #expect(try ask("POST", "/proxies", #"{"name": "x"}"#).1["error"] == "missing required field: upstream")
    let taken = try ask("POST", "/proxies", #"{"name": "x", "upstream": "a:1", "listen": "127.0.0.1:1"}"#)
    #expect(taken.0 == 500 && taken.1["error"] == "listen tcp 127.0.0.1:1: bind: permission denied")
    #expect(try ask("GET", "/proxies").1["db"] == made.1)
    #expect(try ask("GET", "/proxies/other").0 == 404)
    let off = try ask("POST", "/proxies/db", #"{"enabled": false}"#)
    #expect(off.1["enabled"] == .bool(false) && off.1["listen"] == "127.0.0.1:1000")
    #expect(host.closed == [1000])
    #expect(try ask("PATCH", "/proxies/db", #"{"enabled": true}"#).1["listen"] == "127.0.0.1:1000")
    let listener = host.proxies["db"]?.listener
    try ask("PATCH", "/proxies/db", #"{"enabled": true}"#)
    // A port of 0 keeps the present port.
    #expect(try ask("PATCH", "/proxies/db", #"{"listen": "127.0.0.1:0"}"#).1["listen"] == "127.0.0.1:1000")
    #expect(host.proxies["db"]?.listener == listener)
    #expect(try ask("DELETE", "/proxies/db").0 == 204)
    #expect(try ask("GET", "/proxies").1 == .object([]))
    #expect(try ask("GET", "/version").1["version"] != nil)
    #expect(try ask("GET", "/nothing").0 == 404)
    #expect(try ask("GET", "/proxies", agent: "Mozilla/5.0").0 == 403)
  }

  @Test func `a known path with another method is answered with 405`() throws {
    try ask("POST", "/proxies", #"{"name": "db", "listen": "127.0.0.1:0", "upstream": "localhost:5432"}"#)
    let known = [
      "/version", "/populate", "/proxies", "/proxies/db/toxics", "/netcond", "/netcond/timeline", "/netcond/profile",
      "/netcond/offline", "/netcond/tunnel", "/netcond/online", "/netcond/time-scale", "/netcond/seed",
    ]
    for path in known { #expect(try ask("PUT", path).0 == 405, "\(path)") }
    #expect(try ask("GET", "/reset").0 == 405)
    for path in ["/version/1", "/other/db/toxics", "/proxies/db/other", "/netcond/other"] {
      #expect(try ask("PUT", path).0 == 404, "\(path)")
    }
  }

  @Test func `a disabled proxy that never listened shows its address as written in the configuration`() throws {
    let made = try ask(
      "POST", "/proxies", #"{"name": "a", "listen": "localhost:99", "upstream": "b:1", "enabled": false}"#)
    #expect(made.1["listen"] == "localhost:99")
    #expect(try ask("PATCH", "/proxies/a", #"{"enabled": true}"#).1["listen"] == "127.0.0.1:99")
    #expect(try ask("PATCH", "/proxies/a", #"{"enabled": false}"#).1["listen"] == "127.0.0.1:99")
    let moved = try ask("PATCH", "/proxies/a", #"{"listen": "localhost:98", "upstream": "c:1"}"#)
    #expect(moved.1["listen"] == "localhost:98" && moved.1["upstream"] == "c:1")
    let elsewhere = try ask("PATCH", "/proxies/a", #"{"upstream": "d:1"}"#)
    #expect(elsewhere.1["listen"] == "localhost:98" && elsewhere.1["upstream"] == "d:1")
  }

  @Test func `a list of proxies with one incomplete entry creates no proxy`() throws {
    let lists = [
      ("name", #"[{"name": "a", "upstream": "b:1"}, {"upstream": "c:1"}]"#),
      ("upstream", #"[{"name": "a", "upstream": "b:1"}, {"name": "c"}]"#),
    ]
    for (field, list) in lists {
      let answer = try ask("POST", "/populate", list)
      #expect(answer.0 == 400 && answer.1["error"] == .string("missing required field: \(field) at proxy 2"))
    }
    #expect(try ask("GET", "/proxies").1 == .object([]))
  }

  @Test func `toxics get default values, can be changed in part and can be removed`() throws {
    try ask("POST", "/proxies", #"{"name": "db", "upstream": "localhost:5432"}"#)
    let toxic = try ask("POST", "/proxies/db/toxics", #"{"type": "latency", "attributes": {"latency": 100}}"#)
    #expect(toxic.0 == 200)
    #expect(
      toxic.1
        == (try JSONDecoder().decode(
          JSONValue.self,
          from: Data(
            #"{"attributes": {"jitter": 0, "latency": 100}, "name": "latency_downstream", "stream": "downstream", "toxicity": 1, "type": "latency"}"#
              .utf8))))
    #expect(try ask("POST", "/proxies/db/toxics", #"{"type": "latency"}"#).0 == 409)
    let changed = try ask(
      "POST", "/proxies/db/toxics/latency_downstream", #"{"toxicity": 0.5, "attributes": {"jitter": 5}}"#)
    #expect(changed.1["attributes"]?["latency"] == .number("100") && changed.1["toxicity"] == .number("0.5"))
    #expect(try ask("GET", "/proxies/db/toxics/none").0 == 404)
    for wrong in [
      #"{"type": "lag"}"#, #"{"type": "latency", "stream": "sideways"}"#, #"{"type": "latency", "toxicity": 2}"#,
      #"{"type": "noop", "attributes": {"latency": 1}}"#,
      #"{"type": "latency", "name": "x", "attributes": {"latency": -1}}"#,
      #"{"type": "latency""#, "[]",
    ] { #expect(try ask("POST", "/proxies/db/toxics", wrong).0 == 400, "\(wrong)") }
    #expect(try ask("DELETE", "/proxies/db/toxics/latency_downstream").0 == 204)
    #expect(try ask("GET", "/proxies/db/toxics").1 == .array([]))
    try ask("POST", "/proxies/db/toxics", #"{"type": "timeout"}"#)
    try ask("POST", "/proxies/db", #"{"enabled": false}"#)
    #expect(try ask("POST", "/reset").0 == 204)
    #expect(try ask("GET", "/proxies/db").1["enabled"] == .bool(true))
    #expect(try ask("GET", "/proxies/db").1["toxics"] == .array([]))
  }

  @Test func `loading a configuration twice changes nothing, and a changed address reopens its proxy`() throws {
    let file =
      #"[{"name": "a", "listen": "127.0.0.1:22", "upstream": "b:1"}, {"name": "c", "upstream": "d:2", "enabled": false}]"#
    for _ in 0..<2 { #expect(try api.populate(Data(file.utf8)).map(\.description) == ["127.0.0.1:22"]) }
    #expect(host.closed == [])
    let moved = try ask("POST", "/populate", #"[{"name": "a", "listen": "127.0.0.1:23", "upstream": "b:1"}]"#)
    #expect(moved.0 == 201)
    #expect(host.closed == [1000])
    _ = try ask("POST", "/populate", #"[{"name": "a", "listen": "127.0.0.1:23", "upstream": "b:9"}]"#)
    #expect(host.closed.count == 2)
    #expect(throws: ControlError(400, "bad request body: it must be a list of proxies")) {
      try api.populate(Data("{}".utf8))
    }
    #expect(throws: ControlError.self) { try api.populate(Data("[{]".utf8)) }
  }

  // MARK: Effects of toxics

  private func client(_ toxics: String...) throws -> Int32 {
    try ask("POST", "/proxies", #"{"name": "db", "upstream": "localhost:5432"}"#)
    for toxic in toxics { #expect(try ask("POST", "/proxies/db/toxics", toxic).0 == 200) }
    let proxy = try #require(host.proxies["db"])
    return bench.client("", .forward(proxy.upstream, link: proxy))
  }

  private func after(_ time: Duration) -> SimulatedInstant { SimulatedInstant.zero.advanced(by: time) }

  @Test(arguments: ProxyBench.greetings)
  func `upstream and downstream latency add up without a handshake delay`(greeting: String) throws {
    bench.greeting = Array(greeting.utf8)
    let client = try client(
      #"{"type": "latency", "stream": "upstream", "attributes": {"latency": 30}}"#,
      #"{"type": "latency", "attributes": {"latency": 100}}"#)
    bench.server = { $0 }
    bench.say("ping", client)
    bench.run(for: .seconds(5))
    #expect(bench.text(client) == greeting + "ping")
    #expect(bench.sockets.ends[client]?.lastWrite == after(.milliseconds(130)))
  }

  @Test func `after a latency is lowered, a new connection does not wait for packets of an old one`() throws {
    let slow = try client(#"{"type": "latency", "attributes": {"latency": 3000}}"#)
    bench.say("late", bench.servers[0])
    bench.run(for: .milliseconds(1))
    let proxy = try #require(host.proxies["db"])
    let path = bench.core.network.addPath(.unlimited)
    for _ in 0..<3 {
      try ask("POST", "/proxies/db/toxics/latency_downstream", #"{"attributes": {"latency": 10}}"#)
      let start = bench.core.network.time
      let fast = bench.client("", .forward(proxy.upstream, link: proxy))
      bench.say("soon", try #require(bench.servers.last))
      bench.run(for: .milliseconds(500))
      #expect(bench.text(fast) == "soon" && bench.text(slow) == "")
      #expect(bench.sockets.ends[fast]?.lastWrite == start.advanced(by: .milliseconds(10)))
      try ask("POST", "/proxies/db/toxics/latency_downstream", #"{"attributes": {"latency": 3000}}"#)
    }
    // An empty path is used again.
    #expect(bench.core.network.addPath(.unlimited) == path + 2)
    bench.run(for: .seconds(3))
    #expect(bench.text(slow) == "late")
  }

  @Test func `a client is closed without a reset when its server refuses the connection`() throws {
    bench.refuses = true
    let client = try client()
    bench.run(for: .seconds(1))
    #expect(bench.sockets.ends[client]?.wasClosed == true && bench.sockets.ends[client]?.wasReset == false)
  }

  @Test(arguments: ProxyBench.greetings)
  func `a bandwidth toxic limits all open connections of its proxy together`(greeting: String) throws {
    bench.greeting = Array(greeting.utf8)
    let first = try client()
    let proxy = try #require(host.proxies["db"])
    let second = bench.client("", .forward(proxy.upstream, link: proxy))
    try ask("POST", "/proxies/db/toxics", #"{"type": "bandwidth", "attributes": {"rate": 100}}"#)
    for socket in bench.servers { bench.say([UInt8](repeating: 1, count: 100_000), socket) }
    bench.run(for: .seconds(10))
    for socket in [first, second] {
      #expect(bench.sockets.ends[socket]?.outgoing.count == bench.greeting.count + 100_000)
    }
    // 200 kB and their headers at 100 kB/s.
    let end = max(bench.sockets.ends[first]!.lastWrite, bench.sockets.ends[second]!.lastWrite)
    #expect(end > after(.milliseconds(2_000)) && end < after(.milliseconds(2_200)))
  }

  @Test(arguments: ProxyBench.greetings)
  func `a timeout toxic holds all bytes until it is removed or closes the connection`(greeting: String) throws {
    bench.greeting = Array(greeting.utf8)
    let client = try client(#"{"type": "timeout", "attributes": {"timeout": 0}}"#)
    bench.say("late", bench.servers[0])
    bench.run(for: .seconds(100))
    #expect(bench.text(client) == "")
    try ask("DELETE", "/proxies/db/toxics/timeout_downstream")
    #expect(bench.text(client) == greeting + "late")
    try ask("POST", "/proxies/db/toxics", #"{"type": "timeout", "attributes": {"timeout": 500}}"#)
    bench.run(for: .milliseconds(499))
    #expect(bench.sockets.ends[client]?.wasClosed == false)
    bench.run(for: .milliseconds(1))
    #expect(bench.sockets.ends[client]?.wasClosed == true && bench.sockets.ends[client]?.wasReset == false)
  }

  @Test(arguments: ProxyBench.greetings)
  func `reset_peer, limit_data, slow_close and slicer affect connections as in toxiproxy`(greeting: String) throws {
    bench.greeting = Array(greeting.utf8)
    let reset = try client(#"{"type": "reset_peer", "attributes": {"timeout": 20}}"#)
    bench.run(for: .milliseconds(20))
    #expect(bench.sockets.ends[reset]?.wasReset == true)

    try ask("POST", "/reset")
    let limited = try client(#"{"type": "limit_data", "attributes": {"bytes": 3}}"#)
    bench.say("abcdef", bench.servers[1])
    bench.run(for: .milliseconds(1))
    #expect(bench.text(limited) == (greeting + "abcdef").prefix(3) && bench.sockets.ends[limited]?.wasClosed == true)

    try ask("POST", "/reset")
    let slow = try client(#"{"type": "slow_close", "attributes": {"delay": 300}}"#)
    bench.end(bench.servers[2])
    bench.run(for: .milliseconds(299))
    #expect(bench.sockets.ends[slow]?.saidEnd == false)
    bench.run(for: .milliseconds(1))
    #expect(bench.sockets.ends[slow]?.saidEnd == true)

    try ask("POST", "/reset")
    let start = bench.time
    let sliced = try client(#"{"type": "slicer", "attributes": {"average_size": 2, "delay": 1000}}"#)
    bench.say("abcdefg", bench.servers[3])
    #expect(bench.text(sliced) == (greeting + "abcdefg").prefix(2))
    bench.run(for: .milliseconds(20))
    #expect(bench.text(sliced) == greeting + "abcdefg")
    let slices = (bench.greeting.count + 7 + 1) / 2
    #expect(bench.sockets.ends[sliced]?.lastWrite == start.advanced(by: .milliseconds(slices - 1)))
  }

  @Test(arguments: ["GET /netcond HTTP/1.1 more", "GET /netcond", "GET netcond HTTP/1.1", "GET /netcond HTTP/2"])
  func `a control request whose first line is not HTTP/1 is refused`(line: String) throws {
    let text = Array("\(line)\r\nHost: localhost\r\n\r\n".utf8)
    let head = try #require(try HTTPHead(text[...]))
    #expect(throws: HTTPError("The first line is not an HTTP/1.1 request.")) { try ControlRequest(head, text) }
  }

  @Test func `a connection in the timeline has the name of its proxy or forward`() throws {
    _ = try client()
    _ = bench.client("", .forward(.init(host: "other", port: 1), name: "forward 127.0.0.1:5433", link: nil))
    _ = bench.client("CONNECT third:1 HTTP/1.1\r\n\r\n")
    guard case .array(let transfers)? = try ask("GET", "/netcond/timeline").1["transfers"] else {
      return #expect(Bool(false))
    }
    #expect(transfers.map { $0["method"] } == ["db", "forward 127.0.0.1:5433", "CONNECT"])
    #expect(transfers.map { $0["url"] } == ["tcp://localhost:5432/", "tcp://other:1/", "tcp://third:1/"])
  }

  @Test func `restarting the proxy reports open connections as cancelled`() {
    bench.core.isObserved = true
    _ = bench.client("CONNECT a:1 HTTP/1.1\r\n\r\n")
    bench.core.restart(seed: 7)
    let kinds = bench.core.network.takeEvents().filter { $0.transfer == 0 }.map(\.kind)
    #expect(kinds.contains(.cancelled))
  }

  @Test func `toxicity affects connections at random, repeatably for each seed`() throws {
    func struck(_ seed: UInt64) throws -> [Bool] {
      let bench = ProxyBench(.unlimited, seed: seed)
      let proxy = ToxicProxy(name: "db", listen: .loopback(), upstream: .init(host: "localhost", port: 1))
      proxy.toxics = [
        try Toxic(
          try JSONDecoder().decode(JSONValue.self, from: Data(#"{"type": "reset_peer", "toxicity": 0.5}"#.utf8)))
      ]
      return (0..<40).map { _ in
        let client = bench.client("", .forward(proxy.upstream, link: proxy))
        bench.run(for: .milliseconds(1))
        return bench.sockets.ends[client]?.wasReset ?? false
      }
    }
    let first = try struck(1)
    #expect(try struck(1) == first)
    #expect(try struck(2) != first)
    #expect((10...30).contains(first.count { $0 }))
  }

  // MARK: Calls that toxiproxy lacks

  @Test func `the control API changes the profile, the outage, the time scale and the seed`() throws {
    #expect(try ask("POST", "/netcond/profile", #"{"profile": "3G"}"#).1["profile"] == "3G")
    #expect(try ask("POST", "/netcond/profile", #"{"profile": "5H"}"#).0 == 400)
    for text in ["wifi", " wifi\n", #""wifi""#, #"{"profile": "wifi"}"#] {
      #expect(try ask("POST", "/netcond/profile", text).1["profile"] == "wifi")
    }
    let unknown = try ask("POST", "/netcond/profile", "3H")
    #expect(unknown.0 == 400 && unknown.1["error"] == .string("\(ProfileError.unknownName("3H", near: ["3G"]))"))
    let empty = try ask("POST", "/netcond/profile", " ")
    #expect(
      empty.0 == 400
        && empty.1["error"] == #"The request does not name a profile; write for example {"profile": "3G"}."#)
    let chunked = Array(
      "POST /netcond/profile HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n3G\r\nb;x=y\r\n, at night!\r\n0\r\n\r\n"
        .utf8)
    let head = try #require(try HTTPHead(chunked[...]))
    let pieces = try #require(try ControlRequest(head, chunked))
    #expect(pieces.body == Array("3G, at night!".utf8) && pieces.byteCount == chunked.count)
    let inline = #"{"name": "mine", "down": {"rate": "1 Mbit/s"}}"#
    #expect(try ask("POST", "/netcond/profile", inline).1["profile"] == "mine")
    #expect(try ask("GET", "/netcond").1["outage"] == .null)
    #expect(try ask("POST", "/netcond/tunnel").1["outage"] == "drop")
    #expect(try ask("POST", "/netcond/offline").1["outage"] == "refuse")
    #expect(try ask("GET", "/netcond").1["phase"] == "offline (refuse)")
    let brief = try ask("POST", "/netcond/tunnel", #"{"seconds": 30}"#)
    #expect(
      brief.0 == 400
        && brief.1["error"] == "tunnel: takes no body; it lasts until offline, tunnel or online is called")
    #expect(try ask("POST", "/netcond/offline", "{}").1["outage"] == "refuse")
    #expect(bench.text(bench.client("CONNECT a:1 HTTP/1.1\r\n\r\n")).hasPrefix("HTTP/1.1 502"))
    #expect(try ask("POST", "/netcond/online").1["outage"] == .null)
    #expect(try ask("GET", "/netcond").1["phase"] == "mine")
    #expect(try ask("POST", "/netcond/time-scale", #"{"factor": 10}"#).1["time_scale"] == .number("10"))
    #expect(try ask("POST", "/netcond/time-scale", #"{"factor": 0}"#).0 == 400)
    #expect(try ask("POST", "/netcond/seed", #"{"seed": 18446744073709551615}"#).0 == 200)
    #expect(host.restarts == [.max])
    guard case .array(let transfers)? = try ask("GET", "/netcond/timeline").1["transfers"] else {
      return #expect(Bool(false))
    }
    #expect(transfers.map { $0["outcome"] } == ["failed"])
  }

  @Test func `proxies are listed in the order of their names`() throws {
    for name in ["b", "c", "a"] {
      _ = try ask("POST", "/proxies", #"{"name": "\#(name)", "upstream": "localhost:1", "enabled": false}"#)
    }
    let bytes = Array("GET /proxies HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    let head = try #require(try HTTPHead(bytes[...]))
    let request = try #require(try ControlRequest(head, bytes))
    let names = String(decoding: api.answer(request).body, as: UTF8.self).matches(of: #/"name":"(\w)"/#).map(\.1)
    #expect(names == ["a", "b", "c"])
  }
}
