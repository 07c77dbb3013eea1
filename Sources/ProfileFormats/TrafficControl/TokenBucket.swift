import NetworkConditions

/// The parameters of a token bucket filter, tc-tbf(8), that matter for a link.
struct TokenBucket {
  var rate: Bandwidth
  /// How many packets of 1500 bytes may wait, computed from `limit` or `latency`.
  var queue: Int?
  /// The option that limits the queue, as it is written.
  var limit: String?
  /// The burst as it is written; `nil` for a packet or two, which every tool needs.
  var burst: String?
  var hasPeak = false

  private static let packet: Int64 = 1_500

  static func parse(_ words: ArraySlice<Word>, after kind: Word) throws(ProfileError) -> TokenBucket {
    var words = words
    var rate: Bandwidth?
    var burst: (bytes: Int64, text: String)?
    var limit: (bytes: Int64, text: String)?
    var latency: (time: Int64, text: String)?
    var hasPeak = false
    while let word = words.popFirst() {
      func argument() throws(ProfileError) -> Word { try words.take("a value", after: word) }
      switch word.text {
      case "rate": rate = try NetemUnits.rate(try argument())
      case "burst", "buffer", "maxburst":
        var value = try argument()
        value.text = String(value.text.prefix { $0 != "/" })
        burst = (try NetemUnits.size(value, "the burst"), value.text)
      case "limit":
        let value = try argument()
        limit = (try NetemUnits.size(value, "the limit"), value.text)
      case "latency":
        let value = try argument()
        latency = (try NetemUnits.time(value, "the latency"), value.text)
      case "peakrate":
        _ = try NetemUnits.rate(try argument())
        hasPeak = true
      case "mtu", "minburst", "mpu", "overhead", "linklayer": _ = try argument()
      default:
        throw word.error("\(word.shown) is not an option of tbf; it has rate, burst, limit, latency and peakrate")
      }
    }
    guard let rate, rate > .zero else { throw kind.error("tbf needs a rate; write for example tbf rate 1mbit") }
    var bytes = limit?.bytes
    if bytes == nil, let latency {
      // In tc-tbf(8) latency is how long a packet may wait: limit = rate x latency + burst.
      let product = Int128(rate.bitsPerSecond) * Int128(latency.time) / 8_000_000_000 + Int128(burst?.bytes ?? 0)
      bytes = Int64(min(product, Int128(Int64.max)))
    }
    let queue = bytes.map { Int(min(max($0 / packet, 1), 10_000_000)) }
    let large = burst.flatMap { $0.bytes > 2 * packet ? $0.text : nil }
    let text = limit.map { "limit \($0.text)" } ?? latency.map { "latency \($0.text)" }
    return TokenBucket(rate: rate, queue: queue, limit: text, burst: large, hasPeak: hasPeak)
  }
}
