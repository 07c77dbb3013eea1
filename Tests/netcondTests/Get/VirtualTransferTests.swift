import NetworkConditions
import Testing

@testable import netcond
import URLLoading

struct VirtualTransferTests {
  let shell = Shell()

  @Test(arguments: [
    ["--seed", "7"], ["--profile", "tunnel"], ["--profile", "flaky", "--seed", "3"], ["--profile", "offline"],
    ["--profile", "blackhole", "--timeout", "5"], ["--data", "hello"],
  ])
  func `a virtual transfer prints the output of a real-time one, and also the virtual time`(words: [String]) async {
    let real = await shell.run(["get"] + words)
    let virtual = await shell.run(["get", "--virtual"] + words)
    #expect(virtual.status == real.status)
    #expect(virtual.error == real.error)
    // The last line is empty, because the output ends with a line break.
    #expect(virtual.lines.dropLast(2) == real.lines.dropLast(1))
    #expect(virtual.lines.dropLast().last?.hasPrefix("virtual  ") == true)
    #expect(virtual.lines.dropLast().last?.hasSuffix(" of real time") == true)
  }

  @Test func `a virtual transfer reports the virtual time that it took`() async {
    let outcome = await shell.run("get", "--virtual", "--profile", "blackhole", "--timeout", "3600")
    // A name look-up gives up after 15 s, whatever the timeout is.
    #expect(outcome.lines.contains { $0.hasPrefix("total    15 s, 0 B of body") })
    #expect(outcome.lines.contains { $0.hasPrefix("virtual  15 s passed in ") })
  }

  @Test(arguments: [["--seed", "5"], ["--profile", "offline"]])
  func `the JSON of a virtual transfer has one more key than a real one's`(words: [String]) async throws {
    let real = await shell.run(["get", "--json"] + words)
    let virtual = await shell.run(["get", "--json", "--virtual"] + words)
    #expect(try virtual.object["virtual"] as? Bool == true)
    #expect(virtual.output.replacing(", \"virtual\": true", with: "") == real.output)
    #expect(try real.object["virtual"] == nil)
  }

  @Test func `a virtual transfer prints events and headers in the same order each time`() async {
    let first = await shell.run("get", "--virtual", "--verbose", "--profile", "flaky", "--seed", "2")
    let lines = first.error.split(separator: "\n")
    #expect(lines.first == "> GET https://netcond.example/demo")
    #expect(lines.contains("< 200"))
    #expect(lines.last?.hasSuffix("  finished") == true)
    for _ in 0..<5 {
      let again = await shell.run("get", "--virtual", "--verbose", "--profile", "flaky", "--seed", "2")
      #expect(again.error == first.error)
    }
  }

  @Test func `a virtual transfer sends a file and writes the response to a file`() async throws {
    let scratch = try Scratch()
    let source = try scratch.file("in", String(repeating: "abc", count: 1_000_000))
    let target = try scratch.file("out", "what was there before")
    let shell = GetCommandTests.shell { request in .data(try request.body.load()) }
    let outcome = await shell.run("get", GetCommandTests.url, "--virtual", "--data", "@\(source)", "-o", target)
    #expect(outcome.status == .done)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data(contentsOf: URL(fileURLWithPath: source)))
    #expect(scratch.names == ["in", "out"])
  }

  @Test(
    arguments: [
      .status(503), .error(.cannotConnectToHost), .error(.networkConnectionLost, afterBytes: 5_000), .never,
    ] as [StubResponse])
  func `a failed virtual transfer prints the same error as a real one`(answer: StubResponse) async throws {
    let scratch = try Scratch()
    let target = scratch.folder.appendingPathComponent("out").path
    let shell = GetCommandTests.shell { _ in answer }
    let words = ["get", GetCommandTests.url, "-o", target, "--timeout", "20"]
    let real = await shell.run(words)
    let virtual = await shell.run(words + ["--virtual"])
    #expect(virtual.status == .failed && real.status == .failed)
    #expect(virtual.error == real.error)
    #expect(scratch.names == [])
  }

  @Test func `a virtual transfer shows no progress bar`() async {
    var shell = Shell()
    shell.isLive = true
    #expect(await shell.run("get", "--virtual").error == "")
  }

  @Test func `a virtual transfer leaves secrets out of its output`() async {
    let shell = GetCommandTests.shell { _ in .text("x").header("Set-Cookie", "sid=s3cret") }
    for mode in ["--verbose", "--json"] {
      let outcome = await shell.run(
        "get", "http://me:s3cret@127.0.0.1:9/file", "--virtual", mode, "-H", "Authorization: Bearer s3cret")
      #expect(outcome.status == .done)
      #expect(!(outcome.output + outcome.error).contains("s3cret"))
    }
  }

  @Test func `the --speed option is refused together with --virtual`() async {
    let outcome = await shell.run("get", "--virtual", "--speed", "10")
    #expect(outcome.status == .usage)
    #expect(
      outcome.error
        == "netcond get: --virtual never waits, so --speed has no effect; leave one of them out "
        + "(netcond explain usage)\n")
  }
}
