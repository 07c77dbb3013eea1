import Foundation
import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct NetemFormatTests {
  private func link(_ line: String) throws -> LinkConditions { try NetworkProfile(netem: line).base.down }

  private func losses(_ line: String) throws -> [String] {
    try ProfileFormat.netem.profiles(in: FormatDocument(line, file: "line")).flatMap(\.losses).map(\.subject)
  }

  @Test func `a printed netem import shows the profile's numbers and the losses`() throws {
    let line = "delay 50ms rate 1mbit ecn loss 2%"
    let imported = try ProfileFormat.netem.profiles(in: FormatDocument(line, file: "line"))
    let lines = "\(imported[0])".split(separator: "\n")
    #expect(lines[1] == "  1 Mbit/s down, 1 Mbit/s up, 100 ms round trip, 2 % loss")
    #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("left out: ") } && lines.count > 2)
    let exported = imported[0].profile.exported(as: .netem)
    #expect("\(exported)".hasPrefix(exported.text.split(separator: "\n")[0]))
  }

  @Test func `a netem line without a direction shapes both directions`() throws {
    let profile = try NetworkProfile(
      netem: "delay 100ms 20ms 25% distribution normal loss gemodel 1% 10% 70% 0.1% rate 1mbit limit 1000")
    let chain = GilbertElliott(
      goodToBad: .percent(1), badToGood: .percent(10), lossWhenBad: .percent(70), lossWhenGood: .percent(0.1))
    // 100 ms of 1 Mbit/s are 8 packets of 12000 bits, and one is in service: 1000 - 1 - 8 wait.
    let link = LinkConditions(
      rate: .megabitsPerSecond(1), delay: .milliseconds(100),
      jitter: Jitter(.normal, spread: .milliseconds(20), correlation: .percent(25)), loss: .bursts(chain), queue: 991)
    #expect(profile.base.down == link)
    #expect(profile.base.up == link)
    #expect(profile.source == "imported from netem")
  }

  @Test func `a netem line's direction can be given as an argument or as a comment`() throws {
    let up = try NetworkProfile(netem: "delay 5ms", direction: .up)
    #expect(up.base.down == .unlimited && up.source == "imported from netem")
    let both = try NetworkProfile("# down: from the server\ndelay 5ms\n# up\ndelay 7ms\n", as: .netem)
    #expect(both.base.down.delay == .milliseconds(5))
    #expect(both.base.up.delay == .milliseconds(7))
    #expect(throws: ProfileError.self) { try NetworkProfile("delay 5ms\ndelay 7ms", as: .netem) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("netem-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(throws: ProfileError.self) { try NetworkProfile(contentsOf: file, as: .netem) }
    try Data("# down: from the server\ndelay 5ms\n# up\ndelay 7ms\n".utf8).write(to: file)
    #expect(try NetworkProfile(contentsOf: file, as: .netem).base == both.base)
  }

  @Test(arguments: [
    ("# down\ndelay 1ms\n# down\ndelay 2ms", "the direction down is given twice", 4),
    ("# down\ndelay 1ms\ndelay 2ms", "one line says which direction it shapes and another does not", 1),
    ("delay 1ms\n# up\ndelay 2ms", "one line says which direction it shapes and another does not", 1),
    ("delay 1ms\ndelay 2ms", "a second line, and none says which direction it shapes", 2),
  ])
  func `netem lines that do not shape one direction each are refused`(text: String, reason: String, line: Int) {
    let error = #expect(throws: ProfileError.self) { try NetworkProfile(text, as: .netem) }
    guard case .syntax(_, line, _, let words)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(words.hasPrefix(reason), "\(words)")
  }

  /// Units of tc(8): bits are decimal unless their unit has an i, `bps` is bytes, and a bare time is in microseconds.
  @Test(arguments: [
    ("rate 1kbit", 1_000), ("rate 1.5Mbit", 1_500_000), ("rate 1kbps", 8_000), ("rate 2mbps", 16_000_000),
    ("rate 1Kibit", 1_024), ("rate 1mibps", 8_388_608), ("rate 500", 500), ("rate 1gbit", 1_000_000_000),
    ("rate 1e3kbit", 1_000_000),
  ])
  func `netem rates are read in tc's units`(line: String, bits: Int64) throws {
    #expect(try link(line).rate?.bitsPerSecond == bits)
  }

  @Test(arguments: [
    ("delay 100", 100_000), ("delay 1ms", 1_000_000), ("delay 1.5secs", 1_500_000_000), ("latency 20usec", 20_000),
    ("del 0.5ms", 500_000), ("delay 274s", 274_000_000_000),
  ])
  func `netem times are read in tc's units`(line: String, nanoseconds: Int64) throws {
    #expect(try link(line).delay == .nanoseconds(nanoseconds))
  }

  @Test func `netem jitter reorders packets unless the line has a rate`() throws {
    #expect(try link("delay 10ms 5ms").reorders)
    #expect(try !link("delay 10ms 5ms rate 1mbit").reorders)
    #expect(try link("delay 10ms 5ms").jitter == Jitter(.uniform, spread: .milliseconds(5)))
    #expect(try link("delay 10ms 5ms distribution pareto").jitter?.distribution == .pareto)
    #expect(try link("delay 10ms 5ms distribution experimental").jitter?.distribution == .normal)
  }

  @Test func `reordering, duplication, corruption and loss survive netem import and export`() throws {
    let words = "delay 10ms reorder 25% gap 5 duplicate 1.5% corrupt 0.1% loss 2%"
    let link = try link(words)
    #expect(link.duplication == .percent(1.5) && link.corruption == .percent(0.1))
    let document = try NetworkProfile(netem: words).exported(as: .netem)
    #expect(document.text.contains("delay 10ms reorder 25% gap 5 duplicate 1.5% corrupt 0.1% loss 2%"))
    #expect(document.losses.isEmpty)
  }

  /// The examples of tc-netem(8) and of netem's own page, in the order of those pages.
  @Test(arguments: [
    ("tc qdisc add dev eth0 root netem rate 5kbit 20 100 5", ["rate overhead 20 100 5"]),
    ("tc qdisc add dev eth0 root netem delay 100ms", []),
    ("tc qdisc change dev eth0 root netem delay 100ms 10ms", []),
    ("tc qdisc change dev eth0 root netem delay 100ms 10ms 25%", []),
    ("tc qdisc change dev eth0 root netem delay 100ms 20ms distribution normal", []),
    ("tc qdisc change dev eth0 root netem loss 0.1%", []),
    ("tc qdisc change dev eth0 root netem loss 0.3% 25%", ["loss 0.3% 25%"]),
    ("tc qdisc change dev eth0 root netem duplicate 1%", []),
    ("netem duplicate 1% 25%", ["duplicate 1% 25%"]),
    ("tc qdisc change dev eth0 root netem corrupt 0.1%", []),
    ("tc qdisc change dev eth0 root netem delay 10ms reorder 25% 50%", ["reorder 25% 50%"]),
    ("tc qdisc change dev eth0 root netem delay 100ms 75ms", []),
    ("netem delay 10ms reorder 25% 50% gap 5", ["reorder 25% 50%"]), ("netem loss random 1% ecn", ["ecn"]),
    ("netem slot 800us 10ms packets 4 bytes 64k", ["slot"]), ("netem loss state 1% 10% ", []),
    ("netem limit 50", ["limit 50"]), ("netem reorder 0%", []),
    ("netem loss 1% seed 7", ["seed 7"]),
  ])
  func `examples of the netem manual are read, and lost options are listed`(line: String, lost: [String]) throws {
    #expect(try losses(line) == lost)
  }

  /// Options that tc of iproute2 6.1 refuses.
  @Test(arguments: [
    ("reorder 25% 50%", "reordering is not possible without a delay", 1),
    ("reorder gap 5 10", "\"gap\" is not the share to reorder", 9),
    ("gap 5 delay 10ms", "a gap is not possible without reorder", 1),
    ("delay 10ms reorder 0% gap 5", "a gap is not possible without reorder", 23),
    ("loss 0% ecn", "ecn is not possible without a loss", 9),
    ("distribution normal", "a distribution is not possible without a delay and a jitter", 14),
    ("loss 1% loss 2%", "loss is given twice", 9), ("loss 150%", "\"150%\" is not the loss", 6),
    ("loss -1%", "\"-1%\" is not a loss model", 6), ("loss nan%", "\"nan%\" is not a loss model", 6),
    ("loss gemodel", "p should follow gemodel", 13), ("delay", "a time should follow delay", 6),
    ("delay 275s", "longer than tc allows", 7), ("delay -5ms", "negative", 7), ("delay 1.5.2ms", "is not the delay", 7),
    ("limit -1", "is not the limit", 7), ("limit 99999999999", "more than tc allows", 7),
    ("rate 5xyz", "is not a rate", 6),
    ("rate 50%", "share of a device's speed", 6), ("foo 1", "is not an option of netem", 1),
    ("delay 10ms 5ms 1% 4", "\"4\"", 19),
    ("delay 1ms 1ms distribution mine", "only the other machine has", 28), ("loss 1% 2% 3%", "\"3%\"", 12),
    ("delya 5ms", "did you mean delay", 1),
  ])
  func `an option that tc refuses is an error with its column`(line: String, reason: String, column: Int) {
    let error = #expect(throws: ProfileError.self) { try NetworkProfile(netem: line) }
    guard case .syntax(_, let line, let place, let text)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(line == 1 && place == column, "\(place)")
    #expect(text.contains(reason), "\(text)")
  }

  @Test func `netem loss models are read as the kernel interprets them`() throws {
    #expect(try link("loss gemodel 2%").loss == .independent(.percent(2)))
    #expect(
      try link("loss gemodel 2% 30%").loss
        == .bursts(GilbertElliott(goodToBad: .percent(2), badToGood: .percent(30))))
    #expect(try link("loss state 2%").loss == .independent(.percent(2)))
    #expect(
      try link("loss state 2% 30%").loss
        == .bursts(GilbertElliott(goodToBad: .percent(2), badToGood: .percent(30))))
    #expect(try link("limit 0").loss == .independent(.one))
    #expect(try link("rate 0").rate == nil)
  }

  @Test func `a profile is exported as readable netem lines, one for each direction`() throws {
    #expect(
      try NetworkProfile.named("apple.DSL").exported(as: .netem).text == """
        # down
        delay 5ms rate 2mbit limit 101
        # up
        delay 5ms rate 256kbit limit 101

        """)
    #expect(NetworkProfile.unlimited.exported(as: .netem).text == "delay 0ms\n")
    let lost = try NetworkProfile.named("subway").exported(as: .netem).losses.map(\.subject)
    #expect(lost == ["phases"] + Array(repeating: "faults", count: 6) + ["dns.delay"])
  }

  @Test(arguments: [
    "delay 10ms reorder 25%", "loss gemodel 1% 10%", "loss gemodel 1% 10% 70%", "loss gemodel 1% 10% 70% 0.1%",
    "loss gemodel 1% 10% 100% 0.1%",
  ])
  func `a netem line without redundant options survives import and export`(line: String) throws {
    #expect(try NetworkProfile(netem: line).exported(as: .netem).text == line + "\n")
  }

  @Test func `netem's longest queue is ten million packets`() throws {
    #expect(try link("rate 1mbit limit 10000001").queue == 10_000_000)
    #expect(try link("rate 1mbit limit 10000000").queue == 9_999_999)
    #expect(try link("rate 1mbit limit 4294967295").queue == 10_000_000)
  }

  @Test(arguments: ["state 0%", "gemodel 0%"])
  func `the import accepts netem's ecn after a loss model even if all its losses are zero`(model: String) throws {
    #expect(try losses("loss \(model) ecn") == ["ecn"])
    #expect(throws: ProfileError.self) { try losses("loss 0% ecn") }
  }

  @Test(arguments: [
    (1, true, "with a rate netem keeps packets in order"), (1, false, nil), (nil, true, nil),
    (nil, false, "without a rate netem lets jitter change the order of packets"),
  ])
  func `the export to netem says where its jitter orders packets differently`(
    megabits: Double?, reorders: Bool, reason: String?
  ) {
    var link = LinkConditions(rate: megabits.map { .megabitsPerSecond($0) }, delay: .milliseconds(50))
    link.jitter = Jitter(.uniform, spread: .milliseconds(5))
    link.reorders = reorders
    let exported = NetworkProfile(name: "mine", base: PathConditions(down: link, up: link)).exported(as: .netem)
    #expect(
      exported.losses.map(\.description) == (reason.map { ["down.reorder: \($0)", "up.reorder: \($0)"] } ?? []))
  }

  @Test func `conditions beyond netem's limits are exported at the limit, and the export says so`() {
    func export(_ change: (inout LinkConditions) -> Void) -> [String] {
      var link = LinkConditions()
      change(&link)
      let exported = NetworkProfile(name: "mine", base: PathConditions(down: link)).exported(as: .netem)
      let line = exported.text.split(separator: "\n").first { $0 != "# down" } ?? ""
      return [String(line)] + exported.losses.map(\.description)
    }
    #expect(
      export { $0.rate = .zero } == [
        "loss 100%", "down.rate: netem takes a rate of zero as no rate; written as a loss of 100 %",
      ])
    #expect(export { $0.rate = Bandwidth(bitsPerSecond: 8) } == ["rate 8bit limit 101"])
    #expect(
      export { $0.rate = Bandwidth(bitsPerSecond: 7) } == [
        "rate 8bit limit 101", "down.rate: netem counts in bytes per second; 7 bit/s is written as 8 bit/s",
      ])
    // tc counts ticks of 64 ns in 32 bits.
    let longest = Duration.nanoseconds(Int64(1) << 32 * 64)
    #expect(export { $0.delay = longest } == ["delay 274877.906944ms"])
    #expect(
      export { $0.delay = longest + .nanoseconds(1) } == [
        "delay 274877.906944ms", "down.delay: tc takes no more than 274.8 s; 274.877906945 s is written as that",
      ])
    func jitter(_ spread: Duration, _ distribution: Jitter.Distribution = .uniform, delay: Duration = .zero) -> [String]
    {
      export { link in
        link.delay = delay
        link.jitter = Jitter(distribution, spread: spread, correlation: .percent(25))
        link.reorders = true
      }
    }
    #expect(jitter(longest, delay: .seconds(1)) == ["delay 1000ms 274877.906944ms 25%"])
    #expect(
      jitter(longest + .nanoseconds(1), delay: .seconds(1)) == [
        "delay 1000ms 274877.906944ms 25%",
        "down.jitter: tc takes no more than 274.8 s; 274.877906945 s is written as that",
      ])
    #expect(jitter(.seconds(1), .normal, delay: .seconds(2)) == ["delay 2000ms 1000ms 25% distribution normal"])
    #expect(
      jitter(.seconds(1), .normal) == [
        "delay 0ms 1000ms 25%", "down.jitter: tc takes a distribution only with a delay; written as even jitter",
      ])
    #expect(
      export { $0.reorder(.percent(20), gap: 3) } == [
        "delay 0ms", "down.reordering: tc takes a reordering only with a delay, without which no packet overtakes",
      ])
    func queue(_ count: Int, delay: Duration = .zero) -> [String] {
      export { ($0.rate, $0.delay, $0.queue) = (.megabitsPerSecond(1_000), delay, count) }
    }
    #expect(queue(10_000_000) == ["rate 1gbit limit 10000001"])
    // 12 ms of 1 Gbit/s are 1000 packets of 1500 bytes.
    #expect(queue(10_000_000, delay: .milliseconds(12)) == ["delay 12ms rate 1gbit limit 10001001"])
    #expect(
      export { ($0.delay, $0.corruption, $0.duplication) = (.milliseconds(1), .percent(2), .percent(3)) } == [
        "delay 1ms duplicate 3% corrupt 2%"
      ])
  }

  @Test func `an outage is exported to netem as a loss of all packets`() throws {
    #expect(try NetworkProfile.named("offline").exported(as: .netem).text == "loss 100%\n")
  }

  @Test func `a slot of netem whose greatest delay is less than its least is refused`() throws {
    let error = #expect(throws: ProfileError.self) { try link("slot 10ms 800us") }
    #expect(error?.description.contains("is less than the least delay, 10ms") == true, "\(String(describing: error))")
    #expect(try link("slot 10ms 10ms").delay == .zero)
  }
}
