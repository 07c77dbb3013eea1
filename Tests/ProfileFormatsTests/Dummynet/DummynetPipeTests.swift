import LinkSimulator
import NetworkConditions
import Testing

@testable import ProfileFormats

struct DummynetPipeTests {
  private static func read(_ text: String) throws -> LinkConditions {
    var losses = LossList()
    let words = text.split(separator: " ").map { Word(text: String($0), place: Place(file: "p.sh")) }
    return try DummynetPipe.read(words[...], &losses)
  }

  @Test(
    arguments: [
      ("9", 9), ("780Kbit/s", 780_000), ("1Mbit/s", 1_000_000), ("2Gbit/s", 2_000_000_000), ("5bits/s", 5), ("5b", 5),
      ("5Kb", 5_000), ("5kbps", 5_000), ("5Bit/s", 5), ("5B", 40), ("5B/s", 40), ("5byte", 40), ("100KByte/s", 800_000),
      ("2147483647bit/s", 2_147_483_647), ("0", nil),
    ] as [(String, Int64?)])
  func `a pipe's bandwidth is in bits unless Byte or a capital B follows`(text: String, bits: Int64?) throws {
    #expect(try Self.read("bw \(text)").rate?.bitsPerSecond == bits)
  }

  @Test(arguments: [("delay 0", 0), ("delay 5msec", 5), ("delay 10000ms", 10_000)])
  func `a pipe's delay is in milliseconds`(text: String, milliseconds: Int64) throws {
    #expect(try Self.read(text).delay == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    ("50", 50), ("7slots", 7), ("3000b", 2), ("1499b", 1), ("64KBytes", 43), ("3k", 2), ("10000000", 10_000_000),
  ])
  func `a pipe's queue is in packets or in bytes`(text: String, packets: Int) throws {
    #expect(try Self.read("bw 1Mbit/s queue \(text)").queue == packets)
  }

  @Test(arguments: [
    ("queue 2", []), ("queue 100", []), ("queue 101", ["queue 101"]), ("queue 1", ["queue 1"]),
    ("red 0.002/3/10/0.1 queue 5", ["red"]), ("codel queue 5", ["codel"]),
  ])
  func `what a pipe's queue cannot have here is listed as a loss`(text: String, lost: [String]) throws {
    var losses = LossList()
    let words = text.split(separator: " ").map { Word(text: String($0), place: Place(file: "p.sh")) }
    _ = try DummynetPipe.read(words[...], &losses)
    #expect(losses.losses.map(\.subject) == lost)
  }

  @Test(arguments: [
    "bw 2147483648bit/s", "bw 1.6Mbit/s", "bw Kbit/s", "bw 5Mfoo", "delay 10001", "delay 5s", "delay -1", "delay",
    "queue 10000001", "queue 5x", "queue", "plr 1.1", "plr -0.1", "plr x",
  ])
  func `a pipe that dummynet would refuse is an error`(text: String) {
    #expect(throws: ProfileError.self) { try Self.read(text) }
  }

  @Test(
    arguments: [
      (1_500_000, 0, 50, "bw 1500Kbit/s delay 0ms plr 0 queue 50", []),
      (2_000_000, 10_499_999, 100, "bw 2Mbit/s delay 10ms plr 0 queue 100", ["x.delay"]),
      (1_234, 10_500_000, 101, "bw 1234bit/s delay 11ms plr 0 queue 100", ["x.delay", "x.queue"]),
      (2_147_483_648, 10_000_000_000, 2, "bw 2147483647bit/s delay 10000ms plr 0 queue 2", ["x.rate"]),
      (1_000, 10_001_000_000, 1, "bw 1Kbit/s delay 10000ms plr 0 queue 2", ["x.delay", "x.queue"]),
    ] as [(Int64, Int64, Int, String, [String])])
  func `a pipe is written with the nearest values that dummynet accepts`(
    bits: Int64, nanoseconds: Int64, queue: Int, text: String, lost: [String]
  ) {
    var losses = LossList()
    let link = LinkConditions(rate: Bandwidth(bitsPerSecond: bits), delay: .nanoseconds(nanoseconds), queue: queue)
    #expect(DummynetPipe.write(link, "x", &losses) == text)
    #expect(losses.losses.map(\.subject) == lost)
  }
}
