import Foundation
import LinkSimulator

/// A body's pieces in order, taken from the front in other sizes.
///
/// Pieces stay slices of the original data, so that a stub's body takes no extra memory.
struct PieceQueue {
  /// The largest piece that is made by joining smaller ones, in bytes.
  private static let largestJoin = 1 << 20
  /// A piece of at least this size is returned without a copy.
  private static let largePiece = 64 << 10

  private var pieces = Queue<Data>()
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ data: Data) {
    guard !data.isEmpty else { return }
    pieces.append(data)
    count += data.count
  }

  /// Takes at least one byte and at most `limit`: a slice of the first piece, or several small pieces joined.
  mutating func take(upTo limit: Int) -> Data {
    guard let head = pieces.first, limit > 0 else { return Data() }
    if head.count >= min(limit, Self.largePiece) || head.count == count { return takeHead(upTo: limit) }
    let limit = min(limit, Self.largestJoin)
    var result = Data(capacity: min(limit, count))
    while !isEmpty, result.count < limit { result.append(takeHead(upTo: limit - result.count)) }
    return result
  }

  private mutating func takeHead(upTo limit: Int) -> Data {
    guard let head = pieces.first else { return Data() }
    let isWhole = head.count <= limit
    // A queue keeps the places of removed elements for a while, so free the piece now.
    pieces[0] = isWhole ? Data() : head.dropFirst(limit)
    if isWhole { pieces.removeFirst() }
    count -= min(head.count, limit)
    return isWhole ? head : head.prefix(limit)
  }
}
