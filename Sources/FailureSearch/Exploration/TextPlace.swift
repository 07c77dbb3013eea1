/// The kind of place at which a text is cut, or at which a byte is flipped.
///
/// A client reads by tokens or by blocks. It may tell a cut in the middle of a word from one at the end of a line.
/// Places in binary data differ by the kinds of bytes.
struct TextPlace: Hashable, Sendable {
  /// The token class of a byte, such as a digit or a space, for clients that parse text.
  enum Mark: UInt8 {
    case edge, control, line, space, digit, letter, quote, opening, closing, colon, comma, other, lead, continuation

    init(_ byte: UInt8) {
      switch byte {
      case 0x0A, 0x0D: self = .line
      case 0x20, 0x09: self = .space
      case 0x30...0x39: self = .digit
      case 0x41...0x5A, 0x61...0x7A: self = .letter
      case 0x22, 0x27: self = .quote
      case 0x28, 0x5B, 0x7B, 0x3C: self = .opening
      case 0x29, 0x5D, 0x7D, 0x3E: self = .closing
      case 0x3A, 0x3D: self = .colon
      case 0x2C, 0x3B, 0x26: self = .comma
      case 0x00...0x1F, 0x7F: self = .control
      case 0x80...0xBF: self = .continuation
      case 0xC0...0xFF: self = .lead
      default: self = .other
      }
    }

    /// Classifies a byte of binary data: zero, which is common in the lengths of frames, or another value.
    private init(binary byte: UInt8) { self = byte == 0 ? .control : .other }

    /// Classifies each byte: as text if all are valid UTF-8 without a zero byte, otherwise as binary data.
    static func of(_ bytes: [UInt8]) -> [Mark] {
      let isText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
      return bytes.map { isText ? Mark($0) : Mark(binary: $0) }
    }

    /// Whether this byte begins a key, a value, an item or a line, and so decides the meaning of the next bytes.
    var isStructural: Bool {
      switch self {
      case .opening, .colon, .comma, .line: true
      default: false
      }
    }
  }

  private let bits: UInt16

  private init(_ before: Mark, _ after: Mark, in structure: Mark) {
    bits = UInt16(before.rawValue) << 8 | UInt16(after.rawValue) << 4 | UInt16(structure.rawValue)
  }

  /// The end of a block whose size is a power of two from 1 KiB; `nil` for any other place.
  init?(endOfBlocksAt place: Int) {
    guard place > 0, place % Self.smallestBlock == 0 else { return nil }
    bits = 1 << 12 | UInt16(min(place.trailingZeroBitCount, Self.largestBlock.trailingZeroBitCount))
  }

  /// The block sizes that programs usually read.
  private static let smallestBlock = 1 << 10
  private static let largestBlock = 1 << 16

  /// The common place of effects for which the place makes no difference.
  static let any = TextPlace(.edge, .edge, in: .edge)

  /// The place of a cut before each byte and of one at the end.
  static func cuts(_ bytes: [UInt8]) -> [TextPlace] {
    var places: [TextPlace] = []
    places.reserveCapacity(bytes.count + 1)
    var (before, structure) = (Mark.edge, Mark.edge)
    for mark in Mark.of(bytes) {
      places.append(TextPlace(before, mark, in: structure))
      if mark.isStructural { structure = mark }
      before = mark
    }
    places.append(TextPlace(before, .edge, in: structure))
    return places
  }

  static func flips(_ bytes: [UInt8]) -> [TextPlace] {
    var structure = Mark.edge
    return Mark.of(bytes).map { mark in
      defer { if mark.isStructural { structure = mark } }
      return TextPlace(.edge, mark, in: structure)
    }
  }
}
