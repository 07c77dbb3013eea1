import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct SimulateCommandTests {
  let shell = Shell()
  static let link = "down 780 kbit/s, up 330 kbit/s, rtt 200 ms, loss 1 %, queue 100 packets"

  @Test func `netcond simulate without options fetches 100 kB over 3G 200 times`() async {
    let outcome = await shell.run("simulate")
    #expect(outcome.status == .done)
    #expect(outcome.lines[0] == "GET 100 kB over 3G")
    #expect(outcome.lines[1] == "fresh connection, HTTP/1.1, CUBIC, seeds 200")
    for name in ["connect", "first byte", "total", "down", "up"] {
      #expect(outcome.lines.contains { $0.hasPrefix(name + " ") }, "\(name) is missing")
    }
    #expect(outcome.error.hasPrefix("200 runs in "))
  }

  @Test(arguments: [80, 120])
  func `the summary of netcond simulate fits the terminal with and without colours`(width: Int) async {
    for words in [["--link", Self.link], ["--profile", "tunnel", "--get", "1 MB", "--tls", "--dns"]] {
      var shell = Shell(width: width)
      let plain = await shell.run(["simulate", "--seeds", "20"] + words)
      for line in plain.lines {
        #expect(line.count <= width, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
      shell.style = Style(isOn: true)
      let colourful = await shell.run(["simulate", "--seeds", "20"] + words)
      #expect(colourful.output.replacing(#/\u{1B}\[[0-9]*m/#, with: "") == plain.output)
      #expect(colourful.output != plain.output)
    }
  }

  @Test func `netcond simulate prints the same output for the same seeds only`() async {
    let first = await shell.run("simulate", "--link", Self.link, "--seeds", "20")
    #expect(await shell.run("simulate", "--link", Self.link, "--seeds", "0..<20").output == first.output)
    #expect(await shell.run("simulate", "--link", Self.link, "--seeds", "20..<40").output != first.output)
  }

  @Test func `netcond simulate with --json prints the figures and each seed's time`() async throws {
    let outcome = await shell.run("simulate", "--link", Self.link, "--seeds", "3..<44", "--json")
    let object = try outcome.object
    #expect(object["version"] as? Int == 1)
    #expect((object["transfer"] as? [String: Any])?["link"] as? String == Self.link)
    #expect((object["transfer"] as? [String: Any])?["profile"] is NSNull)
    #expect(object["seeds"] as? [String: Int] == ["first": 3, "count": 41])
    #expect(object["ended"] as? Int == 41)
    let samples = try #require(object["samples_s"] as? [Double])
    var scenario = TransferScenario(
      .get, bytes: 100_000, over: ConditionSchedule(try LinkText.conditions(Self.link)))
    scenario.limit = .seconds(180)
    // Rounded to the microsecond, as in the JSON.
    let exact = (3..<44 as Range<UInt64>).map { JSON(seconds: scenario.run(seed: $0).total).lineText }
    #expect(samples.map { JSON.real($0).lineText } == exact)
    let total = try #require(object["total_s"] as? [String: Double])
    #expect(total["median"] == samples.sorted()[20] && total["max"] == samples.max())
    for key in ["connect_s", "first_byte_s"] { #expect((object[key] as? [String: Double])?.count == 7) }
    #expect((object["connect_samples_s"] as? [Double])?.count == 41)
    #expect((object["down"] as? [String: Int])?["packets"] ?? 0 > 41 * 69)
  }

  @Test func `runs that did not end are null in JSON and counted by their reason`() async throws {
    let object = try await shell.run(
      "simulate", "--link", "down 0 bit/s", "--limit", "20 s", "--seeds", "2", "--json"
    ).object
    #expect(object["samples_s"] as? [NSNull] == [NSNull(), NSNull()])
    #expect(object["not_ended"] as? [String: Int] == ["limit": 2])
    #expect((object["total_s"] as? [String: Any])?["median"] is NSNull)
    let text = await shell.run("simulate", "--link", "down 0 bit/s", "--limit", "20 s", "--seeds", "2")
    #expect(text.status == .done)
    #expect(text.lines.suffix(2) == ["0 of 2 runs ended; 2 took longer than 20 s", ""])
    let refused = await shell.run("simulate", "--profile", "offline", "--seeds", "1")
    #expect(refused.output.contains("0 of 1 run ended; 1 found the system offline\n"))
  }

  @Test func `equal runs are summed up in a sentence without a picture`() async {
    let outcome = await shell.run(
      "simulate", "--link", "down 780 kbit/s, up 330 kbit/s, rtt 200 ms", "--get", "1 kB", "--seeds", "20")
    #expect(outcome.lines.suffix(2) == ["all 20 runs took the same 420 ms", ""])
    #expect(!outcome.output.contains("█"))
  }

  @Test func `every option of netcond simulate reaches the transfer`() async throws {
    let object = try await shell.run(
      "simulate", "-p", "3G", "--put", "5 kB", "--warm", "--parallel", "7", "--http", "2", "--tls", "--dns",
      "--congestion", "reno", "--limit", "2 min", "-s", "1", "--json"
    ).object
    let transfer = try #require(object["transfer"] as? [String: Any])
    #expect(transfer["method"] as? String == "put" && transfer["bytes"] as? Int == 5_000)
    #expect(transfer["profile"] as? String == "3G" && transfer["link"] is NSNull)
    #expect(transfer["warm"] as? Bool == true && transfer["parallel"] as? Int == 7)
    #expect(transfer["http"] as? String == "2" && transfer["tls"] as? Bool == true)
    #expect(transfer["dns"] as? Bool == true && transfer["congestion"] as? String == "reno")
    #expect(transfer["limit_s"] as? Int == 120)
    #expect(object["ended"] as? Int == 1)
  }

  @Test func `netcond simulate takes a profile from a file`() async throws {
    let scratch = try Scratch()
    let path = try scratch.file("mine.json", CheckCommandTests.good)
    #expect(await shell.run("simulate", "--profile", path, "--seeds", "1").lines[0] == "GET 100 kB over mine")
    let old = try scratch.file("old.json", #"{ "name": "old", "tcp": { "congestion": "reno" } }"#)
    let lines = await shell.run("simulate", "--profile", old, "--seeds", "1").lines
    #expect(lines[1] == "fresh connection, HTTP/1.1, Reno, seed 0")
  }

  @Test func `the simulated times are the same on one processor core and on two`() async throws {
    let scenario = TransferScenario(
      .get, bytes: 100_000, over: ConditionSchedule(try LinkText.conditions(Self.link)))
    let seeds = SeedRange(count: 40)
    let one = await Workers(count: 1).run([scenario], seeds) { $0.run(seed: $1) }
    #expect(await Workers(count: 2).run([scenario], seeds) { $0.run(seed: $1) } == one)
    #expect(one == [seeds.seeds.map { scenario.run(seed: $0) }])
  }

  @Test func `--cases keeps the file's order, and an unknown congestion control gives no samples`() async throws {
    let scratch = try Scratch()
    let cases = [
      CaseFileTests.text(["loss": "0"]), CaseFileTests.text(["congestion_control": #""vegas""#]),
      CaseFileTests.text(["down_kbps": "0"]),
    ]
    let path = try scratch.file("cases.json", #"{"cases": [\#(cases.joined(separator: ","))]}"#)
    let outcome = await shell.run("simulate", "--cases", path, "--seeds", "3", "--json")
    #expect(outcome.status == .done)
    let object = try outcome.object
    #expect(Array(object.keys) == ["cases"])
    let samples = try #require(object["cases"] as? [[String: [Any]]]).map { $0["samples_s"] ?? [] }
    #expect(samples.map(\.count) == [3, 0, 3])
    // The kernel took 0.5591 s.
    #expect((samples[0] as? [Double] ?? []).allSatisfy { abs($0 / 0.5591 - 1) < 0.005 })
    #expect(samples[2].allSatisfy { $0 is NSNull })
    #expect(outcome.error.contains("netcond simulate: 1 case has no samples: vegas is not simulated"))
    let text = await shell.run("simulate", "--cases", path, "--seeds", "3")
    #expect(text.lines[0] == "3 cases, 3 seeds each")
    #expect(!text.output.contains(" in "))
  }

  @Test func `the --rtt-excess option adds its time to each round trip`() async throws {
    let scratch = try Scratch()
    let text = CaseFileTests.text(["loss": "0", "rtt_ms": "2", "bytes": "1000"])
    let path = try scratch.file("cases.json", #"{"cases": [\#(text)]}"#)
    func time(_ words: String...) async throws -> Double {
      let object = try await shell.run(["simulate", "--cases", path, "--seeds", "1", "--json"] + words).object
      return try #require((object["cases"] as? [[String: [Double]]])?[0]["samples_s"]?[0])
    }
    let bare = try await time("--rtt-excess", "0 ms")
    // Two round trips: one to connect, one for the request and its answer.
    #expect(abs(try await time() - bare - 0.000_3) < 1e-6)
    #expect(abs(try await time("--rtt-excess", "0.12 ms") - bare - 0.000_24) < 1e-6)
  }

  @Test func `without options 100 kB are fetched over 3G with 200 seeds, for at most 180 s each`() throws {
    let options = try SimulateOptions(Arguments([], usage: SimulateOptions.usage))
    guard case .transfer(let scenario, .profile("3G")) = options.subject else {
      Issue.record("\(options.subject)")
      return
    }
    #expect(options.seeds.seeds == 0..<200 && options.limit == .seconds(180) && scenario.limit == .seconds(180))
    #expect(options.excess == .microseconds(150) && !options.json)
    #expect(scenario.method == .get && scenario.bytes == 100_000 && scenario.parallel == 1 && !scenario.isWarm)
    #expect(!scenario.isSecure && !scenario.needsResolution)
    #expect(scenario.configuration == (try NetworkProfile.named("3G")).configuration)
  }

  @Test func `with a file of cases, the greatest seed is 4294967295`() throws {
    let words = ["--cases", "x", "--seeds", "4294967295..<4294967296"]
    let options = try SimulateOptions(Arguments(words, usage: SimulateOptions.usage))
    #expect(options.seeds.seeds == 4_294_967_295..<4_294_967_296)
  }

  @Test(arguments: [([String](), true), (["--warm"], false)])
  func `a transfer over TLS has a row for the handshake unless its connection is warm`(
    words: [String], hasRow: Bool
  ) async {
    let outcome = await shell.run(["simulate", "--get", "1 kB", "--tls", "--seeds", "1"] + words)
    #expect(outcome.status == .done)
    #expect(outcome.lines.contains { $0.hasPrefix("secure ") } == hasRow, "\(outcome.output)")
  }

  @Test(arguments: [
    (["--seeds", "0"], #"--seeds: "0" is not a number of seeds from 1 to 1000000"#),
    (["--seeds", "5..<5"], "--seeds: "), (["--get", "1"], #"--get: "1" has no unit"#),
    (["--get", "1.5 B"], "is not a whole number"), (["--get", "-1 B"], "is negative"),
    (["--put", "101 GB"], #"--put: "101 GB" is more than 100 GB"#), (["--put", "x"], "--put: "),
    (["--get", "1 B", "--put", "1 B"], "--get and --put exclude each other"), (["--parallel", "0"], "--parallel: "),
    (["--parallel", "1001"], "from 1 to 1000"), (["--http", "4"], "write 1.1, 2 or 3"),
    (["--congestion", "vegas"], "write cubic or reno or bbr"), (["--limit", "0 s"], "leaves no time"),
    (["--limit", "9999 h"], "is more than 8760 h"), (["--limit", "5"], "has no unit"),
    (["--profile", "no such profile"], "no profile is called"),
    (["--profile", "3G", "--link", "rtt 1 ms"], "--profile and --link exclude each other"),
    (["--link", "rtt 1 ms", "--at", "5 s"], "--at has no effect with --link"),
    (["--link", "dwon 1 bit/s"], "did you mean down?"),
    (["--cases", "x", "--get", "1 B"], "--cases and --get exclude each other"),
    (["--cases", "x", "--tls"], "--cases and --tls exclude each other"),
    (["--cases", "x", "--seeds", "4294967290..<4294967297"], "must be below 4294967296"),
    (["--cases", "x", "--rtt-excess", "1"], "--rtt-excess: "), (["--rtt-excess", "1 ms"], "only with --cases"),
    (["--congestoin", "reno"], "did you mean --congestion?"), (["file"], "an extra argument"),
  ])
  func `wrong arguments of netcond simulate are a one-line usage error`(words: [String], part: String) async {
    let outcome = await shell.run(["simulate"] + words)
    #expect(outcome.status == .usage)
    #expect(outcome.error.hasPrefix("netcond simulate: ") && outcome.error.contains(part), "\(outcome.error)")
    #expect(outcome.error.filter { $0 == "\n" }.count == 1)
    #expect(outcome.output == "")
  }

  @Test func `netcond simulate clears its progress line at the end`() async {
    var shell = Shell()
    shell.isLive = true
    let outcome = await shell.run("simulate", "--json", "--seeds", "5")
    #expect(outcome.error.contains("\r\u{1B}[2K5 runs in "))
    #expect(!outcome.output.contains("\u{1B}"))
  }
}
