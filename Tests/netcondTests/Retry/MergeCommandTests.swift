import Foundation
import Testing

@testable import netcond

struct MergeCommandTests {
  let shell = Shell(width: 100)

  private func report(_ words: String...) async -> String {
    await shell.run(["retry", "--profile", "flaky", "--policy", "none,full-jitter", "--json"] + words).output
  }

  @Test func `merging all shards gives the report of the whole run, and a missing shard is an error`() async throws {
    let scratch = try Scratch()
    let parts = [
      try scratch.file("b.json", await report("--seeds", "5", "--shard", "2/2")),
      try scratch.file("a.json", await report("--seeds", "5", "--shard", "1/2")),
    ]
    #expect(await shell.run(["merge"] + parts + ["--json"]).output == (await report("--seeds", "5")))
    let one = await shell.run("merge", parts[0])
    #expect(one.status == .failed && one.output.contains("shard 2 of 2"))
    #expect(one.error == "netcond merge: these of the 2 shards are missing: 1 (netcond explain unlike-reports)\n")
    let page = scratch.folder.appendingPathComponent("page.html").path
    #expect(await shell.run(["merge"] + parts + ["--html", page]).status == .done)
    #expect(scratch.names == ["a.json", "b.json", "page.html"])
  }

  @Test func `a file that cannot be read or merged gives a one-line error that names the file`() async throws {
    let scratch = try Scratch()
    let good = try scratch.file("good.json", await report("--seeds", "4", "--shard", "1/2"))
    let text = try String(contentsOfFile: good, encoding: .utf8)
    let bad = [
      ("stranger.json", await report("--seeds", "6", "--shard", "2/2"), "of different runs"),
      ("twin.json", text, "shard 1/2 is given twice"), ("empty.json", "", "not a report of netcond retry"),
      ("later.json", text.replacing(#""version":5"#, with: #""version":6"#), "version 6"),
      ("short.json", String(text.dropLast(9)), "not a report of netcond retry"),
      (
        "bomb.json", "[\(String(repeating: "1,", count: 1_000_000))1]",
        "is a list of more than 10000 numbers and strings"
      ),
    ]
    for (name, content, part) in bad {
      let path = try scratch.file(name, content)
      let outcome = await shell.run("merge", good, path)
      #expect(outcome.status == .failed)
      #expect(outcome.error.hasPrefix("netcond merge: \(path): ") && outcome.error.contains(part), "\(outcome.error)")
      #expect(outcome.error.filter { $0 == "\n" }.count == 1)
    }
    let missing = await shell.run("merge", "/nonexistent.json")
    #expect(missing.error.contains("/nonexistent.json: there is no such file"))
    let endless = await shell.run("merge", "/dev/zero")
    #expect(
      endless.error
        == "netcond merge: /dev/zero: is an endless device. Name a file. (netcond explain unreadable-file)\n")
    #expect(await shell.run("merge").status == .usage)
  }
}
