import Foundation
import LinkSimulator
import Testing

@testable import NetworkConditions

struct PieceQueueTests {
  /// Bytes whose value depends on their place, with a period that no piece size divides.
  static let bytes = Data((0..<3_333_333).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) })

  @Test(arguments: [0, 1, 15, 64 << 10, (64 << 10) + 1, 1 << 20, (1 << 20) + 1, 3_333_333])
  func `bytes leave a piece queue unchanged and in order`(size: Int) {
    let whole = Self.bytes.prefix(size)
    for (piece, limit) in [(1_448, 16_384), (16_384, 1_000), (70_001, 99_991), (1 << 20, 1 << 30)] {
      var queue = PieceQueue()
      for start in stride(from: 0, to: size, by: piece) { queue.append(whole[start..<min(start + piece, size)]) }
      #expect(queue.count == size)
      var result = Data()
      while !queue.isEmpty {
        let part = queue.take(upTo: limit)
        #expect(!part.isEmpty && part.count <= limit)
        result.append(part)
      }
      #expect(result == whole, "pieces of \(piece), reads of \(limit)")
      #expect(queue.take(upTo: 1).isEmpty)
    }
  }

  @Test(arguments: 0..<5 as Range<Int64>)
  func `the flipped byte of a body is counted over all its pieces`(position: Int64) {
    let body = GivenBody([[1, 2], [3], [4, 5]].map { AnswerPart.Piece(Data($0), nil) }, flipping: position)
    var expected: [UInt8] = [1, 2, 3, 4, 5]
    expected[Int(position)] ^= 0xFF
    #expect(body.read(5).joined().elementsEqual(expected))
  }

  @Test(arguments: 0..<20)
  func `reads between writes keep the order of the bytes`(round: UInt64) {
    let random = KeyedRandom(seed: round)
    let whole = Self.bytes.prefix(1_500_000)
    var queue = PieceQueue()
    var result = Data()
    var start = 0
    var step: UInt64 = 0
    while start < whole.count || !queue.isEmpty {
      step += 1
      let size = 1 + Int(random.keyed(by: step).keyed(by: 1).bits % 60_000)
      if random.keyed(by: step).keyed(by: 2).bits % 2 == 0, start < whole.count {
        let end = min(start + size, whole.count)
        queue.append(whole[start..<end])
        start = end
      } else {
        result.append(queue.take(upTo: size))
      }
      #expect(queue.count == start - result.count)
    }
    #expect(result == whole)
  }

  @Test func `a large piece leaves the queue without being copied`() {
    var queue = PieceQueue()
    let piece = Data(repeating: 7, count: 500_000)
    queue.append(piece)
    let address = piece.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    let first = queue.take(upTo: 100_000)
    let second = queue.take(upTo: 1 << 20)
    #expect(first.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address)
    #expect(second.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address + 100_000)
    #expect(second.count == 400_000)
  }

  @Test func `small pieces are joined into pieces of a mebibyte`() {
    var queue = PieceQueue()
    for _ in 0..<128 { queue.append(Data(repeating: 1, count: 16 << 10)) }
    #expect(queue.take(upTo: 1 << 30).count == 1 << 20)
  }
}
