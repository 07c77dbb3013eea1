import Foundation
import Testing

@testable import Internals

struct InflaterTests {
  /// Output of the `gzip` command: a text in each kind of block, an empty file, and a file with a stored name.
  enum Sample: String, CaseIterable {
    case dynamic =
      """
      H4sIAAAAAAACA43Uuw0CQRAEUZ8oJgSmm284a8zpTloB4sYgfEQElF/WU6vn9qg4xnOJEV2fjl5Hx7teNXqPrfeay2H+oiSRSGQSnUh0JtGFRFcS\
      3Uh0R5iMHJknQk+knog9kXsi+ETyiegT2QvZi+0d2QvZC9kL2QvZC9kL2QvZG9kb2ZudDbI3sjeyN7I3sjey9z/7Lyp+EHjmBQAA
      """
    /// Codes of up to 12 bits: each letter is as frequent as the two before it together.
    case skewed =
      """
      H4sIAAAAAAAAAwXBQYIkSXIEsbdypyvDTQX/PxP4v//977///vv379+/f39/f39/f39/v9/v9/v9fr/f7/f7vu/7vu/7vu/7vu/7vu/73nvvvffee++9\
      995777333nvvvffeu7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u23btm3btm3btm3btm3btm3btm3btm3btm3btm3btm3btlVVVVVVVVVVVVVVVVVV\
      VVVVVVVVVVVVVVVVVVVVVVVVVVVVVQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+H+0butlYAIAAA==
      """
    /// Codes of 1 to 15 bits, which is the longest that there is.
    case longest = "H4sIAAAAAAAAAwXg0ZIkSZIky34rEouaR1bPnvv/bxe0e9/v799///u///f//f/+/99nkVEPAAAA"
    case fixed = "H4sIAAAAAAACAytITM5OTVEoGKVGqaFGAQByPL+CvAIAAA=="
    case stored =
      """
      H4sIAAAAAAACAwFAAL//tB3EAVP9FPkZMJ8/2fLUvNQSXzksC4iq04Xx4BVe6Ivj4RYec5h2EIHWbOZvOwswQFe1083O/ydV8Rg75j6hSxwldMhAAAAA
      """
    case empty = "H4sIAAAAAAACAwMAAAAAAAAAAAA="
    case named = "H4sICADhC14CA25hbWVkACtITM5OTVEoGKVGqaFGAQByPL+CvAIAAA=="

    var packed: [UInt8] { [UInt8](Data(base64Encoded: rawValue) ?? Data()) }
    var unpacked: [UInt8] {
      switch self {
      case .dynamic: [UInt8]((0..<40).map { "line \($0) of a text that repeats itself\n" }.joined().utf8)
      case .skewed:
        zip(UInt8(ascii: "a")..., [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233]).flatMap {
          Array(repeating: $0, count: $1)
        }
      case .longest: Array("abcdefghijklmno".utf8)
      case .fixed, .named: [UInt8](String(repeating: "packed ", count: 100).utf8)
      // Random bytes cannot be compressed, so the file stores them unchanged.
      case .stored: Array(packed[15..<79])
      case .empty: []
      }
    }
  }

  @Test(arguments: Sample.allCases)
  func `gzip data is unpacked to the original bytes`(sample: Sample) throws {
    #expect(try Inflater.unpack(sample.packed) == sample.unpacked)
  }

