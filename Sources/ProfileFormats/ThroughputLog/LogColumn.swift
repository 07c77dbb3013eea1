import NetworkConditions

struct LogColumn {
  enum Kind: String {
    case time, down, up, roundTrip, loss, state
  }

  var kind: Kind
  var factor: UInt64

  /// The columns of a log without a header: seconds, kbit/s, and if there are more, a round trip in ms and a loss in %.
  static let usual = [
    LogColumn(kind: .time, factor: 1_000_000_000), LogColumn(kind: .down, factor: 1_000),
    LogColumn(kind: .roundTrip, factor: 1_000_000), LogColumn(kind: .loss, factor: 1),
  ]

  private static let words: [(Kind, Set<String>)] = [
    // The first kind that matches counts, so directions come last. `download` alone means a rate, but `download
    // latency` does not.
    (.roundTrip, ["rtt", "latency", "ping", "pingavg", "roundtrip"]),
    (.loss, ["loss", "plr"]),
    (.state, ["state"]),
    (.time, ["time", "timestamp", "t", "elapsed", "offset"]),
    (.up, ["up", "upload", "uplink", "ul", "upstream"]),
    (.down, ["down", "download", "downlink", "dl", "downstream", "throughput", "bandwidth", "rate", "bitrate", "bw"]),
  ]

  private static let times: [String: UInt64] = [
    "s": 1_000_000_000, "sec": 1_000_000_000, "secs": 1_000_000_000, "second": 1_000_000_000,
    "seconds": 1_000_000_000, "ms": 1_000_000, "msec": 1_000_000, "milliseconds": 1_000_000, "us": 1_000,
    "ns": 1, "min": 60_000_000_000, "minutes": 60_000_000_000,
  ]

  /// Units in which a capital B before the slash means bytes.
  private static let byteRates: [String: UInt64] = [
    "B/s": 8, "kB/s": 8_000, "KB/s": 8_000, "MB/s": 8_000_000, "GB/s": 8_000_000_000, "kBps": 8_000, "MBps": 8_000_000,
  ]

  private static let rates: [String: UInt64] = {
    var rates: [String: UInt64] = [:]
    for (prefix, factor) in [("", UInt64(1)), ("k", 1_000), ("m", 1_000_000), ("g", 1_000_000_000)] {
      for unit in ["bit/s", "bits/s", "bps", "bit", "bits", "b/s"] { rates[prefix + unit] = factor }
      for unit in ["byte/s", "bytes/s"] { rates[prefix + unit] = factor * 8 }
    }
    return rates
  }()
}

extension LogColumn {
  /// Reads a heading such as `Download (Mbit/s)` or `rtt_ms`; `nil` when it names no known quantity.
  init?(heading: String) {
    // A slash belongs to a unit. All other characters except letters separate words, also a percent sign.
    let parts = heading.split { !($0.isLetter || $0 == "/") }.map(String.init)
    let lower = parts.map { $0.lowercased() }
    var found: Kind?
    for (kind, names) in Self.words where found == nil && lower.contains(where: names.contains) { found = kind }
    if found == nil, lower.count == 1, ["seconds", "sec", "secs"].contains(lower[0]) { found = .time }
    if found == nil, lower.count == 1, Self.rates[lower[0]] != nil { found = .down }
    guard let kind = found else { return nil }
    let factor: UInt64
    // The unit comes last: in `Min RTT (ms)` the first word is no unit.
    switch kind {
    case .time: factor = lower.compactMap { Self.times[$0] }.last ?? 1_000_000_000
    case .roundTrip: factor = lower.compactMap { Self.times[$0] }.last ?? 1_000_000
    case .down, .up:
      let bytes = parts.compactMap { Self.byteRates[$0] }.last
      factor = bytes ?? lower.compactMap { Self.rates[$0] }.last ?? 1_000
    case .loss, .state: factor = 1
    }
    self.init(kind: kind, factor: factor)
  }
}
