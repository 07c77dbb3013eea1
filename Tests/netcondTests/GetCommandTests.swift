import NetworkConditions
import Testing

@testable import netcond
import URLLoading

struct GetCommandTests {
  let shell = Shell()

  /// A shell in which the closure answers instead of the real network.
  static func shell(_ answer: @escaping @Sendable (TransportRequest) throws -> StubResponse) -> Shell {
    var shell = Shell()
    shell.transport = HandlerTransport(answer)
    return shell
  }

  static let url = "http://127.0.0.1:9/file"

  @Test func `netcond get without a URL fetches a built-in demo file`() async throws {
    let outcome = await shell.run("get", "--seed", "7")
    #expect(outcome.status == .done)
    #expect(outcome.lines[0] == "200  https://netcond.example/demo")
    #expect(outcome.lines[1] == "profile 3G, seed 7")
    for name in ["resolve", "connect", "secure", "wait", "receive", "peak", "total", "down", "up"] {
      #expect(outcome.lines.contains { $0.hasPrefix(name + " ") }, "\(name) is missing")
    }
    for line in outcome.lines { #expect(line.count <= 80, "\(line)") }
    #expect(outcome.error == "")
    // 3G has 780 kbit/s. TLS records of 16 KiB that arrive whole must not make it look much faster.
    let peak = try #require(outcome.lines.first { $0.hasPrefix("peak ") })
    let rate = try #require(Int(peak.split(separator: " ")[1]), "\(peak)")
    #expect(peak.contains(" kbit/s ") && 700..<860 ~= rate, "\(peak)")
  }

  @Test func `the demo of an unlimited profile sends 100 Mbit/s for the time around its worst phase`() throws {
    let profile = NetworkProfile(
      name: "lift",
      phases: [
        .init("hall", for: .seconds(5), conditions: PathConditions()),
        .init("shaft", for: .seconds(3), conditions: PathConditions(outage: .drop)),
        .init("office", conditions: PathConditions()),
      ])
    // The transfer has two seconds before the outage and two after it.
    let demo = try #require(try Demo(profile))
    #expect(demo.bytes == 50_000_000)
    #expect(demo.note.hasPrefix("starts 2 s before \"shaft\", to show it; "))
  }

  @Test func `the demo of a profile begins at its start if the worst phase comes within two seconds`() throws {
    let profile = NetworkProfile(
      name: "lift",
      phases: [
        .init("hall", for: .seconds(1), conditions: PathConditions()),
        .init("shaft", for: .seconds(3), conditions: PathConditions(outage: .drop)),
        .init("office", conditions: PathConditions()),
      ])
    let demo = try #require(try Demo(profile))
    #expect(demo.bytes == 37_500_000 && demo.profile.schedule == profile.schedule)
    #expect(demo.note.hasPrefix("starts 1 s before \"shaft\", to show it; "))
  }

  @Test func `netcond get draws no rate for a body that arrives within a few columns`() async {
    let outcome = await Self.shell { _ in .text("hi") }.run("get", Self.url)
    #expect(outcome.status == .done && outcome.lines.contains { $0.hasPrefix("total ") })
    #expect(!outcome.lines.contains { $0.hasPrefix("peak ") })
  }

  @Test func `netcond get prints the same output for the same seed`() async {
    let first = await shell.run("get", "--seed", "3")
    let second = await shell.run("get", "--seed", "3")
    #expect(first.output == second.output)
  }

  @Test(arguments: ["1.1", "2", "3"])
  func `the --http option overrides the profile's HTTP version`(version: String) async throws {
    let outcome = await shell.run("get", "--http", version, "--json")
    let hop = try #require((try outcome.object["hops"] as? [[String: Any]])?.first)
    #expect(hop["http"] as? String == version)
  }

  @Test func `the second line says whether QUIC carried the request or TCP took its place`() async throws {
    let quic = await shell.run("get", "--virtual", "--http", "3")
    #expect(quic.output.contains("\nprofile 3G, seed 0, HTTP/3\n"), "\(quic.output)")
    let scratch = try Scratch()
    let file = try scratch.file("no-udp.json", #"{"name": "no UDP", "udp": "blocked"}"#)
    let tcp = await shell.run("get", "--virtual", "--http", "3", "--profile", file)
    #expect(tcp.output.contains("\nprofile no UDP, seed 0, HTTP/2, over TCP since QUIC failed\n"), "\(tcp.output)")
  }

  @Test func `netcond get with --json prints one object with the transfer's numbers`() async throws {
    let outcome = await shell.run("get", "--json", "--profile", "3g", "--seed", "5")
    let object = try outcome.object
    #expect(outcome.lines.count == 2 && outcome.lines[1] == "")
    #expect(object["url"] as? String == "https://netcond.example/demo")
    #expect(object["profile"] as? String == "3G")
    #expect(object["seed"] as? Int == 5)
    #expect(object["status"] as? Int == 200)
    #expect(object["bytes"] as? Int == 300_000)
    #expect(object["retransmissions"] is Int)
    #expect(object["error"] is NSNull)
    let connect = try #require(object["connect_s"] as? Double)
    let first = try #require(object["first_byte_s"] as? Double)
    let total = try #require(object["total_s"] as? Double)
    // The times are in order; 300 kB at some hundreds of kbit/s take seconds of simulated time.
    #expect(0 < connect && connect < first && first + 1 < total)
  }

  @Test func `method, headers and body options of netcond get reach the server`() async {
    let shell = Self.shell { request in
      let body = String(decoding: try request.body.load(), as: UTF8.self)
      let note = request.request.value(forHTTPHeaderField: "X-Note") ?? "none"
      return .text("\(request.request.httpMethod ?? "") \(note) \(body)")
    }
    let outcome = await shell.run("get", Self.url, "-d", "hello", "-H", "X-Note: a: b", "-o", "-")
    #expect(outcome.output == "POST a: b hello")
    #expect(outcome.error.hasPrefix("200  http://127.0.0.1:9/file\n"))
    let put = await shell.run("get", Self.url, "-X", "PUT", "-o", "-")
    #expect(put.output == "PUT none ")
    let twice = await shell.run("get", Self.url, "-H", "X-Note: a", "-H", "X-Note: b", "-o", "-")
    #expect(twice.output == "GET a,b ")
  }

  @Test func `netcond get sends a file and writes the response to a file`() async throws {
    let scratch = try Scratch()
    let source = try scratch.file("in", String(repeating: "abc", count: 10_000))
    let target = try scratch.file("out", "what was there before")
    let shell = Self.shell { request in .data(try request.body.load()) }
    let outcome = await shell.run("get", Self.url, "--data", "@\(source)", "--output", target)
    #expect(outcome.status == .done)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data(contentsOf: URL(fileURLWithPath: source)))
    #expect(scratch.names == ["in", "out"])
    #expect(outcome.lines.contains("saved    \(target)"), "\(outcome.output)")
  }

  #if os(Linux)
    @Test func `netcond get cancels a transfer whose output cannot be written`() async throws {
      let scratch = try Scratch()
      let trace = scratch.folder.appendingPathComponent("a.csv").path
      let shell = Self.shell { _ in .bytes(count: 1_000_000) }
      let outcome = await shell.run("get", Self.url, "-o", "/dev/full", "--trace", trace)
      #expect(outcome.status == .failed && outcome.error.contains("No space left"), "\(outcome.error)")
      #expect(try String(contentsOfFile: trace, encoding: .utf8).contains(",cancelled,"))
    }
  #endif

  @Test func `a status of 400 or above makes netcond get fail without writing a file`() async throws {
    let scratch = try Scratch()
    let target = scratch.folder.appendingPathComponent("out").path
    let shell = Self.shell { _ in .status(503) }
    let outcome = await shell.run("get", Self.url, "-o", target, "--json")
    #expect(outcome.status == .failed)
    #expect(outcome.error == "netcond get: The server answered with status 503. (netcond explain transfer-failed)\n")
    #expect(try outcome.object["status"] as? Int == 503)
    #expect(try outcome.object["error"] as? String == "The server answered with status 503.")
    #expect(scratch.names == [])
  }

  @Test(arguments: [
    (URLError.Code.cannotConnectToHost, "cannotConnectToHost"), (.networkConnectionLost, "networkConnectionLost"),
    (.timedOut, "timedOut"), (.cannotFindHost, "cannotFindHost"),
  ])
  func `a failed transfer is one line with the error code's name`(code: URLError.Code, name: String) async throws {
    let scratch = try Scratch()
    let target = scratch.folder.appendingPathComponent("out").path
    let shell = Self.shell { _ in .error(code, afterBytes: 5_000) }
    let outcome = await shell.run("get", Self.url, "-o", target)
    #expect(outcome.status == .failed)
    #expect(outcome.error.hasPrefix("netcond get: "))
    #expect(outcome.error.hasSuffix(" (URLError.\(name)) (netcond explain transfer-failed)\n"))
    #expect(outcome.error.filter { $0 == "\n" }.count == 1)
    #expect(scratch.names == [])
  }

  @Test func `netcond get clears its progress bar at the end and shows the cursor again`() async throws {
    var shell = Shell()
    shell.isLive = true
    for words in [["get"], ["get", "--json"], ["get", "--profile", "offline"]] {
      let outcome = await shell.run(words)
      let bar = outcome.error.prefix { $0 != "\n" }
      #expect(bar.hasPrefix("\u{1B}[?25l"))
      #expect(bar.contains("\r\u{1B}[2K\u{1B}[?25h"))
      #expect(!outcome.output.contains("\u{1B}"))
    }
    // With --verbose no progress line is drawn, since it would overwrite the events.
    #expect(await !shell.run("get", "--verbose").error.contains("\u{1B}"))
  }

  @Test func `netcond get under the offline profile fails at once`() async throws {
    let outcome = await shell.run("get", "--profile", "offline", "--json")
    #expect(outcome.status == .failed)
    let object = try outcome.object
    #expect(object["error_code"] as? String == "notConnectedToInternet")
    #expect(object["status"] is NSNull && object["connect_s"] is NSNull && object["first_byte_s"] is NSNull)
    #expect(object["bytes"] as? Int == 0)
  }

  @Test func `a silent network times out after --timeout in the network's accelerated time`() async throws {
    var shell = shell
    shell.runsAtOnce = false
    let outcome = await shell.run("get", "--profile", "blackhole", "--timeout", "5", "--speed", "100", "--json")
    #expect(outcome.status == .failed)
    #expect(try outcome.object["error_code"] as? String == "timedOut")
    // Five seconds of network time are 50 ms here; without --timeout the look-up would give up after 15 s.
    let total = try #require(try outcome.object["total_s"] as? Double)
    #expect((5..<15).contains(total))
    #expect(outcome.error.hasSuffix("(URLError.timedOut) (netcond explain transfer-failed)\n"))
  }

  @Test(arguments: [
    ("localhost:8080/x", "http://localhost:8080/x"), ("localhost", "http://localhost"),
    ("example.com/file?a=b:c", "http://example.com/file?a=b:c"), ("[::1]:8080/", "http://[::1]:8080/"),
    ("host:80", "http://host:80"), ("https://x.example/", "https://x.example/"), ("127.0.0.1", "http://127.0.0.1"),
  ])
  func `netcond get fetches a host without a scheme over http`(text: String, url: String) throws {
    #expect(try GetOptions.url(text).absoluteString == url)
  }

  @Test func `a profile with phases starts shortly before its worst phase`() async throws {
    let outcome = await shell.run("get", "--profile", "tunnel", "--virtual")
    #expect(outcome.status == .done)
    #expect(outcome.lines[2] == "starts 2 s before \"tunnel\", to show it; --at '0 s' starts at the beginning")
    let phases = try #require(outcome.lines.first { $0.hasPrefix("phase ") })
    #expect(phases.contains("╱tunnel╱") && phases.contains("─open track─"))
    // The 12 s of the tunnel, with some time before and after.
    let total = try await shell.run("get", "--profile", "tunnel", "--virtual", "--json").object["total_s"] as? Double
    #expect((14...30).contains(try #require(total)))
    let whole = await shell.run("get", "--profile", "tunnel", "--virtual", "--at", "0 s")
    #expect(!whole.output.contains("begins") && whole.output.contains("─open track─"))
  }

  @Test(arguments: [
    (["get", "--virtual", "--profile", "tunnel", "--at", "43 s"], "tunnel@43 s"),
    (["get", "--virtual", "--profile", "tunnel", "--at", "PORTAL"], "tunnel@portal"),
    (["get", "--virtual", "--profile", "tunnel@2 s before tunnel"], "tunnel@2 s before tunnel"),
    (["show", "tunnel", "--at", "portal"], "tunnel@portal"), (["show", "tunnel@43 s"], "tunnel@43 s"),
    (["simulate", "--profile", "tunnel", "--at", "tunnel", "--seeds", "2"], "tunnel@tunnel"),
    (["retry", "--profile", "tunnel", "--policy", "none", "--seeds", "2", "--at", "portal"], "tunnel@portal"),
  ])
  func `the --at option starts the profile at a phase or a time`(words: [String], name: String) async {
    let outcome = await shell.run(words)
    #expect(outcome.status == .done && outcome.output.contains(name), "\(outcome.output) \(outcome.error)")
    let wrong = await shell.run(words + (words.contains("--at") ? [] : ["--at", "43 s"]) + ["--at", "nowhere"])
    #expect(wrong.status == .usage)
  }

  @Test func `an unknown phase for --at is a usage error that lists the phases`() async {
    let outcome = await shell.run("get", "--profile", "tunnel", "--at", "nowhere")
    #expect(outcome.status == .usage)
    #expect(outcome.error.contains("nowhere") && outcome.error.contains("\"portal\" at"), "\(outcome.error)")
  }

  @Test func `netcond get with the method HEAD receives no body`() async throws {
    let object = try await shell.run("get", "--method", "HEAD", "--json").object
    #expect(object["status"] as? Int == 200)
    #expect(object["bytes"] as? Int == 0)
  }

  @Test func `redirect times count from the first request, and the last URL is shown`() async throws {
    let shell = Self.shell { request in
      switch request.request.url?.path {
      case "/file": .redirect(to: "/other")
      case "/other": .redirect(to: "http://u:s3cret@127.0.0.1:8/there")
      default: .text("there")
      }
    }
    let object = try await shell.run("get", Self.url, "--json").object
    #expect(object["redirects"] as? Int == 2)
    #expect(object["bytes"] as? Int == 5 && object["status"] as? Int == 200)
    #expect(object["url"] as? String == Self.url)
    #expect(object["final_url"] as? String == "http://u:redacted@127.0.0.1:8/there")
    let hops = try #require(object["hops"] as? [[String: Any]])
    #expect(hops.map { $0["status"] as? Int } == [302, 302, 200])
    func time(_ hop: Int, _ key: String) -> Double { hops[hop][key] as? Double ?? 0 }
    // Each hop begins when the one before it has ended; the last hop ends the transfer.
    #expect(time(0, "start_s") == 0 && time(1, "start_s") == time(0, "end_s") && time(2, "start_s") == time(1, "end_s"))
    #expect(object["total_s"] as? Double == time(2, "end_s") && object["redirect_s"] as? Double == time(2, "start_s"))
    #expect(object["connect_s"] as? Double == time(0, "connect_s") && time(0, "connect_s") > 0)
    // The second hop goes over the same connection, the third to another port.
    #expect(time(1, "connect_s") == time(1, "start_s") && time(2, "connect_s") > time(2, "start_s"))
    let lines = await shell.run("get", Self.url).lines
    #expect(lines[1] == "after 2 redirects at http://u:redacted@127.0.0.1:8/there")
    #expect(lines.filter { $0.hasPrefix("302 ") }.count == 2)
  }

  @Test func `the JSON of netcond get counts the bytes that each hop of a redirect sent`() async throws {
    let shell = Self.shell { request in
      request.request.url?.path == "/file" ? .redirect(to: "/other", status: 307) : .text("there")
    }
    let object = try await shell.run("get", Self.url, "-d", "hello", "--json").object
    #expect(object["bytes_sent"] as? Int == 10)
  }

  @Test(arguments: [
    (URLError.Code.cannotConnectToHost, ["resolve", "connect"]), (.cannotFindHost, ["resolve"]),
    (.secureConnectionFailed, ["resolve", "connect", "secure"]),
  ])
  func `netcond get shows only the connection steps that happened`(code: URLError.Code, phases: [String]) async throws {
    let shell = Self.shell { _ in .error(code) }
    let outcome = await shell.run("get", "https://x.example/file", "--data", "all of this")
    let names = outcome.lines.filter { $0.contains("█") || $0.contains("▏") }.map { $0.prefix { $0 != " " } }
    #expect(names.map(String.init) == phases)
    let object = try await shell.run("get", "https://x.example/file", "--json").object
    let times = ["resolve_s", "connect_s", "secure_s"].map { object[$0] is Double }
    #expect(times == [phases.count > 1, phases.count > 2, false])
    #expect(object["first_byte_s"] is NSNull && object["bytes_sent"] as? Int == 0)
  }

  @Test func `netcond get leaves secrets out of verbose and JSON output`() async throws {
    let shell = Self.shell { _ in
      .text("x").header("Set-Cookie", "sid=s3cret")
    }
    for mode in ["--verbose", "--json"] {
      let outcome = await shell.run(
        "get", "http://me:s3cret@127.0.0.1:9/file", mode, "-H", "Authorization: Bearer s3cret", "-H",
        "Cookie: a=s3cret",
        "-H", "Proxy-Authorization: s3cret")
      #expect(outcome.status == .done)
      #expect(!(outcome.output + outcome.error).contains("s3cret"))
      #expect((outcome.output + outcome.error).contains("<redacted>"))
    }
  }

  @Test(arguments: ["http://127.0.0.1:9/file", "gopher://127.0.0.1/file"])
  func `netcond get also leaves out what its user calls a secret`(url: String) async throws {
    let shell = Self.shell { _ in .text("x") }
    for mode in ["--verbose", "--json"] {
      let outcome = await shell.run("get", "\(url)?mark=s3cret", mode, "--redact", "mark")
      #expect(!(outcome.output + outcome.error).contains("s3cret"), "\(outcome)")
    }
  }

  @Test func `netcond get refuses a scheme other than http and https like URLSession`() async throws {
    let outcome = await shell.run("get", "gopher://127.0.0.1/x", "--json")
    #expect(outcome.status == .failed)
    #expect(try outcome.object["error_code"] as? String == "unsupportedURL")
    #expect(
      outcome.error
        == "netcond get: The scheme \"gopher\" is not supported; only http and https are. (URLError.unsupportedURL) "
        + "(netcond explain unsupported-url)\n"
    )
  }

  @Test(arguments: ["Authorization Bearer s3cret", "s3cret", "Authorization Bearer: s3cret", "Cookie: s3cret\n"])
  func `netcond get does not print a malformed header field, which may be a secret`(field: String) async {
    let outcome = await shell.run("get", "http://127.0.0.1:9/", "-H", field)
    #expect(outcome.status == .usage && outcome.error.contains("is not a header field; write for example"))
    #expect(!outcome.error.contains("s3cret") && !outcome.error.contains("Bearer"))
  }

  @Test(arguments: [
    ["--seed", "-1"], ["--seed", "x"], ["--timeout", "0"], ["--timeout", "nan"], ["--timeout", "1e99"],
    ["--speed", "0"],
    ["--speed", "inf"], ["--method", "GE T"], ["--header", "nonsense"], ["--header", "A: b\nC: d"],
    ["--header", ": x"],
    ["--profile", "no such profile"], ["--output", ""], ["-o", "-", "--trace", "csv:-"],
    ["--virtual", "--speed", "10"], ["--speed", "1", "--virtual"], ["--virtual=yes"],
    ["--http", "4"], ["--http", "3", "http://a"], ["tunnel"], ["http://"], ["http:///x"], [""],
    ["http://a", "http://b"],
  ])
  func `wrong arguments of netcond get are a one-line usage error`(words: [String]) async {
    let outcome = await shell.run(["get"] + words)
    #expect(outcome.status == .usage)
    #expect(outcome.error.hasPrefix("netcond get: ") && outcome.error.hasSuffix("\n"))
    #expect(outcome.error.filter { $0 == "\n" }.count == 1)
    #expect(outcome.output == "")
  }
}
