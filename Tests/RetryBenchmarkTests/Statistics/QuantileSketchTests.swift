import Foundation
import NetworkConditions
import RetryPolicies
import Testing

@testable import RetryBenchmark

extension RetryStatisticsTests {
  struct QuantileSketchTests {
    private let relativeError = 1.0 / 256

    @Test(arguments: [("[[1,9007199254740990],[2,2]]", true), ("[[1,9007199254740991],[2,2]]", false)])
    func `the counts of a histogram add up to 2^53 at most`(json: String, isRead: Bool) {
      let histogram = try? JSONDecoder().decode(CountHistogram.self, from: Data(json.utf8))
      #expect((histogram?.total == 1 << 53) == isRead)
    }

    @Test func `a histogram that counts a number twice is refused`() {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(CountHistogram.self, from: Data("[[1,2],[1,3]]".utf8))
      }
    }

    @Test func `the middle of a number's bin differs from the number by at most the relative error`() {
      var random = RetryRandom(seed: 4)
      var values: [Int64] = Array(0...5_000) + [.max, .max - 1]
      for power: Int64 in 8..<63 { values += [(1 << power) - 1, 1 << power, (1 << power) + 1] }
      for _ in 0..<20_000 { values.append(Int64(random.next() >> UInt64.random(in: 1...62, using: &random))) }
      for value in values {
        let middle = QuantileSketch.middle(ofBin: QuantileSketch.bin(of: value))
        let error = Double(value < middle ? middle - value : value - middle)
        #expect(error <= Double(value) * relativeError)
      }
      #expect(QuantileSketch.bin(of: 255) == 255 && QuantileSketch.bin(of: 256) == 256)
      #expect(QuantileSketch.bin(of: Int64.max) == 7_295)
    }

    @Test func `the next whole number is in the same bin or in the next one`() {
      var last = 0
      for value: Int64 in 0...200_000 {
        let bin = QuantileSketch.bin(of: value)
        #expect(bin == last || bin == last + 1)
        last = bin
      }
    }

    @Test func `a sketch's quantiles match the nearest ranks to within the relative error`() throws {
      var random = RetryRandom(seed: 9)
      let values = (0..<9_999).map { _ in Int(exp(Double(random.next() >> 11) * 0x1p-53 * 25)) }
      var sketch = QuantileSketch()
      for value in values { sketch.add(.nanoseconds(value)) }
      let sorted = values.sorted()
      for share in [0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1] {
        let exact = Double(sorted[max(1, Int((share * 9_999).rounded(.up))) - 1])
        let estimate = Double(try #require(sketch.quantile(share)).wholeNanoseconds)
        #expect(abs(estimate - exact) <= exact * relativeError)
      }
      #expect(
        sketch.least == sorted.first.map { .nanoseconds($0) } && sketch.greatest == sorted.last.map { .nanoseconds($0) }
      )
      #expect(sketch.sum == values.reduce(Int128(0)) { $0 + Int128($1) })
      #expect(QuantileSketch().quantile(0.5) == nil)
    }

    @Test func `quantiles of the values from 1 to 200 ns are exact`() {
      var sketch = QuantileSketch()
      for value in 1...200 { sketch.add(.nanoseconds(value)) }
      #expect(sketch.quantile(0.5) == .nanoseconds(100))
      #expect(sketch.quantile(0.9) == .nanoseconds(180))
      #expect(sketch.quantile(0.995) == .nanoseconds(199))
    }

    @Test func `a sketch survives JSON unchanged, and JSON that contradicts itself is refused`() throws {
      var sketch = QuantileSketch()
      for value in [3, 3, 1_000_000, .max] as [Int] { sketch.add(.nanoseconds(value)) }
      let json = try JSONEncoder().encode(sketch)
      #expect(try JSONDecoder().decode(QuantileSketch.self, from: json) == sketch)
      let bin = QuantileSketch.bin(of: 1_000_000)
      /// Decodes a sketch of these parts; the times are in nanoseconds.
      func decoded(_ bins: String, _ count: Int, _ sum: String, _ least: Int64, _ greatest: Int64) throws {
        let text = """
          {"bins": \(bins), "count": \(count), "sum": "\(sum)", "least": \(least), "greatest": \(greatest)}
          """
        _ = try JSONDecoder().decode(QuantileSketch.self, from: Data(text.utf8))
      }
      try decoded("[[\(bin), 2]]", 2, "2000001", 1_000_000, 1_000_001)
      for (bins, count, sum, least, greatest) in [
        ("[[3, 2]]", 3, "6", 3, 3), ("[[3, 2]]", 2, "six", 3, 3), ("[[3, 2]]", 2, "6", 2, 3),
        ("[[3, 2]]", 2, "6", 3, 4),
        ("[[3, 2]]", 2, "7", 3, 3), ("[[3, 1], [3, 1]]", 2, "6", 3, 3), ("[[-1, 1]]", 1, "-1", -1, -1),
        ("[[\(bin), 2]]", 2, "2000001", 1_000_001, 1_000_000),
      ] as [(String, Int, String, Int64, Int64)] {
        #expect(throws: DecodingError.self) { try decoded(bins, count, sum, least, greatest) }
      }
    }
  }
}
