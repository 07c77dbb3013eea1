/// A code of DEFLATE: which symbol the next bits of a stream begin with (RFC 1951, 3.2.2).
///
/// Lengths that make no code give one that means too little or something else; the check value of what is unpacked shows it.
struct HuffmanCode {
  /// How many bits its longest code has.
  let longest: Int
  /// For each run of so many bits the symbol, and in the lowest four bits how many of them are its code.
  private var entries: [UInt16]

  /// - Parameter lengths: how long each symbol's code is; 0 is that it has none.
  init(_ lengths: ArraySlice<UInt8>) {
    longest = Int(lengths.max() ?? 0)
    entries = Array(repeating: 0, count: 1 << longest)
    var code = 0
    for length in 1...15 {
      code <<= 1
      for (symbol, own) in lengths.enumerated() where own == length {
        // Codes begin with their highest bit, and everything else with its lowest.
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

  /// The codes of a block with fixed codes (3.2.6).
  static let fixed = (
    literals: HuffmanCode(
      (Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
        + Array(repeating: 8, count: 8))[...]),
    distances: HuffmanCode(Array(repeating: 5, count: 30)[...])
  )

  /// The lengths of copies for the symbols from 257 on (3.2.5); below, their distances.
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
