/// Unpacks gzip data (RFC 1952, with DEFLATE, RFC 1951).
///
/// The output is in memory, bounded by a limit. Malformed input throws an error and never traps.
package struct Inflater {
  private let input: [UInt8]
  private let limit: Int
  /// The position of the next input byte to load; past the end, zeros are loaded.
  private var position = 0
  /// The loaded bits that are not consumed yet, the next one lowest.
  private var bits: UInt64 = 0
  private var bitCount = 0
  private var output: [UInt8] = []
  /// The start of the current member's output; a file may have several members.
  private var memberStart = 0

  /// Unpacks a whole gzip file; throws above `limit`, by default any plausible size: DEFLATE can expand a thousandfold.
  package static func unpack(_ input: [UInt8], limit: Int? = nil) throws(InflaterError) -> [UInt8] {
    var inflater = Inflater(input: input, limit: limit ?? plausibleSize(of: input.count))
    repeat { try inflater.member() } while inflater.position < input.count && input[inflater.position] == 0x1F
    // Tape blocks are padded with zeros.
    guard input[inflater.position...].allSatisfy({ $0 == 0 }) else { throw .damaged("something follows its end") }
    return inflater.output
  }

  /// The largest plausible output: text compresses to a fifth or a tenth, and small files may repeat themselves.
  static func plausibleSize(of packed: Int) -> Int { max(64 << 20, 16 * packed) }

  private init(input: [UInt8], limit: Int) {
    self.input = input
    self.limit = limit
  }

  private mutating func member() throws(InflaterError) {
    guard try take(16) == 0x8B1F, try take(8) == 8 else { throw .damaged("it is not gzip") }
    let flags = try take(8)
    guard flags & 0xE0 == 0 else { throw .damaged("its header has unknown flags") }
    // Skip date and origin; then the optional fields: extra data, file name, comment, and header checksum.
    try skip(6)
    if flags & 4 != 0 { try skip(take(16)) }
    for flag in [8, 16] where flags & flag != 0 { while try take(8) != 0 {} }
    if flags & 2 != 0 { try skip(2) }
    memberStart = output.count
    while try !block() {}
    align()
    guard try number() == CRC32.of(output[memberStart...]) else {
      throw .damaged("its check value is another than its contents have")
    }
    guard try number() == UInt32(truncatingIfNeeded: output.count - memberStart) else {
      throw .damaged("it says another length than its contents have")
    }
  }

  // MARK: Bits

  /// A number of 32 bits, which may not fit into an `Int`.
  private mutating func number() throws(InflaterError) -> UInt32 {
    let low = UInt32(try take(16))
    return UInt32(try take(16)) << 16 | low
  }

  /// The next bits without consuming them; at most 16.
  private mutating func peek(_ count: Int) -> Int {
    while bitCount < count {
      if position < input.count { bits |= UInt64(input[position]) << UInt64(bitCount) }
      position += 1
      bitCount += 8
    }
    return Int(bits & (1 << UInt64(count) - 1))
  }

  private mutating func take(_ count: Int) throws(InflaterError) -> Int {
    let value = peek(count)
    bits >>= UInt64(count)
    bitCount -= count
    guard position - bitCount / 8 <= input.count else { throw .damaged("it is cut off") }
    return value
  }

  private mutating func skip(_ byteCount: Int) throws(InflaterError) {
    for _ in 0..<byteCount { _ = try take(8) }
  }

  /// Skips to the next byte boundary, and returns loaded whole bytes to the input.
  private mutating func align() {
    position -= bitCount / 8
    (bits, bitCount) = (0, 0)
  }

  private mutating func take(_ code: HuffmanCode) throws(InflaterError) -> Int {
    let (symbol, length) = code[peek(code.longest)]
    guard length > 0 else { throw .damaged("a code in it means nothing") }
    _ = try take(length)
    return symbol
  }

  // MARK: Blocks

  /// Unpacks a block; returns whether it is the last one.
  private mutating func block() throws(InflaterError) -> Bool {
    let isLast = try take(1) == 1
    switch try take(2) {
    case 0: try stored()
    case 1: try packed(HuffmanCode.fixed.literals, HuffmanCode.fixed.distances)
    case 2:
      let codes = try codes()
      try packed(codes.literals, codes.distances)
    default: throw .damaged("a block in it is of no known kind")
    }
    return isLast
  }

  private mutating func stored() throws(InflaterError) {
    align()
    let (count, check) = (try take(16), try take(16))
    guard count == check ^ 0xFFFF else { throw .damaged("a block in it says two lengths") }
    align()
    guard count <= input.count - position else { throw .damaged("it is cut off") }
    try makeRoom(count)
    output += input[position..<position + count]
    position += count
  }

  /// Reads the codes of a block with dynamic codes (RFC 1951, 3.2.7).
  private mutating func codes() throws(InflaterError) -> (literals: HuffmanCode, distances: HuffmanCode) {
    let (literalCount, distanceCount, lengthCount) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
    var own = [UInt8](repeating: 0, count: 19)
    for index in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(lengthCount) {
      own[index] = UInt8(try take(3))
    }
    let code = HuffmanCode(own[...])
    var lengths: [UInt8] = []
    while lengths.count < literalCount + distanceCount {
      switch try take(code) {
      case 16:
        guard let last = lengths.last else { throw .damaged("a block in it repeats a code before the first") }
        lengths += repeatElement(last, count: try take(2) + 3)
      case 17: lengths += repeatElement(0, count: try take(3) + 3)
      case 18: lengths += repeatElement(0, count: try take(7) + 11)
      case let length: lengths.append(UInt8(length))
      }
    }
    guard lengths.count == literalCount + distanceCount else {
      throw .damaged("a block in it has more codes than it says")
    }
    return (HuffmanCode(lengths[..<literalCount]), HuffmanCode(lengths[literalCount...]))
  }

  private mutating func packed(_ literals: HuffmanCode, _ distances: HuffmanCode) throws(InflaterError) {
    while true {
      let symbol = try take(literals)
      if symbol == 256 { return }
      if symbol < 256 {
        try makeRoom(1)
        output.append(UInt8(symbol))
        continue
      }
      let length = try number(symbol - 257, of: HuffmanCode.lengths)
      let distance = try number(take(distances), of: HuffmanCode.distances)
      guard distance <= output.count - memberStart else { throw .damaged("it copies what is not there") }
      try makeRoom(length)
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  private mutating func number(
    _ symbol: Int, of numbers: [(base: Int, extraBits: Int)]
  ) throws(InflaterError) -> Int {
    guard symbol < numbers.count else { throw .damaged("a code in it means nothing") }
    return numbers[symbol].base + (try take(numbers[symbol].extraBits))
  }

  private func makeRoom(_ count: Int) throws(InflaterError) {
    guard output.count + count <= limit else { throw .tooLarge(limit) }
  }
}

package enum InflaterError: Error, Hashable, CustomStringConvertible {
  case damaged(String)
  /// The output would exceed this many bytes.
  case tooLarge(Int)

  package var description: String {
    switch self {
    case .damaged(let reason): reason
    case .tooLarge(let limit):
      "more than \(limit) bytes come of it, the most that is taken; if you trust it, unpack it with gunzip"
    }
  }
}

/// The checksum of gzip (RFC 1952, 8), with the polynomial 0xEDB88320.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : (value >> 1) ^ 0xEDB8_8320 }
    return value
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var value = UInt32.max
    for byte in bytes { value = (value >> 8) ^ table[Int((value ^ UInt32(byte)) & 255)] }
    return ~value
  }
}
