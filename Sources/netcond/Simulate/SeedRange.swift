import Foundation

/// The seeds of a simulation: so many from 0 on, or a range of them.
struct SeedRange: Equatable {
  let seeds: Range<UInt64>

  /// More runs than this say nothing that fewer do not.
  static let mostSeeds: UInt64 = 1_000_000

  /// How it is rightly written.
  static let expected =
    "a number of seeds from 1 to \(mostSeeds) or a range of so many; write for example 200 or 0..<200"

  init(count: UInt64) {
    seeds = 0..<count
  }

  /// Reads `200`, `100..<300` or `100...299`; nothing when there is none among them, or more than can be.
  init?(_ text: String) {
    if let count = UInt64(text) {
      seeds = 0..<count
    } else {
      let isClosed = text.contains("...")
      let parts = text.components(separatedBy: isClosed ? "..." : "..<")
      guard parts.count == 2, let first = UInt64(parts[0]), let last = UInt64(parts[1]) else { return nil }
      let (end, overflow) = last.addingReportingOverflow(isClosed ? 1 : 0)
      guard !overflow, first < end else { return nil }
      seeds = first..<end
    }
    guard (1...Self.mostSeeds).contains(UInt64(seeds.upperBound - seeds.lowerBound)) else { return nil }
  }

  var count: Int { seeds.count }

  /// The seeds as they are written on a command line: `200`, or `100..<300`.
  var text: String {
    seeds.lowerBound == 0 ? "\(seeds.count)" : "\(seeds.lowerBound)..<\(seeds.upperBound)"
  }
}
