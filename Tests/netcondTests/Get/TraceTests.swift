import Foundation
import NetworkConditions
import Testing

@testable import netcond

struct TraceTests {
  @Test(arguments: [[], ["--virtual"]])
  func `the extension of a trace file selects the format`(words: [String]) async throws {
    let scratch = try Scratch()
    let names = ["a.HTML", "a.csv", "a.events.csv", "a.json", "a.packets.csv", "a.svg"]
    let options = names.flatMap { ["--trace", scratch.folder.appendingPathComponent($0).path] }
    let outcome = await Shell().run(["get", "--profile", "tunnel", "--json"] + words + options)
    #expect(outcome.status == .done)
    #expect(scratch.names == names)
    #expect((try outcome.object["traces"] as? [String])?.count == 6)
    let texts = try names.map {
      try String(contentsOf: scratch.folder.appendingPathComponent($0), encoding: .utf8)
    }
    let beginnings = [
      "<!doctype html>", "number,client,", "time_s,transfer,", "{\"displayTimeUnit\"", "time_s,profile,", "<svg xmlns=",
    ]
    for (text, beginning) in zip(texts, beginnings) { #expect(text.hasPrefix(beginning)) }
  }

  @Test func `the help of --trace lists each file extension`() {
    for format in TraceFormat.all { #expect(GetOptions.traceOption.help.contains("\(format.ending) ")) }
  }

  @Test func `a failed transfer is also written to its trace`() async throws {
    let scratch = try Scratch()
    let path = scratch.folder.appendingPathComponent("a.csv").path
    let outcome = await Shell().run("get", "--profile", "offline", "--trace", path)
    #expect(outcome.status == .failed)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("failed,notConnectedToInternet"))
    #expect(outcome.lines.contains { $0 == "trace    \(path)" })
  }

  @Test(arguments: ["trace.pcap", "trace", ".csv", "-"])
  func `a trace file with an unknown extension is a usage error that lists the extensions`(name: String) async {
    let outcome = await Shell().run("get", "--trace", name)
    #expect(outcome.status == .usage)
    #expect(
      outcome.error == "netcond get: --trace: \"\(name)\" does not say what to write; end the name with "
        + ".events.csv, .packets.csv, .csv, .json, .har, .html or .svg, or write for example csv:- (netcond explain usage)\n"
    )
  }

  @Test func `netcond get checks its output files before it sends a request`() async throws {
    let scratch = try Scratch()
    let good = scratch.folder.appendingPathComponent("a.csv").path
    let missing = scratch.folder.appendingPathComponent("none/a.csv").path
    let refused = await Shell().run("get", "--trace", good, "--trace", missing)
    #expect(refused.status == .failed && refused.error.contains("none/a.csv\" cannot be written in the folder"))
    let twice = await Shell().run("get", "--trace", good, "-o", good)
    #expect(twice.status == .usage && twice.error.contains("would be written twice"))
    #expect(scratch.names == [])
  }
}
