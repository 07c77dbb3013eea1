/// A 64-bit hash (FNV-1a) of a run's events, equal on every platform; it does not resist manipulation.
public struct TraceHash: Hashable, Sendable, CustomStringConvertible {
  /// The hash value.
  public private(set) var bits: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  init(of text: String) {
    add(text)
  }

  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0)
  }

  private mutating func add(_ byte: UInt8) {
    bits = (bits ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  /// The hash as sixteen hexadecimal digits.
  public var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Timeline {
  /// A hash of the whole timeline: the seed, the profile, every event and every transfer's outcome.
  public var traceHash: TraceHash {
    var hash = TraceHash()
    hash.add("\(seed) \(profile) \(droppedEvents)")
    for event in events { hash.add(event.description) }
    for transfer in transfers { hash.add(transfer.summary) }
    return hash
  }
}
