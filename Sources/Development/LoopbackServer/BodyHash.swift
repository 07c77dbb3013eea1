package import Foundation

/// A 64-bit body hash, independent of how the body is split: FNV-1a over words of eight bytes.
package struct BodyHash: Hashable, Sendable, CustomStringConvertible {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325
  private var word: UInt64 = 0
  private var filled: UInt64 = 0
  private(set) package var count: Int64 = 0

  package init() {}

  /// The hash of one piece.
  package init(_ data: Data) {
    data.withUnsafeBytes { add($0) }
  }

  /// Adds the next bytes.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    count += Int64(bytes.count)
    var offset = 0
    while filled != 0, offset < bytes.count {
      add(bytes[offset])
      offset += 1
    }
    while offset + 8 <= bytes.count {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    while offset < bytes.count {
      add(bytes[offset])
      offset += 1
    }
  }

  private mutating func add(_ byte: UInt8) {
    word |= UInt64(byte) << (filled * 8)
    filled += 1
    if filled == 8 {
      mix(word)
      word = 0
      filled = 0
    }
  }

  private mutating func mix(_ value: UInt64) {
    state = (state ^ value) &* 0x0000_0100_0000_01B3
    state ^= state >> 32
  }

  /// The hash of all added bytes, in sixteen hexadecimal digits.
  package var description: String {
    var copy = self
    copy.mix(word)
    copy.mix(UInt64(bitPattern: count))
    let digits = String(copy.state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
