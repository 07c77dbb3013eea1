import Foundation
import Testing

@testable import netcond

struct CheckCommandTests {
  static let good = #"""
    { "name": "mine", "down": { "rate": "1 Mbit/s", "delay": "40 ms" }, "up": { "rate": "1 Mbit/s", "delay": "40 ms" } }
    """#

  @Test func `netcond check reports a correct profile file as good`() async throws {
    let scratch = try Scratch()
    let path = try scratch.file("mine.json", Self.good)
    let outcome = await Shell().run("check", path)
    #expect(outcome.status == .done)
    #expect(outcome.output == "good  \(path)  \"mine\"\n")
    #expect(await Shell().run("show", path).lines[0] == "mine")
    #expect(await Shell().run("get", "--profile", path).lines[1] == "profile mine, seed 0")
  }

  @Test(arguments: [
    (3, #""p1", "p2", "p3""#), (4, #""p1", "p2", "p3", ... 4 profiles"#),
  ])
  func `netcond check names the first three profiles of a file`(count: Int, names: String) async throws {
    let scratch = try Scratch()
    let profiles = (1...count).map { #"{ "name": "p\#($0)" }"# }.joined(separator: ", ")
    let path = try scratch.file("all.json", #"{ "version": 1, "profiles": [\#(profiles)] }"#)
    #expect(await Shell().run("check", path).output == "good  \(path)  \(names)\n")
  }

  @Test(arguments: [
    ("{", "mine.json", "syntax"), (#"{ "name": "x", "down": { "rate": 780 } }"#, "down.rate", "value"),
    (#"{ "name": "x", "down": { "rate": "12 parsecs" } }"#, "12 parsecs", "value"),
    (#"{ "name": "x", "lag": 1 }"#, "lag", "value"),
    (#"{ "name": "x", "down": { "loss": "101 %" } }"#, "101 %", "value"),
    (#"{ "name": "x", "phases": [ { "name": "p", "for": "0 s" } ] }"#, "phases[0].for", "value"),
    ("", "mine.json", "syntax"),
  ])
  func `netcond check reports a wrong file in one line`(text: String, part: String, wrong: String) async throws {
    let scratch = try Scratch()
    let bad = try scratch.file("mine.json", text)
    let good = try scratch.file("good.json", Self.good)
    let outcome = await Shell().run("check", good, bad)
    #expect(outcome.status == .failed)
    #expect(outcome.lines.count == 3)
    #expect(outcome.lines[0].hasPrefix("good  "))
    #expect(outcome.lines[1].hasPrefix("bad   \(bad): ") && outcome.lines[1].contains(part), "\(outcome.output)")
    #expect(outcome.error == "netcond check: 1 of 2 files is wrong (netcond explain wrong-\(wrong))\n")
    let show = await Shell().run("show", bad)
    #expect(show.status == .failed && show.error.contains(part))
  }

  @Test func `netcond check says that a built-in profile's name is not a file`() async {
    let outcome = await Shell().run("check", "3G", "4F")
    #expect(outcome.lines[0].hasSuffix(#"/3G"; it is a built-in profile: see netcond show "3G""#), "\(outcome.output)")
    #expect(outcome.lines[1].hasSuffix(#"/4F""#), "\(outcome.output)")
  }

  @Test func `netcond check with --json reports each file separately`() async throws {
    let scratch = try Scratch()
    let good = try scratch.file("good.json", Self.good)
    let outcome = await Shell().run("check", "--json", good, "/nonexistent.json")
    #expect(outcome.status == .failed)
    let object = try outcome.object
    #expect(object["valid"] as? Bool == false)
    let files = try #require(object["files"] as? [[String: Any]])
    #expect(files.map { $0["valid"] as? Bool } == [true, false])
    #expect(files[0]["error"] is NSNull)
    #expect((files[1]["error"] as? String)?.contains("nonexistent.json") == true)
  }

  @Test func `netcond check without a file is a usage error`() async {
    let outcome = await Shell().run("check")
    #expect(outcome.status == .usage)
    #expect(
      outcome.error
        == "netcond check: needs FILE ...; write for example netcond check our-train.json (netcond explain usage)\n")
  }
}
