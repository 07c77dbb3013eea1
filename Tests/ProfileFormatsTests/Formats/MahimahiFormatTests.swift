import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct MahimahiFormatTests {
  private static func phase(_ duration: Duration?, _ rate: Bandwidth?, outage: PathConditions.Outage? = nil)
    -> NetworkProfile.Phase
  {
    let link = LinkConditions(rate: rate)
    return NetworkProfile.Phase(
      "p", for: duration, conditions: PathConditions(down: link, up: .unlimited, outage: outage))
  }

  private static func written(_ phases: NetworkProfile.Phase...) -> (lines: [Int], lost: Set<String>) {
    let document = NetworkProfile(name: "x", base: phases[0].conditions, phases: phases).exported(as: .mahimahi)
    return (document.text.split(separator: "\n").compactMap { Int($0) }, Set(document.losses.map(\.subject)))
  }

  @Test func `a rate is exported as a packet whenever it has carried 12,000 bits`() {
    let phases = Self.written(
      Self.phase(.seconds(2), .kilobitsPerSecond(6)), Self.phase(.seconds(1), .kilobitsPerSecond(99), outage: .drop),
      Self.phase(nil, .kilobitsPerSecond(12)))
    // A packet in two seconds, none in the third, and then one in each of ten seconds.
    #expect(phases.lines == [2_000] + (4...13).map { $0 * 1_000 })
    #expect(phases.lost == ["repeat", "phases", "outage", "down.rate"])
    #expect(Self.written(Self.phase(nil, .kilobitsPerSecond(7_000))).lines.prefix(4) == [2, 4, 6, 7])
  }

  @Test(
    arguments: [
      (12_000_000, 10_000), (12_000_001, 1_000), (120_000_000, 1_000), (120_000_001, 100), (1_200_000_000, 100),
      (1_200_000_001, 100),
    ] as [(Int64, Int)])
  func `a rate without an end is exported for at most 10 s and about ten thousand packets`(
    bits: Int64, milliseconds: Int
  ) {
    let phase = Self.phase(nil, Bandwidth(bitsPerSecond: bits))
    let (lines, lost) = Self.written(phase)
    #expect(!lost.contains("phases"))
    let losses = NetworkProfile(name: "x", base: phase.conditions).exported(as: .mahimahi).losses
    #expect("\(losses)".contains("a rate above 1.2 Gbit/s is written as that") == (bits > 1_200_000_000))
    #expect(lines.last == milliseconds && lines == lines.sorted() && (1_000...10_001).contains(lines.count))
  }

  @Test func `the exported trace of an endless outage has a single packet, at its end`() {
    #expect(Self.written(Self.phase(nil, nil, outage: .refuse)).lines == [10_000])
    // A phase with more than a million packets is left out.
    let long = Self.written(Self.phase(.seconds(1_000), nil), Self.phase(nil, .kilobitsPerSecond(12)))
    #expect(long.lines == [10_000] && long.lost.isSuperset(of: ["phases", "down.rate"]))
  }

  @Test(arguments: [("cell.up", true), ("cell.down", false), ("backup", false), ("up", false), (".up", true)])
  func `a trace shapes the upload if its file's name ends in up after a dot`(file: String, isUpload: Bool) throws {
    let base = try #require(try ProfileFormat.mahimahi.profiles(in: FormatDocument("1\n9\n", file: file)).first).profile
      .base
    #expect((isUpload ? base.up : base.down) != .unlimited)
    #expect((isUpload ? base.down : base.up) == .unlimited)
  }
}
