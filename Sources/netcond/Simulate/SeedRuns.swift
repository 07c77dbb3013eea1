import Foundation
import Internals
import NetworkConditions

/// Runs pieces of work on several cores; the results are in the order of the pieces, whatever the number of cores.
struct Workers {
  var count = ProcessInfo.processInfo.activeProcessorCount

  /// Does each of `pieces` pieces of work once; `done` counts the finished ones.
  func map<Result: Sendable>(
    _ pieces: Int, counting done: Locked<Int> = Locked(0), _ work: @escaping @Sendable (Int) -> Result
  ) async -> [Result] {
    // Pieces are handed out one by one, so that no core waits for the slowest.
    let cursor = WorkCursor(total: pieces)
    let parts = await withTaskGroup(of: [(piece: Int, result: Result)].self) { group in
      for _ in 0..<max(1, min(count, pieces)) {
        group.addTask {
          var part: [(piece: Int, result: Result)] = []
          while let piece = cursor.next() {
            part.append((piece, work(piece)))
            done.withLock { $0 += 1 }
            // The task that draws the progress needs a thread, too.
            await Task.yield()
          }
          return part
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return parts.joined().sorted { $0.piece < $1.piece }.map(\.result)
  }

  /// Runs each case with every seed, and returns the results of each case in the seeds' order.
  func run<Case: Sendable, Result: Sendable>(
    _ cases: [Case], _ seeds: SeedRange, counting done: Locked<Int> = Locked(0),
    _ work: @escaping @Sendable (Case, UInt64) -> Result
  ) async -> [[Result]] {
    let (first, count) = (seeds.seeds.lowerBound, seeds.count)
    let results = await map(cases.count * count, counting: done) { piece in
      work(cases[piece / count], first + UInt64(piece % count))
    }
    return cases.indices.map { Array(results[$0 * count..<($0 + 1) * count]) }
  }
}

/// The seeds of a simulation: a number of them from 0 on, or a range.
struct SeedRange: Equatable {
  let seeds: Range<UInt64>

  /// The most seeds; more runs would hardly change the figures.
  static let mostSeeds: UInt64 = 1_000_000

  static let expected =
    "a number of seeds from 1 to \(mostSeeds) or a range of that many; write for example 200 or 0..<200"

  init(count: UInt64) {
    seeds = 0..<count
  }

  /// Reads `200`, `100..<300` or `100...299`; `nil` when the range is empty, too large or not readable.
  init?(_ text: String) {
    if let count = UInt64(text) {
      seeds = 0..<count
    } else {
      guard let (first, end) = NetworkEnvironment.bounds(text), first < end else { return nil }
      seeds = first..<end
    }
    guard (1...Self.mostSeeds).contains(UInt64(seeds.upperBound - seeds.lowerBound)) else { return nil }
  }

  var count: Int { seeds.count }

  /// The seeds as they are written on a command line: `200`, or `100..<300`.
  var text: String { Self.text(seeds) }

  var words: String { count == 1 ? "seed \(seeds.lowerBound)" : "seeds \(text)" }

  var json: JSON { ["first": .integer(seeds.lowerBound), "count": .integer(count)] }

  static func text(_ seeds: Range<some BinaryInteger>) -> String {
    seeds.lowerBound == 0 ? "\(seeds.upperBound)" : "\(seeds.lowerBound)..<\(seeds.upperBound)"
  }
}
