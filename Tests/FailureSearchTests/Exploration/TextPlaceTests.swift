import Testing

@testable import FailureSearch

struct TextPlaceTests {
  @Test func `a block ends at each multiple of 1024 bytes, and blocks from 64 KiB on are equivalent`() {
    let ends = [0, 1, 512, 1_024, 1_536, 2_048, 3_072, 65_536, 131_072].map { TextPlace(endOfBlocksAt: $0) }
    #expect(ends.map { $0 == nil } == [true, true, true, false, true, false, false, false, false])
    #expect(ends[3] == ends[6] && ends[3] != ends[5])
    #expect(ends[7] == ends[8])
  }

  /// For each place, the index of the first equal place.
  private static func alike(_ places: [TextPlace]) -> [Int] {
    places.map { place in places.firstIndex(of: place) ?? -1 }
  }

  @Test func `cuts between bytes of the same kinds in the same part of a structure are equivalent`() {
    #expect(Self.alike(TextPlace.cuts(Array("abc1".utf8))) == [0, 1, 1, 3, 4])
    #expect(Self.alike(TextPlace.cuts(Array("a,a,a".utf8))) == [0, 1, 2, 3, 2, 5])
    #expect(Self.alike(TextPlace.cuts([])) == [0])
  }

  @Test func `flipped bytes of one kind in the same part of a structure are equivalent`() {
    #expect(Self.alike(TextPlace.flips(Array("aa,a1:1".utf8))) == [0, 0, 2, 3, 4, 5, 6])
  }

  @Test func `text bytes are classified by their role, and binary bytes as zero or not zero`() {
    let kinds = Dictionary(grouping: UInt8(0)...127, by: TextPlace.Mark.init(_:)).mapValues {
      String(decoding: $0, as: UTF8.self)
    }
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    #expect(kinds[.letter] == letters + letters.lowercased() && kinds[.digit] == "0123456789")
    #expect(kinds[.line] == "\n\r" && kinds[.space] == "\t " && kinds[.quote] == "\"'")
    #expect(kinds[.opening] == "(<[{" && kinds[.closing] == ")>]}" && kinds[.colon] == ":=" && kinds[.comma] == "&,;")
    #expect(kinds[.control]?.utf8.count == 30 && kinds[.other] == "!#$%*+-./?@\\^_`|~")
    #expect(TextPlace.Mark.of(Array("é".utf8)) == [.lead, .continuation])
    #expect(TextPlace.Mark.of([0, 65, 66]) == [.control, .other, .other])
    #expect(TextPlace.Mark.of([255, 65]) == [.other, .other])
  }
}
