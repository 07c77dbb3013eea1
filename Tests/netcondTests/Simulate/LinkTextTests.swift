import LinkSimulator
import Testing

@testable import netcond

struct LinkTextTests {
  @Test func `the parts of a link description can come in any order`() throws {
    let loss = LossModel.independent(.percent(1))
    let wanted = PathConditions(
      down: LinkConditions(rate: .kilobitsPerSecond(780), delay: .milliseconds(100), loss: loss, queue: 50),
      up: LinkConditions(rate: .kilobitsPerSecond(330), delay: .milliseconds(100), loss: loss, queue: 50))
    let parts = ["down 780 kbit/s", "up 330 kbit/s", "rtt 200 ms", "loss 1 %", "queue 50 packets"]
    #expect(try LinkText.conditions(parts.joined(separator: ", ")) == wanted)
    #expect(try LinkText.conditions(parts.reversed().joined(separator: ",")) == wanted)
    #expect(try LinkText.conditions("DOWN 780kbit/s,  up  330 kbit/s , RTT 0.2 s,Loss 1%, queue 50packets") == wanted)
  }

  @Test func `missing parts of a link description mean unlimited rates and no impairments`() throws {
    #expect(try LinkText.conditions("down unlimited") == .unlimited)
    #expect(try LinkText.conditions("loss 0 %") == .unlimited)
    #expect(try LinkText.conditions("up 0 bit/s").up.rate == .zero)
    #expect(try LinkText.conditions("up 0 bit/s").down == .unlimited)
  }

  @Test func `an odd round trip is split into two delays to the nanosecond`() throws {
    let conditions = try LinkText.conditions("rtt 0.000001 ms")
    #expect([conditions.down.delay, conditions.up.delay] == [.zero, .nanoseconds(1)])
  }

  @Test func `a link description can have burst loss and jitter with a distribution`() throws {
    let conditions = try LinkText.conditions("loss 8 %, burst 4, jitter 8 ms")
    #expect(conditions.down.loss == GilbertElliott(mean: .percent(8), burst: 4).map(LossModel.bursts))
    #expect(conditions.up == conditions.down)
    #expect(conditions.down.jitter == Jitter(.normal, spread: .milliseconds(8)))
    #expect(try LinkText.conditions("burst 2.5 packets, loss 8 %").down.loss.mean > 0.0799)
    for name in ["paretonormal", "paretoNormal", "PARETONORMAL"] {
      #expect(try LinkText.conditions("jitter \(name) 8 ms").up.jitter?.distribution == .paretoNormal)
    }
  }

  static let parts =
    "down 780 kbit/s, up 330 kbit/s, rtt 200 ms, loss 1 %, burst 4 packets, corruption 0.1 %, duplication 1 %, "
    + "reordering 25 %, gap 5 packets, jitter 8 ms, queue 100 packets"

  @Test(arguments: ImpairmentKind.allCases)
  func `each impairment can be given by its name in a link description`(kind: ImpairmentKind) throws {
    let part = try #require(Self.parts.split(separator: ", ").first { $0.hasPrefix(kind.name) })
    let conditions = try LinkText.conditions(String(part))
    #expect(conditions.down.has(kind) && conditions.up.has(kind))
  }

  @Test func `the gap part sets which packets may be reordered`() throws {
    #expect(try LinkText.conditions("gap 5 packets, reordering 25 %").up.reordering == (.percent(25), 5))
    #expect(try LinkText.conditions("reordering 25 %").down.reordering == (.percent(25), 1))
  }

  @Test(arguments: [
    ("", #""" has an empty part; the parts are \#(parts)"#), ("down 1 bit/s,", "has an empty part"),
    ("down", #"down has no value; write for example "down 780 kbit/s""#),
    ("down 780", #"down: "780" has no unit; write for example "780 kbit/s""#),
    ("up 780 kbps", #"up: "780 kbps" is not a rate; write for example "780 kbit/s""#),
    ("up 100001 Gbit/s", "is more than 100000 Gbit/s"), ("up nan kbit/s", #"up: "nan kbit/s" is not a rate"#),
    ("dwon 780 kbit/s", #""dwon 780 kbit/s" is not part of a link; did you mean down?"#),
    ("mtu 1500", #""mtu 1500" is not part of a link; the parts are \#(parts)"#),
    ("up 1 bit/s, Up 2 bit/s", "up is given twice"), ("rtt -3 ms", #"rtt: "-3 ms" is negative"#),
    ("rtt 9999 h", "is more than 8760 h"), ("rtt 99999999999999999999 ms", "too many digits"),
    ("loss 101 %", #"loss: "101 %" is more than 100 %"#), ("loss 0.01", "has no unit"),
    ("gap 3 packets", "gap: it has no effect without reordering"),
    ("reordering 1 %, gap 0 packets", "gap: 0 is not a gap"),
    ("burst 3", "burst: it has no effect without loss"), ("loss 1 %, burst 0.5", #"burst: "0.5" is not a mean number"#),
    ("loss 1 %, burst nan", "is not a mean number"), ("loss 1 %, burst inf packets", "is not a mean number"),
    (
      "loss 1 %, burst 4 ms",
      #""4 ms" is not a mean number of packets lost in a row, from 1 to 1000000; write for example "4 packets""#
    ),
    ("loss 90 %, burst 2", "bursts of 2 cannot lose 90 %"), ("loss 100 %, burst 2", "cannot lose 100 %"),
    ("jitter funny 3 ms", #"jitter: "funny" is not a distribution"#),
    ("jitter normal", #"jitter: "normal" has no spread; write for example "normal 8 ms""#),
    ("jitter uniform 8", "has no unit"), ("queue 1.5 packets", "is not a whole number"),
    ("queue 10000001 packets", "is more than 10000000 packets"), ("queue 5 ms", "is not a number of packets"),
  ])
  func `an error in a link description names the part, the value and the correction`(text: String, part: String) {
    let error = #expect(throws: UsageError.self) { try LinkText.conditions(text) }
    #expect(error?.sentence.hasPrefix("--link: ") == true)
    #expect(error?.sentence.contains(part) == true, "\(error?.sentence ?? "")")
  }
}
