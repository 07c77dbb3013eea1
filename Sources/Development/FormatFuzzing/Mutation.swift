import LinkSimulator

/// Damages documents in realistic ways, by keyed randomness: each number gives one mutation.
public enum Mutation {
  private static let tokens = [
    "{", "}", "[", "]", "\"", "'", ",", ";", ":", "=", "-", "%", "$", "${", "\\", "\n", "\r\n", "\u{0}", "é",
    "\u{FEFF}",
    "null", "true", "1e999", "-1e999", "1e-999", "99999999999999999999", "-0", "0.0000000000000000000001",
    "9223372036854775807", "18446744073709551616", "<dict>", "</dict>", "<key>", "&#x110000;", "&amp;", "#", "netem",
    "tc", " ", "\t", "nan", "inf", "0x10",
  ]

  /// One mutation of a document.
  ///
  /// - Parameters:
  ///   - documents: valid documents, not empty; one is mutated, and another may lend a piece.
  ///   - number: selects the mutation.
  ///   - seed: the seed of all mutations.
  ///   - changes: the largest number of successive changes; fewer leave more documents valid.
  public static func of(_ documents: [[UInt8]], number: Int, seed: UInt64, atMost changes: UInt64 = 4) -> [UInt8] {
    let random = KeyedRandom(seed: seed).keyed(by: UInt64(number))
    var bytes = documents[Int(random.keyed(by: 0).bits % UInt64(documents.count))]
    let steps = 1 + random.keyed(by: 1).bits % changes
    for step in 0..<steps {
      if bytes.isEmpty { break }
      mutate(&bytes, random.keyed(by: 2 + step), documents)
    }
    return bytes
  }

  private static func mutate(_ bytes: inout [UInt8], _ draw: KeyedRandom, _ documents: [[UInt8]]) {
    func pick(_ part: UInt64, below limit: Int) -> Int { Int(draw.keyed(by: part).bits % UInt64(max(1, limit))) }
    let place = pick(0, below: bytes.count)
    let length = min(1 + pick(1, below: 24), bytes.count - place)
    switch draw.bits % 10 {
    case 0: bytes[place] = UInt8(truncatingIfNeeded: draw.keyed(by: 2).bits)
    case 1: bytes[place] ^= 1 << UInt8(pick(2, below: 8))
    case 2: bytes.removeSubrange(place..<(place + length))
    case 3: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
    case 4: bytes.insert(contentsOf: tokens[pick(2, below: tokens.count)].utf8, at: place)
    case 5: bytes.removeSubrange(place...)
    case 6:
      // Lengthens a number.
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      let digit = bytes[place...].firstIndex(where: digits.contains) ?? place
      let more = [UInt8](repeating: UInt8(ascii: "9"), count: 1 + pick(2, below: 40))
      bytes.insert(contentsOf: more, at: digit)
    case 7:
      // Repeats a piece.
      let piece = Array(bytes[place..<(place + length)])
      for _ in 0..<pick(2, below: 64) { bytes.insert(contentsOf: piece, at: place) }
    case 8:
      // Inserts a piece of another document.
      let other = documents[pick(2, below: documents.count)]
      let start = pick(3, below: other.count)
      bytes.insert(contentsOf: other[start..<min(other.count, start + length)], at: place)
    default:
      // Swaps two bytes.
      let other = pick(2, below: bytes.count)
      bytes.swapAt(place, other)
    }
  }
}
