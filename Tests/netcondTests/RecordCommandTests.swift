import LoopbackServer
import NetworkConditions
import Testing
import TrafficRecording

@testable import netcond
import URLLoading

@Suite(.timeLimit(.minutes(10)))
struct RecordCommandTests {
  /// A shell that uses real sockets; the tests only reach loopback servers.
  static var shell: Shell {
    var shell = Shell()
    shell.transport = URLSessionTransport()
    return shell
  }

  @Test func `a URL recorded by netcond record can be fetched without its server`() async throws {
    let scratch = try Scratch()
    let file = scratch.folder.appendingPathComponent("site.har").path
    let server = try LoopbackServer()
    let (one, two) = (server.url("/bytes/30000").absoluteString, server.url("/redirect/302?to=/bytes/5").absoluteString)
    let outcome = await Self.shell.run("record", one, two, "-o", file, "-H", "Authorization: Bearer hidden")
    #expect(outcome.status == .done && outcome.error == "")
    #expect(
      outcome.lines == [
        "200  \(one)  30 kB", "200  \(two)  5 B", "saved \(file), 3 entries, 3 secrets left out: 3 in header fields",
        "",
      ])
    server.stop()
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("hidden"))
    let shell = Shell()
    let first = await shell.run("get", "--from", file, "--profile", "3G", "--virtual", "--json")
    #expect(first.status == .done)
    #expect(try first.object["bytes"] as? Int == 30_000 && first.object["url"] as? String == one)
    let body = await shell.run("get", "--from", file, two, "-o", "-")
    #expect(body.bytes == Behaviour.bytes(first: 5))
    let missing = await shell.run("get", "--from", file, server.url("/bytes/30001").absoluteString, "--virtual")
    #expect(missing.status == .failed)
    #expect(
      missing.error.contains("site.har has no GET") && missing.error.contains("nearest of its 3 requests: GET \(one)"))
  }

  @Test func `netcond record with --json prints one object with each transfer`() async throws {
    let scratch = try Scratch()
    var shell = Shell()
    shell.transport = HandlerTransport { request in
      request.request.url?.path == "/lost" ? .error(.networkConnectionLost) : .text("gone").status(404)
    }
    let file = scratch.folder.appendingPathComponent("a.har").path
    let outcome = await shell.run("record", "http://x.example/", "http://x.example/lost", "-o", file, "--json")
    let transfers = try #require(outcome.object["transfers"] as? [[String: Any]])
    #expect(outcome.status == .failed && transfers.map { $0["status"] as? Int } == [404, nil])
    #expect(transfers.map { $0["url"] as? String } == ["http://x.example/", "http://x.example/lost"])
    #expect(transfers.map { $0["bytes"] as? Int } == [4, 0])
    #expect(transfers[0]["error"] is NSNull && transfers[0]["error_code"] is NSNull)
    #expect(transfers[1]["error_code"] as? String == "networkConnectionLost")
    #expect(try outcome.object["entries"] as? Int == 2 && outcome.object["redacted"] as? Int == 0)
  }

  @Test func `netcond record refuses a scheme other than http and https`() async throws {
    let scratch = try Scratch()
    let file = scratch.folder.appendingPathComponent("site.har").path
    let outcome = await Self.shell.run("record", "ftp://127.0.0.1/x", "-o", file)
    #expect(outcome.status == .failed && outcome.error.contains("\"ftp\" is not supported; only http and https are."))
  }

  @Test func `netcond record refuses a port that is too high`() async throws {
    let scratch = try Scratch()
    let file = scratch.folder.appendingPathComponent("site.har").path
    let outcome = await Self.shell.run("record", "http://h.example:99999/", "-o", file)
    #expect(outcome.status == .failed && outcome.error.contains("99999 is not a port; write 1 to 65535."))
  }

  @Test func `netcond record keeps an existing file unless it is forced`() async throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.har", "mine")
    var shell = Shell()
    shell.transport = HandlerTransport { _ in .text("x") }
    let refused = await shell.run("record", "http://x.example/", "-o", file)
    #expect(refused.status == .usage && refused.output == "")
    #expect(refused.error.contains("already exists") && refused.error.contains("--force"))
    #expect(refused.error.hasSuffix("(netcond explain file-exists)\n"), "\(refused.error)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(await shell.run("record", "http://x.example/", "-o", file, "--force").status == .done)
    #expect(try HTTPArchive(contentsOf: URL(fileURLWithPath: file)).entries.count == 1)
    #expect(scratch.names == ["a.har"])
  }

  @Test func `netcond record replaces an existing archive only when all requests were answered`() async throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.har", "good")
    var shell = Shell()
    shell.transport = HandlerTransport { request in
      request.request.url?.path == "/lost" ? .error(.cannotConnectToHost) : .text("x")
    }
    let outcome = await shell.run("record", "http://x.example/", "http://x.example/lost", "-o", file, "-f")
    #expect(outcome.status == .failed)
    #expect(outcome.lines.dropLast().last == "\(file) is unchanged: not all requests were answered")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "good" && scratch.names == ["a.har"])
    let json = try await shell.run("record", "http://x.example/lost", "-o", file, "-f", "--json").object
    #expect(json["entries"] is NSNull)
  }

  @Test(arguments: [
    (["record", "http://x.example/"], "netcond record: needs a file to write to: --output FILE.har"),
    (["record", "http://x.example/", "--output", ""], "netcond record: needs a file to write to: --output FILE.har"),
    (
      ["record", "-o", "a.har"],
      "netcond record: needs URL...; write for example "
        + "netcond record https://example.com/feed https://example.com/logo -o site.har"
    ),
  ])
  func `a wrong netcond record command is a one-line usage error`(words: [String], error: String) async {
    let outcome = await Shell().run(words)
    #expect(outcome.status == .usage && outcome.error == "\(error) (netcond explain usage)\n")
  }

  @Test func `netcond get refuses a broken recording and one without a GET`() async throws {
    let scratch = try Scratch()
    let broken = try scratch.file("broken.har", #"{"log": {"entries": [{"request": 1}]}}"#)
    let outcome = await Shell().run("get", "--from", broken)
    #expect(outcome.status == .failed)
    #expect(
      outcome.error
        == "netcond get: --from: broken.har: log.entries[0].request: 1 is not a request, an object in braces "
        + "(netcond explain wrong-value)\n")
    let empty = try scratch.file("empty.har", #"{"log": {"entries": []}}"#)
    #expect(await Shell().run("get", "--from", empty).error.contains("has no GET"))
    let endless = await Shell().run("get", "--from", "/dev/zero")
    #expect(
      endless.error
        == "netcond get: --from: /dev/zero: is an endless device. Name a file. (netcond explain unreadable-file)\n"
    )
  }

  @Test func `netcond get fetches the first GET of a recording when no URL is given`()
    async throws
  {
    let scratch = try Scratch()
    func entry(_ method: String, _ url: String, _ content: String) -> String {
      #"{"request": {"method": "\#(method)", "url": "\#(url)"}, "response": {"status": 200, "content": \#(content)}}"#
    }
    func file(_ name: String, _ entries: String...) throws -> String {
      try scratch.file(name, #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#)
    }
    let kept = #"{"size": 5, "text": "there"}"#
    let fonts = "https://x.example/css?family=Open%20Sans|Roboto&token=hidden1234"
    let site = try file(
      "site.har", entry("GET", "data:text/plain,a", kept), entry("POST", "https://x.example/", kept),
      entry("GET", fonts, kept))
    let outcome = await Shell().run("get", "--from", site, "--virtual", "-o", "-")
    #expect(outcome.status == .done && outcome.bytes == Data("there".utf8))
    let shown = "https://x.example/css?family=Open%20Sans%7CRoboto&token=redacted"
    #expect(outcome.error.hasPrefix("fetching \(shown), the first GET of site.har\n"))
    let named = await Shell().run("get", "--from", site, "--virtual", "-o", "-", fonts)
    #expect(named.status == .done && named.bytes == Data("there".utf8) && !named.error.contains("the first GET"))
    let none = try file("none.har", entry("GET", "data:text/plain,a", kept))
    #expect(await Shell().run("get", "--from", none).error.contains("has no GET over http or https"))
    let bare = try file("bare.har", entry("GET", "https://x.example/", #"{"size": 5}"#))
    let refused = await Shell().run("get", "--from", bare, "--virtual")
    #expect(refused.status == .failed)
    #expect(refused.error.contains("cannot be served: its body of 5 bytes was not recorded; export the recording"))
  }
}
