import Foundation
import Synchronization

/// Spreads pieces of work over the cores; what comes of them stands in their order, however many cores there are.
struct Workers {
  /// How many pieces are worked on at once.
  var count = ProcessInfo.processInfo.activeProcessorCount

  /// Works on each piece once.
  ///
  /// - Parameters:
  ///   - pieces: how many there are.
  ///   - done: counts those that are done, for whoever wants to show it.
  func map<Result: Sendable>(
    _ pieces: Int, counting done: DoneCount = DoneCount(), _ work: @escaping @Sendable (Int) -> Result
  ) async -> [Result] {
    let next = NextPiece()
    let parts = await withTaskGroup(of: [(piece: Int, result: Result)].self) { group in
      for _ in 0..<max(1, min(count, pieces)) {
        group.addTask {
          var part: [(piece: Int, result: Result)] = []
          while let piece = next.take(below: pieces) {
            part.append((piece, work(piece)))
            done.add()
            // Whoever draws how far it is needs a thread, too.
            await Task.yield()
          }
          return part
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return parts.joined().sorted { $0.piece < $1.piece }.map(\.result)
  }
}

/// Hands out the pieces one by one, so that nobody waits for the slowest.
private final class NextPiece: Sendable {
  private let number = Atomic(0)

  func take(below count: Int) -> Int? {
    let piece = number.add(1, ordering: .relaxed).oldValue
    return piece < count ? piece : nil
  }
}

/// How many pieces of work are done.
final class DoneCount: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func add() {
    number.add(1, ordering: .relaxed)
  }
}
