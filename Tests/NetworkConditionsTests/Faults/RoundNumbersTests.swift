import Testing

@testable import NetworkConditions

struct RoundNumbersTests {
  @Test(
    arguments: [
      (0, []), (7, []), (10, []), (14, [10]), (15, [20]), (-15, [-20]), (1_234, [1_000, 1_200, 1_230]),
      (1_750, [2_000, 1_800]),
      (-1_234, [-1_000, -1_200, -1_230]), (1_200, [1_000]), (123_456, [100_000, 120_000, 123_000]),
    ] as [(Int64, [Int64])])
  func `shrinking offers a number rounded to one, two and three digits`(number: Int64, rounder: [Int64]) {
    #expect(number.rounder == rounder)
  }

  @Test func `shrinking rounds both numbers of a fault before it rounds each alone`() {
    let fault = Stall(place: .bytes(1_234), duration: .milliseconds(1_234))
    let changes = fault.rounder.map { [$0.place != fault.place, $0.duration != fault.duration].count { $0 } }
    #expect(changes == Array(repeating: 2, count: 12) + Array(repeating: 1, count: 7))
  }

  @Test func `shrinking never rounds a length up`() {
    #expect(RequestFault.delay(.seconds(65)).rounder == [])
    #expect(RequestFault.delay(.milliseconds(6_470)).rounder == [.delay(.seconds(6))])
    #expect(
      RequestFault.stall(after: .zero, duration: .milliseconds(1_750)).rounder.allSatisfy {
        $0 == .stall(after: .zero, duration: .milliseconds(1_750))
      })
  }

  @Test func `a duration is shortened only when it is above 100 ms`() {
    #expect(Duration.milliseconds(100).shorter == [])
    #expect(Duration.milliseconds(101).shorter == [.microseconds(25_250), .microseconds(50_500)])
    #expect(Duration.shorter(than: .milliseconds(100)) == [])
    #expect(Duration.shorter(than: .seconds(4)) == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(Duration.shorter(than: nil) == [.seconds(1), .seconds(10), .seconds(60)])
  }
}
