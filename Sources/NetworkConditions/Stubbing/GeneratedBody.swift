public import Foundation

/// A deterministic body of any length, with only one block in memory.
///
/// The bytes look random and the block's length is a prime, so that a lost, doubled or misplaced piece is noticed.
public enum GeneratedBody {
  static let period = 1_048_573

  private static let block: Data = {
    var data = Data(count: (period + 7) / 8 * 8)
    data.withUnsafeMutableBytes { bytes in
      let words = bytes.bindMemory(to: UInt64.self)
      var state: UInt64 = 0x9E37_79B9_7F4A_7C15
      // A loop that is fast in debug builds, too.
      var place = 0
      while place < words.count {
        // xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
        state ^= state &<< 13
        state ^= state &>> 7
        state ^= state &<< 17
        words[place] = state.littleEndian
        place &+= 1
      }
    }
    return data.prefix(period)
  }()

  /// The bytes in a range of the body, for comparison in a test.
  public static func bytes(in range: Range<Int64>) -> Data {
    var result = Data(capacity: Int(range.upperBound - range.lowerBound))
    forEachSlice(in: range) { result.append($0) }
    return result
  }

  /// Calls `body` with slices of a range, in order; the slices share memory.
  static func forEachSlice(in range: Range<Int64>, _ body: (Data) -> Void) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let start = Int(offset % Int64(period))
      let length = Int(min(Int64(period - start), range.upperBound - offset))
      body(block[start..<start + length])
      offset += Int64(length)
    }
  }
}
