/// A Huffman code of DEFLATE, which decodes the next symbol of a bit stream (RFC 1951, 3.2.2).
///
/// Invalid code lengths produce an incomplete or wrong code; the unpacked data's checksum detects this.
struct HuffmanCode {
  /// The length of the longest code in bits.
  let longest: Int
  /// For each value of the next `longest` bits: the symbol, and in the lowest four bits the length of its code.
  private var entries: [UInt16]

  /// - Parameter lengths: the length of each symbol's code; 0 for a symbol without one.
  init(_ lengths: ArraySlice<UInt8>) {
    longest = Int(lengths.max() ?? 0)
    entries = Array(repeating: 0, count: 1 << longest)
    var code = 0
    for length in 1...15 {
      code <<= 1
      for (symbol, own) in lengths.enumerated() where own == length {
        // Codes are stored from their highest bit on, all other numbers from their lowest.
        var begin = 0
        for bit in 0..<length { begin = begin << 1 | (code >> bit) & 1 }
        for index in stride(from: begin, to: entries.count, by: 1 << length) {
          entries[index] = UInt16(symbol << 4 | length)
        }
        code += 1
      }
    }
  }

  subscript(bits: Int) -> (symbol: Int, length: Int) { (Int(entries[bits] >> 4), Int(entries[bits] & 15)) }

  /// The codes of a block with fixed codes (RFC 1951, 3.2.6).
  static let fixed = (
    literals: HuffmanCode(
      (Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
        + Array(repeating: 8, count: 8))[...]),
    distances: HuffmanCode(Array(repeating: 5, count: 30)[...])
  )

  /// The copy lengths of the symbols from 257 on (RFC 1951, 3.2.5); `distances` are the copy distances.
  static let lengths = numbers(28, from: 3, perSize: 4) + [(258, 0)]
  static let distances = numbers(30, from: 1, perSize: 2)

  private static func numbers(_ count: Int, from first: Int, perSize: Int) -> [(base: Int, extraBits: Int)] {
    var base = first
    return (0..<count).map { index in
      let extraBits = max(0, index / perSize - 1)
      defer { base += 1 << extraBits }
      return (base, extraBits)
    }
  }
}
