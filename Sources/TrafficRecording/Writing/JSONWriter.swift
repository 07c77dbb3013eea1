/// Writes JSON piece by piece, without building a document first.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  /// Writes an object whose members the closure writes.
  mutating func object(_ members: (inout JSONWriter) -> Void) {
    group(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  /// Writes a member whose value the closure writes.
  mutating func member(_ key: String, _ value: (inout JSONWriter) -> Void) {
    separate()
    literal(key)
    bytes += ": ".utf8
    value(&self)
  }

  /// Writes a text, or nothing when there is none.
  mutating func member(_ key: String, _ text: String?) {
    guard let text else { return }
    member(key) { $0.literal(text) }
  }

  /// Writes a whole number.
  mutating func member(_ key: String, _ number: Int64) {
    member(key) { $0.bytes += String(number).utf8 }
  }

  /// Writes a truth value, or nothing when there is none.
  mutating func member(_ key: String, _ flag: Bool?) {
    guard let flag else { return }
    member(key) { $0.bytes += (flag ? "true" : "false").utf8 }
  }

  /// Writes a duration in milliseconds, to the nanosecond and exactly, so that sums add up; -1 when there is none.
  mutating func member(_ key: String, milliseconds duration: Duration?) {
    member(key) { $0.bytes += (duration.map(Self.milliseconds) ?? "-1").utf8 }
  }

  /// Writes a list of objects whose members the closure writes.
  mutating func member<Element>(
    _ key: String, _ elements: [Element], _ members: (inout JSONWriter, Element) -> Void
  ) {
    member(key) { writer in
      writer.group(UInt8(ascii: "["), UInt8(ascii: "]")) { writer in
        for element in elements {
          writer.separate()
          writer.object { members(&$0, element) }
        }
      }
    }
  }

  private mutating func group(_ open: UInt8, _ close: UInt8, _ content: (inout JSONWriter) -> Void) {
    bytes.append(open)
    isFirst = true
    content(&self)
    bytes.append(close)
    isFirst = false
  }

  private mutating func separate() {
    if !isFirst { bytes += ", ".utf8 }
    isFirst = false
  }

  private mutating func literal(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += "\\n".utf8
      case 0x0D: bytes += "\\r".utf8
      case 0x09: bytes += "\\t".utf8
      case ..<0x20: bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func milliseconds(_ duration: Duration) -> String {
    guard duration >= .zero else { return "0" }
    let (seconds, attoseconds) = duration.components
    // Milliseconds and nanoseconds of what is left; nothing overflows below a hundred million years.
    let (milliseconds, rest) = (seconds * 1_000 + attoseconds / 1_000_000_000_000_000, attoseconds / 1_000_000_000)
    let fraction = String(rest % 1_000_000 + 1_000_000).dropFirst()
    let digits = String(fraction.reversed().drop { $0 == "0" }.reversed())
    return "\(milliseconds)\(digits.isEmpty ? "" : ".\(digits)")"
  }
}
