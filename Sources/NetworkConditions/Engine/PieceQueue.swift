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

  /// The first piece, stored apart from the rest because most bodies have only one.
  private var head = Data()
  private var rest = Queue<Data>()
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ data: Data) {
    guard !data.isEmpty else { return }
    if isEmpty { head = data } else { rest.append(data) }
    count += data.count
  }

  /// Takes at least one byte and at most `limit`: a slice of the first piece, or several small pieces joined.
  mutating func take(upTo limit: Int) -> Data {
    guard !isEmpty, limit > 0 else { return Data() }
    if head.count >= min(limit, Self.largePiece) || head.count == count { return takeHead(upTo: limit) }
    let limit = min(limit, Self.largestJoin)
    var result = Data(capacity: min(limit, count))
    while !isEmpty, result.count < limit { result.append(takeHead(upTo: limit - result.count)) }
    return result
  }

  private mutating func takeHead(upTo limit: Int) -> Data {
    let piece = head.prefix(limit)
    count -= piece.count
    if piece.count < head.count {
      head = head.dropFirst(limit)
    } else if let next = rest.first {
      // A queue keeps the places of removed elements for a while, so free the piece now.
      rest[0] = Data()
      rest.removeFirst()
      head = next
    } else {
      head = Data()
    }
    return piece
  }
}
