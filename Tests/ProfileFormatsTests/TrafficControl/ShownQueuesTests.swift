import NetworkConditions
import Testing

@testable import ProfileFormats

struct ShownQueuesTests {
  private static func words(_ text: String) -> [Word] {
    text.split(separator: " ").map { Word(text: String($0), place: Place(file: "tc.txt")) }
  }

  @Test(
    arguments: [
      (
        "qdisc netem 1: dev eth0 root refcnt 2 limit 1000 delay 5ms",
        ["netem", "eth0", "limit", "1000", "delay", "5ms"]
      ),
      (
        "qdisc netem 1: root loss gemodel p 1% r 10% 1-h 70% 1-k 0.1%",
        ["netem", "shown", "loss", "gemodel", "1%", "10%", "70%", "0.1%"]
      ),
      (
        "qdisc tbf 2: dev lo parent 1:1 rate 1Mbit burst 1600b lat 50ms",
        ["tbf", "lo", "rate", "1Mbit", "burst", "1600b", "latency", "50ms"]
      ),
      ("qdisc netem 1:", ["netem", "shown"]), ("qdisc netem", nil), ("class netem 1: root", nil),
      ("qdisc netem 1: dev", nil),
    ] as [(String, [String]?)])
  func `a line of tc qdisc show becomes the words of a command`(line: String, words: [String]?) {
    let command = ShownQueues.command(Self.words(line))
    #expect(command.map { [$0.kind.text, $0.device.text] + $0.options.map(\.text) } == words)
  }

  @Test(
    arguments: [
      ("rate 1mbit limit 15000", 10, "limit 15000", nil), ("rate 1mbit limit 1", 1, "limit 1", nil),
      // 1 Mbit/s for 120 ms are 15,000 bytes.
      ("rate 1mbit latency 120ms", 10, "latency 120ms", nil),
      ("rate 1mbit burst 3000 latency 120ms", 12, "latency 120ms", nil),
      ("rate 1mbit burst 3001/8", nil, nil, "3001"),
      ("rate 1mbit burst 1600 limit 3000 latency 1s", 2, "limit 3000", nil),
    ] as [(String, Int?, String?, String?)])
  func `a token bucket's queue comes from its limit, or from its rate, latency and burst`(
    text: String, queue: Int?, limit: String?, burst: String?
  ) throws {
    let bucket = try TokenBucket.parse(Self.words(text)[...], after: Word(text: "tbf", place: Place(file: "")))
    #expect(bucket.queue == queue && bucket.limit == limit && bucket.burst == burst && !bucket.hasPeak)
  }

  @Test func `a token bucket needs a rate, and may have a peak rate`() throws {
    func bucket(_ text: String) throws -> TokenBucket {
      try TokenBucket.parse(Self.words(text)[...], after: Word(text: "tbf", place: Place(file: "")))
    }
    #expect(try bucket("rate 1mbit peakrate 2mbit mtu 1500").hasPeak)
    for text in ["limit 1", "rate 0", "rate 1mbit foo 1", "rate"] {
      #expect(throws: ProfileError.self) { try bucket(text) }
    }
  }
}
