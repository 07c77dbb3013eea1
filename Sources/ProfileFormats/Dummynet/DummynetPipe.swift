import NetworkConditions

/// Reads and writes the configuration of one dummynet pipe.
///
/// A bandwidth is a whole number with K, M or G, in bits unless `Byte` or a capital B follows. A delay is up to 10000
/// whole milliseconds. A queue holds 50 packets by default. Source: ipfw(8), dnctl(8) of macOS and FreeBSD's
/// sbin/ipfw/dummynet.c.
enum DummynetPipe {
  private static let defaultQueue = 50
  private static let greatestDelay: Int64 = 10_000
  private static let greatestBandwidth: Int64 = 2_147_483_647
  private static let packet: Int64 = 1_500

  // MARK: Reading

  static func read(_ words: ArraySlice<Word>, _ losses: inout LossList) throws(ProfileError) -> LinkConditions {
    var words = words
    var link = LinkConditions(queue: defaultQueue)
    while let word = words.popFirst() {
      func argument(_ what: String) throws(ProfileError) -> Word { try words.take(what, after: word) }
      switch word.text {
      case "bw", "bandwidth": link.rate = try rate(try argument("a bandwidth"))
      case "delay": link.delay = try delay(try argument("a delay"))
      case "plr":
        let value = try argument("a loss")
        guard let number = DecimalNumber(value.text), let share = Probability(number.double()) else {
          throw value.error("\(value.shown) is not a loss, a number from 0 to 1; write for example plr 0.01")
        }
        link.loss = .single(share == .zero ? .zero : share)
      case "queue": link.queue = try queue(try argument("a length"), &losses)
      case "noerror": losses.add("noerror", "here a sender never learns that a queue was full")
      case "buckets", "weight", "burst", "profile", "src-port", "dst-port", "type", "sched", "pls":
        let value = try argument("a value")
        losses.add("\(word.text) \(value.text.prefix(40))", "the simulator has one queue without it")
      case "red", "gred", "codel", "pie":
        losses.add(word.text, "the simulator's queue drops only at its tail")
        if word.text.hasSuffix("red") { _ = try argument("the parameters") }
      case "mask":
        losses.add("mask", "all packets share one pipe here")
        words = words.drop { !["bw", "delay", "plr", "queue", "buckets"].contains($0.text) }
      case "droptail": break
      default: throw word.error("\(word.shown) is not an option of a pipe; a pipe has bw, delay, plr and queue")
      }
    }
    if link.rate == nil { link.queue = LinkConditions.defaultQueue }
    return link
  }

  private static func rate(_ word: Word) throws(ProfileError) -> Bandwidth? {
    let digits = word.text.prefix { ("0"..."9").contains($0) }
    var unit = word.text.dropFirst(digits.count)
    guard !digits.isEmpty, unit.first != "." else {
      throw word.error(
        "\(word.shown) is not a bandwidth, a whole number such as 780Kbit/s; write 1600Kbit/s for 1.6 Mbit/s")
    }
    let prefixes: [String: UInt64] = ["k": 1_000, "m": 1_000_000, "g": 1_000_000_000]
    let factor = prefixes[unit.prefix(1).lowercased()]
    if factor != nil { unit = unit.dropFirst() }
    let isBytes = (unit.hasPrefix("B") && !"Bit/s".hasPrefix(unit.prefix(2))) || unit.hasPrefix("by") || unit == "B"
    let known = ["", "bit/s", "Bit/s", "bits/s", "Bits/s", "bit", "Bit", "b", "b/s", "bps", "Byte/s", "Bytes/s"]
    guard known.contains(String(unit)) || ["byte/s", "bytes/s", "B", "B/s", "Byte", "byte"].contains(String(unit))
    else {
      throw word.error("\(word.shown) has no bandwidth unit; write for example 780Kbit/s or 100KByte/s")
    }
    let times = (factor ?? 1) * (isBytes ? 8 : 1)
    guard let bits = DecimalNumber(String(digits))?.count(times: times, limit: greatestBandwidth) else {
      throw word.error("\(word.shown) is more than dummynet's limit, 2147483647 bit/s")
    }
    return bits == 0 ? nil : Bandwidth(bitsPerSecond: bits)
  }

  private static func delay(_ word: Word) throws(ProfileError) -> Duration {
    let digits = word.text.prefix { ("0"..."9").contains($0) }
    guard let number = Int64(digits), ["", "ms", "msec"].contains(String(word.text.dropFirst(digits.count))) else {
      throw word.error("\(word.shown) is not a delay, a whole number of milliseconds; write for example delay 100ms")
    }
    guard number <= greatestDelay else { throw word.error("\(word.shown) is more than dummynet's limit, 10000 ms") }
    return .milliseconds(number)
  }

  private static func queue(_ word: Word, _ losses: inout LossList) throws(ProfileError) -> Int {
    let digits = word.text.prefix { ("0"..."9").contains($0) }
    let unit = word.text.dropFirst(digits.count).lowercased()
    guard let number = Int64(digits), number <= 10_000_000 else {
      throw word.error("\(word.shown) is not a queue length; write for example queue 50 or queue 64KBytes")
    }
    switch unit {
    case "", "slots":
      // ipfw takes more only if a system setting allows it, dnctl never (sbin/ipfw/dummynet.c).
      if !(2...100).contains(number) {
        losses.add("queue \(word.text)", "dummynet takes from 2 to 100; FreeBSD's sysctl pipe_slot_limit allows more")
      }
      return Int(number)
    case "b", "byte", "bytes", "kb", "kbyte", "kbytes", "k":
      let bytes = unit.hasPrefix("k") ? number * 1_024 : number
      losses.add("queue \(word.text)", "here a queue is counted in packets of 1500 bytes")
      return Int(max(1, bytes / packet))
    default: throw word.error("\(word.shown) is not a queue length; write for example queue 50 or queue 64KBytes")
    }
  }

  static func write(_ link: LinkConditions, _ name: String, _ losses: inout LossList) -> String {
    var words: [String] = []
    if let rate = link.rate, rate.bitsPerSecond > greatestBandwidth {
      losses.add("\(name).rate", "\(rate.formatText) is written as dummynet's limit, 2147483647 bit/s")
    }
    words.append("bw \(link.rate.map { text(min($0.bitsPerSecond, greatestBandwidth)) } ?? "0")")
    let nanoseconds = link.delay.wholeNanoseconds
    let milliseconds = min(link.delay.wholeMilliseconds, greatestDelay)
    if milliseconds * 1_000_000 != nanoseconds {
      losses.add(
        "\(name).delay", "\(link.delay.formatText) is written as \(milliseconds) ms, in whole ones up to 10000")
    }
    words.append("delay \(milliseconds)ms")
    words.append("plr \(RoundTripText.probability(link.loss).value.shortDescription)")
    if link.rate != nil {
      let queue = min(max(link.queue, 2), 100)
      if queue != link.queue {
        losses.add("\(name).queue", "\(link.queue) packets are written as \(queue); dummynet takes from 2 to 100")
      }
      words.append("queue \(queue)")
    }
    return words.joined(separator: " ")
  }

  private static func text(_ bits: Int64) -> String {
    if bits % 1_000_000 == 0 { return "\(bits / 1_000_000)Mbit/s" }
    return bits % 1_000 == 0 ? "\(bits / 1_000)Kbit/s" : "\(bits)bit/s"
  }
}