  @Test func `several gzip members are unpacked as one file, and only zeros may follow`() throws {
    let all = Sample.allCases.flatMap(\.packed)
    #expect(try Inflater.unpack(all + [0, 0]) == Sample.allCases.flatMap(\.unpacked))
    #expect(throws: InflaterError.damaged("something follows its end")) { try Inflater.unpack(all + [7]) }
    // A copy reaches no further back than the beginning of its member.
    let early: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x03, 0x02, 0, 0]
    #expect(throws: InflaterError.damaged("it copies what is not there")) { try Inflater.unpack(all + early) }
  }

  @Test func `optional fields in a gzip header are skipped, and unknown flags are refused`() throws {
    let fields: [UInt8] = [3, 0, 1, 2, 3] + Array("name".utf8) + [0] + Array("comment".utf8) + [0, 9, 9]
    let header: [UInt8] = [0x1F, 0x8B, 8, 0x1E, 0, 0, 0, 0, 0, 3] + fields
    #expect(try Inflater.unpack(header + Sample.stored.packed.dropFirst(10)) == Sample.stored.unpacked)
    for (flag, field) in [1: [], 2: [9, 9], 4: [1, 0, 7], 8: [7, 0], 16: [7, 0]] as [UInt8: [UInt8]] {
      let header: [UInt8] = [0x1F, 0x8B, 8, flag, 0, 0, 0, 0, 0, 3] + field
      #expect(try Inflater.unpack(header + Sample.stored.packed.dropFirst(10)) == Sample.stored.unpacked, "\(flag)")
    }
    #expect(throws: InflaterError.damaged("its header has unknown flags")) {
      try Inflater.unpack([0x1F, 0x8B, 8, 0x20] + [UInt8](repeating: 0, count: 20))
    }
  }

  @Test func `a block with more codes than its header announces is refused`() {
    // The header announces 258 code lengths; the block repeats a zero 2 x 138 times.
    let block: [UInt8] = [0x05, 0x00, 0x80, 0xE4, 0xFF, 0x1F]
    #expect(throws: InflaterError.damaged("a block in it has more codes than it says")) {
      try Inflater.unpack(Sample.empty.packed.prefix(10) + block + [UInt8](repeating: 0, count: 20))
    }
  }

  @Test(arguments: Sample.allCases)
  func `a gzip file truncated at any byte is refused as cut off`(sample: Sample) {
    for end in 0..<sample.packed.count {
      #expect(throws: InflaterError.damaged("it is cut off")) { try Inflater.unpack(Array(sample.packed[..<end])) }
    }
  }

  @Test(arguments: Sample.allCases)
  func `a damaged gzip file is refused or gives the original bytes`(sample: Sample) {
    for position in sample.packed.indices {
      for bit in [0, 4, 7] {
        var damaged = sample.packed
        damaged[position] ^= 1 << bit
        // Dates, names and systems in the header make no difference.
        guard let result = try? Inflater.unpack(damaged, limit: 10_000) else { continue }
        #expect(result == sample.unpacked)
      }
    }
    var (check, length) = (sample.packed, sample.packed)
    check[check.count - 5] ^= 1
    length[length.count - 1] ^= 1
    #expect(throws: InflaterError.damaged("its check value is another than its contents have")) {
      try Inflater.unpack(check)
    }
    #expect(throws: InflaterError.damaged("it says another length than its contents have")) {
      try Inflater.unpack(length)
    }
  }

  @Test(arguments: Sample.allCases)
  func `gzip data that unpacks to more bytes than the limit is refused`(sample: Sample) throws {
    let count = sample.unpacked.count
    #expect(try Inflater.unpack(sample.packed, limit: count) == sample.unpacked)
    guard count > 0 else { return }
    #expect(throws: InflaterError.tooLarge(count - 1)) { try Inflater.unpack(sample.packed, limit: count - 1) }
  }

  @Test func `the plausible unpacked size is 16 times the file size and at least 64 MiB`() {
    #expect(Inflater.plausibleSize(of: 3 << 20) == 64 << 20)
    #expect(Inflater.plausibleSize(of: 10 << 20) == 160 << 20)
  }

  @Test(arguments: [
    ([0x07] as [UInt8], "a block in it is of no known kind"), ([0x01, 1, 0, 1, 0], "a block in it says two lengths"),
    ([0xFD, 0xFF, 0xFF, 0xFF], "a code in it means nothing"),
  ])
  func `an invalid gzip block is refused with the reason`(block: [UInt8], reason: String) {
    let file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + block + [UInt8](repeating: 0xFF, count: 40)
    #expect(throws: InflaterError.damaged(reason)) { try Inflater.unpack(file) }
  }

  @Test func `unpacking random bytes does not crash`() {
    var state: UInt64 = 1
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    for _ in 0..<1_000 {
      let bytes = (0..<Int(next() % 60)).map { _ in UInt8(truncatingIfNeeded: next()) }
      _ = try? Inflater.unpack([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bytes, limit: 1_000)
    }
  }
}
