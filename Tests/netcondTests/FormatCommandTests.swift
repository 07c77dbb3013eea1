import Foundation
import NetworkConditions
import ProfileFormats
import Testing

@testable import netcond

struct FormatCommandTests {
  @Test func `netcond import writes a netem line as a profile and each loss as a line of error output`() async throws {
    let scratch = try Scratch()
    let path = try scratch.file("report.txt", "delay 100ms loss 1% duplicate 2% slot 800us\n")
    let outcome = await Shell().run("import", "netem", path)
    #expect(outcome.status == .done)
    #expect(outcome.error == "left out  slot: the simulator delivers each packet when it arrives, not in slots\n")
    let profile = try NetworkProfile(json: outcome.bytes)
    #expect(profile.name == "report")
    #expect(profile.base.down.delay == .milliseconds(100) && profile.base.down.duplication == .percent(2))
  }

  @Test func `a profile survives netcond export and import through files`() async throws {
    let scratch = try Scratch()
    let toxics = scratch.folder.appendingPathComponent("toxics.json").path
    let ours = scratch.folder.appendingPathComponent("ours.json").path
    let export = await Shell().run("export", "wifi", "--to", "toxiproxy", "-o", toxics)
    #expect(export.status == .done && export.output.isEmpty)
    #expect(await Shell().run("import", "toxiproxy", toxics, "-o", ours).status == .done)
    #expect(await Shell().run("check", ours).status == .done)
    let again = await Shell().run("export", ours, "--to", "toxiproxy")
    #expect(again.output == (try String(contentsOfFile: toxics, encoding: .utf8)))
  }

  @Test func `netcond import writes several profiles as one document`() async throws {
    let scratch = try Scratch()
    let path = try scratch.file("connectivity.ini", "[A]\nbwIn=1000\n[B]\nlatency=10\n")
    let outcome = await Shell().run("import", "webpagetest", path)
    #expect(try NetworkProfile.profiles(json: outcome.bytes).map(\.name) == ["A", "B"])
  }

  @Test func `a loss of several imported profiles is one line that names them`() async throws {
    let scratch = try Scratch()
    let path = try scratch.file(
      "connectivity.ini", ["A", "B", "C", "D", "E"].map { "[\($0)]\ntimeout=\($0 == "B" ? 9 : 120)\n" }.joined())
    let outcome = await Shell().run("import", "webpagetest", path)
    let reason = "a setting of tests, not of the network"
    #expect(
      outcome.error
        == "left out  timeout=120: \(reason) (in A, C, D and 1 more)\nleft out  timeout=9: \(reason) (in B)\n")
    let three = try scratch.file("three.ini", ["A", "B", "C"].map { "[\($0)]\ntimeout=9\n" }.joined())
    let all = await Shell().run("import", "webpagetest", three)
    #expect(all.error == "left out  timeout=9: \(reason) (in A, B, C)\n")
  }

  @Test func `netcond import and export with --json print one JSON object`() async throws {
    let object = try await Shell().run("export", "subway", "--to", "netem", "--json").object
    #expect((object["document"] as? String)?.hasPrefix("# down\ndelay 40ms 12ms distribution normal") == true)
    #expect((object["losses"] as? [[String: Any]])?.first?["subject"] as? String == "phases")
    let scratch = try Scratch()
    let path = try scratch.file("l", "delay 5ms")
    let imported = try await Shell().run("import", "netem", path, "--json").object
    #expect((imported["profiles"] as? [[String: Any]])?.count == 1)
  }

  @Test(arguments: [
    (["import", "netm", "x"], "unknown format netm; did you mean netem?"),
    (["export", "3G"], "--to FORMAT is missing"),
    (["export", "3G", "--to", "pcap"], "unknown format pcap; the formats are netem, tc"),
    (["import", "netem"], "needs FORMAT FILE"),
    (["export", "nothing", "--to", "tc"], "no profile is called"),
    (["export", "netcond1:x", "--to", "tc"], "\"netcond1:x\" is a replay token, not a profile; netcond show TOKEN"),
  ])
  func `a wrong import or export command is a one-line usage error`(words: [String], reason: String) async {
    let outcome = await Shell().run(words)
    #expect(outcome.status == .usage)
    #expect(outcome.error.contains(reason) && outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `the help of netcond import and export lists all formats`() async {
    for command in ["import", "export"] {
      let outcome = await Shell().run("help", command)
      for format in ProfileFormat.all { #expect(outcome.output.contains("  \(format.name) ")) }
    }
  }
}
