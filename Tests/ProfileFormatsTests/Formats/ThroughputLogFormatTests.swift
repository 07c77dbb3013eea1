import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct ThroughputLogFormatTests {
  private func imported(_ text: String) throws -> ImportedProfile {
    try #require(try ProfileFormat.throughputLog.profiles(in: FormatDocument(text, file: "log.csv")).first)
  }

  @Test func `rows of a throughput log become phases in the units of its header`() throws {
    let result = try imported(
      "Timestamp_ms;DL (Mbit/s);UL_kbps;ping;Loss;Cell\n1000;5;100;60;0;1\n1500;;0;;2.5;1\n2500;5;0;60;2.5;2\n9000;0;0;;;\n"
    )
    let phases = result.profile.phases
    // The third row changes nothing, so that the second phase lasts until the fourth.
    #expect(phases.map(\.duration) == [.milliseconds(500), .milliseconds(7_500), nil])
    #expect(phases[0].conditions.down == LinkConditions(rate: .megabitsPerSecond(5), delay: .milliseconds(30)))
    #expect(phases[1].conditions.up.rate == .zero)
    #expect(phases[1].conditions.down.loss == .independent(.percent(2.5)))
    #expect(result.losses.map(\.subject) == ["column Cell"])
  }

  @Test func `a throughput log without a header has seconds, kbit/s, round trip and loss`() throws {
    let profile = try NetworkProfile("0,780,200,1\n2,0\n3.5,unlimited", as: .throughputLog)
    #expect(profile.phases.map(\.duration) == [.seconds(2), .milliseconds(1_500), nil])
    #expect(profile.phases[0].conditions.up == profile.phases[0].conditions.down)
    #expect(profile.phases[1].conditions.down.rate == .zero)
    #expect(profile.phases[2].conditions.down.rate == nil)
    #expect(profile.base == profile.phases[0].conditions)
  }

  @Test(arguments: [(1_000, true), (1_001, false)])
  func `a row of a log has at most 1000 cells`(count: Int, isRead: Bool) {
    let heading = (["t", "down"] + (2..<count).map { "x\($0)" }).joined(separator: ",")
    #expect(((try? imported("\(heading)\n0,1")) != nil) == isRead)
  }

  @Test func `a column of download latency is read as a round trip`() throws {
    #expect(try imported("t,down,Download latency (ms)\n0,1,40").profile.base.down.delay == .milliseconds(20))
  }

  @Test func `a capital B in a throughput unit means bytes`() throws {
    let one = try imported("time,down (MB/s)\n0,1").profile
    // A single row is no phase.
    #expect(one.base.down.rate == .megabitsPerSecond(8) && one.phases.isEmpty)
    #expect(try imported("time,down (Mb/s)\n0,1").profile.base.down.rate == .megabitsPerSecond(1))
  }

  @Test(arguments: [
    ("0,1\n0,2", 2, 1, "later"), ("0,1\nx,2", 2, 1, "not a time"), ("0,fast", 1, 3, "not a rate"),
    ("a,b\n0,1", 1, 1, "header"),
    ("time,rate\n0,1,2", 2, 5, "3 cells"), ("time,rate,down\n0,1", 1, 11, "second column"),
    ("0,1,2,500", 1, 7, "not a loss"), ("time,down\n2019.99999.1.1.1.12,1", 2, 1, "not a time"),
    ("time,down\n2019.12.32_13.40.04,1", 2, 1, "not a time"),
    ("", 1, 1, "no row"), ("0,-1", 1, 3, "not a rate"), ("0, 1e99", 1, 4, "not a rate"),
  ])
  func `an error in a throughput log names line and column`(text: String, line: Int, column: Int, reason: String) {
    let error = #expect(throws: ProfileError.self) { try imported(text) }
    guard case .syntax(_, let l, let c, let said)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(l == line && c == column && said.contains(reason), "\(l) \(c) \(said)")
  }

  @Test func `a throughput log with more than 20000 rows is refused`() {
    let rows = (0...20_000).map { "\($0),\($0 % 2)" }.joined(separator: "\n")
    let error = #expect(throws: ProfileError.self) { try imported(rows) }
    #expect(
      error?.description.contains("line 20001, column 1: more than 20000") == true, "\(String(describing: error))")
  }

  @Test func `a profile's phases are exported as rows of a throughput log`() throws {
    let document = try NetworkProfile.named("tunnel").exported(as: .throughputLog)
    #expect(document.text.hasPrefix("time (s),down (kbit/s),up (kbit/s),rtt (ms),loss (%)\n0,"))
    #expect(document.losses.contains { $0.subject == "outage" })
  }

  @Test func `the rates of published 3G and 4G logs are computed from bytes and intervals`() throws {
    // The first rows that the pages of both data sets show.
    let text = """
      1289406399 549692 59.851754 10.781778 248069 1008
      1289406400 550772 59.851864 10.781833 191698 1080

      """
    let profile = try NetworkProfile(text, as: .throughputLog)
    #expect(profile.phases.map(\.duration) == [.milliseconds(1_008), nil])
    for direction in [Direction.down, .up] {
      let rates = profile.phases.map { $0.conditions[direction].rate?.bitsPerSecond }
      #expect(rates == [1_968_801, 1_419_985])
    }
    let ghent =
      "1453121790686 39287 51.0386528885778 3.73220785642186 2493100 1000\n"
      + "1453121791687 40288 51.0386532820580 3.73222847166054 2763504 1001\n"
      + "1453121792686 41287 51.0386553301824 3.73225142858955 2728896 0999\n"
    let other = try NetworkProfile(ghent, as: .throughputLog)
    #expect(other.phases.map(\.duration) == [.milliseconds(1_000), .milliseconds(1_001), nil])
    #expect(other.phases.first?.conditions.down.rate == Bandwidth(bitsPerSecond: 19_944_800))
    let fast = try NetworkProfile(ghent.replacing("2493100", with: "100000000000000000"), as: .throughputLog)
    #expect(fast.phases.first?.conditions.down.rate == .maximum)
    #expect(throws: ProfileError.self) { try NetworkProfile(ghent + "0,1\n", as: .throughputLog) }
  }

  @Test func `the published 5G logs keep the last rate while the device is idle`() throws {
    let text = """
      Timestamp,Longitude,Latitude,DL_bitrate,UL_bitrate,State,PINGAVG,PINGLOSS
      2019.12.16_13.40.04,-8.39,51.89,0,0,I,-,-
      2019.12.16_13.40.05,-8.39,51.89,5000,120,D,42.5,0
      2019.12.16_13.40.06,-8.39,51.89,0,0,I,,
      2019.12.16_13.40.08,-8.39,51.89,80000,120,D,,
      2019.12.16_13.40.08,-8.39,51.89,90000,120,D,,
      2019.12.16_13.40.09,-8.39,51.89,100000,120,D,,
      """
    let file = FormatDocument(text, file: "B_2019.11.21_09.03.55.csv")
    let result = try #require(try ProfileFormat.throughputLog.profiles(in: file).first)
    let profile = result.profile
    #expect(profile.name == "B_2019.11.21_09.03.55")
    let subjects = ["columns Longitude, Latitude, PINGLOSS", "the rates of 2 rows in state I"]
    #expect(result.losses.map(\.subject) == subjects)
    #expect(profile.phases.map(\.duration) == [.seconds(3), .seconds(1), nil])
    #expect(profile.phases.map(\.conditions.down.rate) == [5, 90, 100].map { .megabitsPerSecond($0) })
    #expect(profile.phases.allSatisfy { $0.conditions.up.rate == .kilobitsPerSecond(120) })
    #expect(profile.base.down.delay + profile.base.up.delay == .microseconds(42_500))
  }

  @Test func `times in the published 5G logs are read across the ends of minutes, hours and years`() throws {
    let times = ["2019.12.31_12.58.59", "2019.12.31_12.59.01", "2019.12.31_13.00.02", "2020.01.01_00.00.00"]
    let lines = times.map { "\($0),-8.39,51.89,5000,120,D,42.5,0" }
    let head = "Timestamp,Longitude,Latitude,DL_bitrate,UL_bitrate,State,PINGAVG,PINGLOSS"
    let text = ([head] + lines.enumerated().map { $1.replacing(",5000,", with: ",\(5_000 + $0),") }).joined(
      separator: "\n")
    let profile = try NetworkProfile(text, as: .throughputLog)
    #expect(profile.phases.map(\.duration) == [.seconds(2), .seconds(61), .seconds(39_598), nil])
  }

  @Test func `a log's unknown columns are one loss, which names five of them`() throws {
    let head = (["t", "down"] + (1...21).map { "x\($0)" }).joined(separator: ",")
    #expect(
      try imported("\(head)\n0,1").losses.map(\.description) == [
        "columns x1, x2, x3, x4, x5 and 16 more: no known property of a network"
      ])
  }

  @Test func `a time column without a unit is in seconds`() throws {
    #expect(try imported("time,down\n0,1\n2,5").profile.phases.map(\.duration) == [.seconds(2), nil])
  }

  @Test func `a log that would exceed 292 years ends with the last row that it can count, and says so`() {
    let rates = [1, 2, 3, 4].map { PathConditions(down: LinkConditions(rate: .megabitsPerSecond($0)), up: .unlimited) }
    let phases = rates.map { NetworkProfile.Phase(for: .seconds(150 * 365 * 86_400), conditions: $0) }
    let document = NetworkProfile(name: "ages", phases: phases).exported(as: .throughputLog)
    #expect(document.text.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] } == ["1000", "2000"])
    #expect(document.losses.map(\.subject) == ["phases"])
  }

  @Test(arguments: ["2.5", "2.5%", "2.5 %"])
  func `a loss in a throughput log may have a percent sign, with or without a space`(cell: String) throws {
    #expect(try imported("time,down,loss\n0,1,\(cell)").profile.base.up.loss == .independent(.percent(2.5)))
  }
}
