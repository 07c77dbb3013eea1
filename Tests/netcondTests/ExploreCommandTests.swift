import Foundation
import Internals
import NetworkConditions
import Testing

@testable import netcond

@Suite struct ExploreCommandTests {
  private static let quick = ["--kinds", "truncate,refused,reset"]

  @Test func `the reader that half an answer deceives is found, drawn, and told to a CI`() async throws {
    let scratch = try Scratch()
    let (page, cases) = (
      scratch.folder.appendingPathComponent("map.html").path, scratch.folder.appendingPathComponent("cases.xml").path
    )
    let outcome = await Shell().run(
      ["explore", "reader", "--html", page, "--junit", cases, "--annotations"] + Self.quick)
    #expect(outcome.status == .failed)
    #expect(outcome.output.contains(" classes break reader under \"3G\", in one way, with 116 of "))
    #expect(outcome.output.contains("NETCOND_REPLAY=netcond1:"))
    #expect(outcome.lines.contains { $0.hasPrefix("::error title=reader under 3G::116 points") })
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("Where each fault falls"))
    #expect(try String(contentsOfFile: cases, encoding: .utf8).contains(#"failures="1""#))
  }

  @Test func `what is known to a baseline fails nothing, and what is gone is said`() async throws {
    let scratch = try Scratch()
    let file = scratch.folder.appendingPathComponent("baseline.json").path
    let first = await Shell().run(
      ["explore", "reader", "--baseline", file, "--update-baseline"] + Self.quick)
    #expect(first.status == .done, "\(first.error)")
    #expect(await Shell().run(["explore", "reader", "--baseline", file] + Self.quick).status == .done)
    let fixed = await Shell().run(["explore", "reader", "--fixed", "--baseline", file] + Self.quick)
    #expect(fixed.status == .done)
    #expect(fixed.lines.contains { $0.hasPrefix("gone, take it out of the baseline: ") })
    let other = await Shell().run(["explore", "resume", "--baseline", file] + Self.quick)
    #expect(other.status == .failed && other.error.contains("this is the baseline of reader under \"3G\""))
    let damaged = try scratch.file("damaged.json", "{")
    #expect(await Shell().run(["explore", "reader", "--baseline", damaged] + Self.quick).error.contains("damaged"))
    let newer = try scratch.file("newer.json", #"{"baseline": 9}"#)
    #expect(await Shell().run(["explore", "reader", "--baseline", newer] + Self.quick).error.contains("is newer"))
  }

  @Test func `shares put together print what the whole prints`() async throws {
    let scratch = try Scratch()
    let whole = await Shell().run(["explore", "reader", "--json"] + Self.quick)
    var parts: [String] = []
    for number in 1...2 {
      let part = await Shell().run(["explore", "reader", "--json", "--shard", "\(number)/2"] + Self.quick)
      parts += ["--merge", try scratch.file("\(number).json", part.output)]
    }
    #expect(await Shell().run(["explore", "--json"] + parts).output == whole.output)
    let odd = try scratch.file("odd.json", "{\"exploration\": 4, \"scenario\": 7}")
    #expect(
      await Shell().run("explore", "--merge", odd).error
        == "netcond explore: \(odd): this is no report of netcond explore --json: report: scenario: 7 is not a text in "
        + "quotation marks\n")
    #expect(await Shell().run(["explore", parts[0], parts[1], parts[0], parts[1]]).error.contains("is there twice"))
  }

  @Test func `a report is broken between words at the terminal's width, and what is to be copied stays whole`()
    async throws
  {
    let outcome = await Shell().run(["explore", "reader"] + Self.quick)
    let long = outcome.lines.filter { $0.count > 80 }
    #expect(long.allSatisfy { $0.contains("netcond1:") }, "\(long)")
    #expect(outcome.lines.count > 20)
    #expect(ExploreCommand.wrapped("  when the \(String(repeating: "word ", count: 12))end", to: 40).count == 3)
  }

  @Test func `without a terminal, progress is a line every ten seconds`() async throws {
    let printed = Locked("")
    let console = Console(
      sink: { (data, _) throws(SystemError) in printed.withLock { $0 += String(decoding: data, as: UTF8.self) } },
      style: .none, errorStyle: .none, isLive: false, measure: { 80 })
    let start = ContinuousClock.now
    let progress = ExploreProgress(on: console, at: start)
    for second in 1...25 { progress.note(second * 10, of: 1_000, at: start + .seconds(second)) }
    await progress.stop()
    #expect(printed.value == "  100 of 1000 runs, 81 s left\n  200 of 1000 runs, 76 s left\n")
  }

  @Test(arguments: [
    (["explore"], "name an example"), (["explore", "raeder"], "reader"),
    (["explore", "reader", "--up-to", "9"], "a number from 1 to 3"),
    (["explore", "reader", "--shard", "3/2"], "write 1/4 to 4/4"),
    (["explore", "reader", "--time-limit", "soon"], "--time-limit"),
    (["explore", "reader", "--kinds", "lightning"], "is no kind of fault"),
    (["explore", "reader", "--update-baseline"], "--baseline FILE"),
  ])
  func `a command line that makes no sense says what would`(words: [String], part: String) async {
    let outcome = await Shell().run(words)
    #expect(outcome.status == .usage)
    #expect(outcome.error.contains(part), "\(outcome.error)")
  }
}
