import Foundation
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct CaseFileTests {
  /// The JSON of a case with some fields replaced; an empty text removes the field.
  static func text(_ changes: [String: String] = [:]) -> String {
    let fields = [
      ("link", #""A""#), ("down_kbps", "780"), ("up_kbps", "330"), ("rtt_ms", "200"), ("loss", "0.01"),
      ("queue_packets", "100"), ("congestion_control", #""cubic""#), ("kind", #""get""#), ("bytes", "14000"),
      ("repeats", "3"), ("total_s", #"{"median": 0.5591}"#), ("samples_s", "[0.5, null, Infinity]"),
    ]
    let written = fields.compactMap { key, value -> String? in
      let value = changes[key] ?? value
      return value.isEmpty ? nil : "\"\(key)\": \(value)"
    }
    return "{\(written.joined(separator: ", "))}"
  }

  /// The JSON of a case over a profile with some fields replaced; an empty text removes the field.
  static func overProfile(_ changes: [String: String] = [:]) -> String {
    let link = #"{"rate": "780 kbit/s", "delay": "100 ms"}"#
    let profile = """
      {"name": "train", "down": \(link), "up": \(link), "phases": [
        {"name": "track", "for": "300 ms"}, {"name": "tunnel", "for": "1 s", "outage": "drop"}, {"name": "on"}]}
      """
    let fields = [
      ("profile", profile), ("kind", #""get""#), ("bytes", "14000"), ("count", "3"), ("put_bytes", "500000"),
      ("rtt_excess_s", "0.0002"), ("family", #""outage""#), ("samples_s", "[1.5, 2.5, null]"), ("about", "{}"),
      ("congestion_control", #""cubic""#),
    ]
    let written = fields.compactMap { key, value -> String? in
      let value = changes[key] ?? value
      return value.isEmpty ? nil : "\"\(key)\": \(value)"
    }
    return "{\(written.joined(separator: ", "))}"
  }

  static func file(_ cases: [String]) throws -> CaseFile {
    let scratch = try Scratch()
    let path = try scratch.file("cases.json", #"{"about": "x", "cases": [\#(cases.joined(separator: ", "))]}"#)
    return try CaseFile(
      CaseFile.list(contentsOf: path), excess: .microseconds(150), limit: .seconds(180))
  }

  static func scenario(_ changes: [String: String] = [:]) throws -> TransferScenario? {
    try file([text(changes)]).cases[0].scenario
  }

  @Test func `a case describes a transfer over a link with equal queue, loss and delay both ways`() throws {
    let item = try Self.file([Self.text()]).cases[0]
    let scenario = try #require(item.scenario)
    let delay = Duration.microseconds(100_075)
    let loss = LossModel.independent(.percent(1))
    #expect(
      scenario.schedule
        == ConditionSchedule(
          PathConditions(
            down: LinkConditions(rate: .kilobitsPerSecond(780), delay: delay, loss: loss, queue: 100),
            up: LinkConditions(rate: .kilobitsPerSecond(330), delay: delay, loss: loss, queue: 100))))
    #expect(scenario.method == .get && scenario.bytes == 14_000 && !scenario.isWarm && scenario.parallel == 1)
    #expect(scenario.configuration.congestionControl == .cubic)
    #expect(item.measurement.median == 0.5591)
  }

  @Test func `a case's kind gives method, connection reuse and number of parallel transfers`() throws {
    #expect(try Self.scenario(["kind": #""put""#])?.method == .put)
    #expect(try Self.scenario(["kind": #""get-warm""#])?.isWarm == true)
    let parallel = try #require(try Self.scenario(["kind": #""get-parallel12""#]))
    #expect(parallel.parallel == 12 && parallel.configuration.connectionsPerHost == 12)
    #expect(try Self.scenario(["congestion_control": #""reno""#])?.configuration.congestionControl == .reno)
  }

  @Test func `a case over HTTP/3 gets the certificates and the upload buffer of its kind`() throws {
    let six = try #require(try Self.scenario(["kind": #""h3-get-parallel6""#]))
    #expect(six.version == .http3 && six.isSecure && six.parallel == 6 && six.configuration.certificates == 923)
    let upload = try #require(try Self.scenario(["kind": #""h3-put""#]))
    #expect(upload.method == .put && upload.version == .http3 && upload.configuration.uploadBuffer == 65_536)
    let resumed = try #require(try Self.scenario(["kind": #""h3-get-resumed""#]))
    #expect(resumed.method == .get && resumed.version == .http3 && resumed.configuration.certificates == 0)
  }

  @Test func `optional fields of a case may be missing, and whole numbers may have decimals`() throws {
    let item = try Self.file([Self.text(["link": "", "repeats": "", "total_s": "", "samples_s": ""])]).cases[0]
    #expect(item.measurement.median == nil && item.scenario != nil)
    #expect(try Self.scenario(["bytes": "1.4e4", "queue_packets": "100.0"])?.bytes == 14_000)
    #expect(try Self.file([Self.text(["total_s": #"{"median": null}"#])]).cases[0].measurement.median == nil)
    #expect(try Self.file([]).cases.isEmpty)
  }

  @Test func `a case over a profile adds the measured excess delay to each phase`() throws {
    let item = try Self.file([Self.overProfile()]).cases[0]
    let schedule = try #require(item.scenario).schedule
    let delay = Duration.microseconds(100_100)
    #expect(schedule.phases.map(\.conditions.down.delay) == [delay, delay, delay])
    #expect(schedule.phases.map(\.conditions.outage) == [nil, .drop, nil])
    #expect(item.link == "train" && item.family == "outage" && item.measurement.median == 2.5)
    #expect(!item.measurement.repeats)
    // Without `rtt_excess_s` the case uses the value of the option.
    let other = try Self.file([Self.overProfile(["rtt_excess_s": ""])]).cases[0].scenario
    #expect(other?.schedule.phases[0].conditions.up.delay == .microseconds(100_075))
  }

  @Test func `a case over a profile takes method, TLS, HTTP version and parallelism from its kind`() throws {
    func scenario(_ kind: String) throws -> TransferScenario {
      try #require(try Self.file([Self.overProfile(["kind": "\"\(kind)\""])]).cases[0].scenario)
    }
    #expect(try scenario("put").method == .put)
    #expect(try scenario("tls").isSecure && scenario("tls").version == .http1 && scenario("tls").parallel == 1)
    #expect(try scenario("h2").isSecure && scenario("h2").version == .http2 && scenario("h2").parallel == 3)
    #expect(try scenario("parallel").parallel == 3 && scenario("parallel").configuration.connectionsPerHost == 3)
    #expect(try scenario("duplex").besideUpload == 500_000 && scenario("get").besideUpload == nil)
  }

  @Test func `a case over a profile uses the profile's congestion control unless it names another`() throws {
    let reno = #"{"name": "r", "tcp": {"congestion": "reno"}}"#
    let own = try Self.file([Self.overProfile(["profile": reno, "congestion_control": ""])]).cases[0]
    #expect(own.scenario?.configuration.congestionControl == .reno && own.congestionControl == "reno")
    let named = try Self.file([Self.overProfile(["profile": reno])]).cases[0]
    #expect(named.scenario?.configuration.congestionControl == .cubic)
    let unknown = try Self.file([Self.overProfile(["congestion_control": #""vegas""#])]).cases[0]
    #expect(unknown.scenario == nil && unknown.congestionControl == "vegas")
  }

  @Test(arguments: [
    ("kind", #""get-warm""#, "is not a kind of transfer over a profile; write"), ("bytes", "", "\"bytes\" is missing"),
    ("profile", "7", "found 7 where a profile should be"), ("count", "0", "0 is not a number of transfers"),
    ("profile", #"{"name": "x", "down": {"rate": "fast"}}"#, "cases[0].profile.down.rate: "),
    ("put_bytes", "-1", "-1 is not a number of bytes"), ("rtt_excess_s", "-1", "-1 is not a time in seconds that"),
    ("samples_s", "[true]", "cases[0].samples_s[0]: true is not a time in seconds"),
    ("family", "7", "found 7 where the name of a family"),
  ])
  func `an error in a case over a profile names where it is`(field: String, value: String, part: String) throws {
    let kind = field == "put_bytes" ? #""duplex""# : field == "count" ? #""h2""# : #""get""#
    let error = #expect(throws: ProfileError.self) {
      try Self.file([Self.overProfile(["kind": kind].merging([field: value]) { $1 })])
    }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test func `a case with the greatest accepted numbers does not overflow`() throws {
    for kind in ["get", "put", "get-warm", "get-parallel1000"] {
      var scenario = try #require(
        try Self.scenario([
          "down_kbps": "100000000000", "up_kbps": "1e11", "rtt_ms": "86400000", "queue_packets": "10000000",
          "bytes": "100000000000", "loss": "1", "kind": "\"\(kind)\"",
        ]))
      scenario.limit = .seconds(31_536_000)
      #expect(scenario.run(seed: .max).total == nil)
    }
  }

  @Test func `a case with an unsupported congestion control is not simulated`() throws {
    let file = try Self.file([Self.text(["congestion_control": #""vegas""#]), Self.text(["loss": "0"])])
    #expect(file.cases[0].scenario == nil)
    let (place, scenario) = try #require(file.scenarios.first)
    #expect(place == 1 && file.scenarios.count == 1 && scenario.run(seed: 0).total != nil)
  }

  @Test func `the simulated times are the same with one, two or seven workers`() async throws {
    let file = try Self.file([Self.text(), Self.text(["loss": "0.05", "kind": #""put""#]), Self.text()])
    let seeds = try #require(SeedRange("5..<45"))
    func run(_ count: Int) async -> [[Duration?]] {
      await Workers(count: count).run(file.scenarios, seeds) { item, seed in
        item.scenario.run(seed: CaseFile.seed(seed, ofCase: item.place)).total
      }
    }
    let one = await run(1)
    #expect(await run(2) == one)
    #expect(await run(7) == one)
    let scenario = try #require(file.cases[2].scenario)
    #expect(one[2] == (5..<45 as Range<UInt64>).map { scenario.run(seed: 2 << 32 | $0).total })
    // Equal cases get different random numbers.
    #expect(one[0] != one[2])
  }

  @Test(arguments: [
    ("down_kbps", "-1", "-1 is not a rate in kbit/s, a number from 0 to 100000000000"),
    ("down_kbps", "NaN", "NaN is not a rate in kbit/s"), ("up_kbps", "Infinity", "Infinity is not a rate in kbit/s"),
    ("up_kbps", "-Infinity", "-Infinity is not a rate"), ("up_kbps", "1e400", "1e400 is not a rate in kbit/s"),
    ("up_kbps", "\"330\"", #""330" is not a rate in kbit/s"#), ("up_kbps", "null", "null is not a rate in kbit/s"),
    ("up_kbps", "", #"the key "up_kbps" is missing; write for example "up_kbps": 330"#),
    ("rtt_ms", "-0.1", "-0.1 is not a round trip in milliseconds, a number from 0 to 86400000"),
    ("rtt_ms", "1e300", "1e300 is not a round trip"), ("rtt_ms", "[200]", "a list is not a round trip"),
    ("loss", "1.01", "1.01 is not a probability, a number from 0 to 1"), ("loss", "true", "true is not a probability"),
    ("loss", "\"1 %\"", #""1 %" is not a probability"#),
    ("queue_packets", "99.5", "99.5 is not a number of packets, a whole number from 0 to 10000000"),
    ("queue_packets", "-1", "-1 is not a number of packets"),
    ("queue_packets", "9223372036854775808", "9223372036854775808 is not a number of packets"),
    ("congestion_control", "7", "found 7 where a congestion control should be, a string"),
    ("congestion_control", #""cubik""#, #""cubik" is not a congestion control; did you mean cubic?"#),
    ("congestion_control", #""""#, #""" is not a congestion control; write "cubic" or "reno" or "bbr""#),
    ("kind", #""fetch""#, #""fetch" is not a kind of transfer; write "get", "get-warm", "put" or "get-parallel6""#),
    ("kind", #""get-parallel""#, "does not say how many, from 1 to 1000"),
    ("kind", #""get-parallel+6""#, "does not say how many"), ("kind", #""get-parallel06""#, "does not say how many"),
    ("kind", #""get-parallel0""#, "does not say how many"), ("kind", "{}", "found an object where a kind"),
    ("kind", #""get-parallel99999999999999999999""#, "does not say how many"),
    ("bytes", "-5", "-5 is not a number of bytes, a whole number from 0 to 100000000000"),
    ("bytes", "1e18", "1e18 is not a number of bytes"), ("bytes", "0.5", "0.5 is not a number of bytes"),
    ("repeats", "0", "0 is not a number of repetitions, a whole number from 1"),
    ("repeats", "\"3\"", #""3" is not a number of repetitions"#), ("link", "7", "found 7 where a link's name"),
    ("total_s", "0.5", "found 0.5 where what was measured should be, an object in braces"),
    ("total_s", "{}", #"the key "median" is missing"#),
  ])
  func `an error in a case names the case, the field, the value and the correction`(
    field: String, value: String, part: String
  ) throws {
    let error = #expect(throws: ProfileError.self) { try Self.file([Self.text(), Self.text([field: value])]) }
    let message = error?.description ?? ""
    // The error of a missing field names the case.
    let place = value.isEmpty ? "cases[1]: " : "cases[1].\(field): "
    #expect(message.hasPrefix("cases.json: \(place)") || field == "total_s", "\(message)")
    #expect(message.hasPrefix("cases.json: cases[1]") && message.contains(part), "\(message)")
  }

  @Test func `a misspelt field of a case is reported with a suggestion`() throws {
    let text = Self.text().replacing("queue_packets", with: "queue_packet")
    let error = #expect(throws: ProfileError.self) { try Self.file([text]) }
    #expect(error?.sentence.hasSuffix(#""queue_packets": 100; did you write "queue_packet" instead?"#) == true)
  }

  @Test(arguments: [
    ("", "line 1, column 1"), ("[]", "found a list where a file of cases should be"),
    ("{}", #"the key "cases" is missing"#), (#"{"cases": {}}"#, "cases: found an object where the cases should be"),
    (#"{"cases": [7]}"#, "cases[0]: found 7 where a case should be"), (#"{"cases": ["#, "ends inside this list"),
    (#"{"cases": [nan]}"#, "line 1, column 12"),
  ])
  func `a malformed case file is refused with the place of the mistake`(text: String, part: String) throws {
    let scratch = try Scratch()
    let url = URL(fileURLWithPath: try scratch.file("cases.json", text))
    let error = #expect(throws: ProfileError.self) {
      try CaseFile(CaseFile.list(contentsOf: url.path), excess: .zero, limit: .seconds(1))
    }
    #expect(error?.description.hasPrefix("cases.json: ") == true)
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    (#"{"workload": 7}, {}"#, "cases[1]: is a transfer, but the cases before it are workloads; use a file for each"),
    (#"{}, 7, {"workload": 7}"#, "cases[2]: is a workload, but the cases before it are transfers; use a file for each"),
  ])
  func `a file with transfers and workloads is refused at the first case of the other kind`(
    cases: String, message: String
  ) throws {
    let scratch = try Scratch()
    let path = try scratch.file("cases.json", #"{"cases": [\#(cases)]}"#)
    let error = #expect(throws: ProfileError.self) { try CaseFile.holdsWorkloads(CaseFile.list(contentsOf: path)) }
    #expect(error?.sentence == "cases.json: \(message)")
  }

  @Test func `a folder, a missing file and a file of other bytes are refused as case files`() throws {
    let scratch = try Scratch()
    let bytes = scratch.folder.appendingPathComponent("bytes.json")
    try Data([0x7B, 0xFF]).write(to: bytes)
    for (url, part) in [
      (scratch.folder, "is not a regular file"), (scratch.folder.appendingPathComponent("none.json"), "no such file"),
      (bytes, "is not UTF-8 text; a file of cases is JSON in UTF-8"),
    ] {
      let error = #expect(throws: ProfileError.self) {
        try CaseFile(CaseFile.list(contentsOf: url.path), excess: .zero, limit: .seconds(1))
      }
      #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
  }
}
