import Foundation

/// A body's pieces in order, taken from the front in other sizes.
///
/// Pieces stay slices of the original data, so that a stub's body takes no extra memory.
struct PieceQueue {
  /// The largest piece that is made by joining smaller ones, in bytes.
  private static let largestJoin = 1 << 20
  /// A piece of at least this size is returned without a copy.
  private static let largePiece = 64 << 10

  private var pieces: [Data] = []
  /// The index of the first remaining piece; those before it are empty and removed together.
  private var first = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ data: Data) {
    guard !data.isEmpty else { return }
    pieces.append(data)
    count += data.count
  }

  /// Takes at least one byte and at most `limit`: a slice of the first piece, or several small pieces joined.
  mutating func take(upTo limit: Int) -> Data {
    guard !isEmpty, limit > 0 else { return Data() }
    let head = pieces[first]
    if head.count > limit {
      pieces[first] = head.dropFirst(limit)
      count -= limit
      return head.prefix(limit)
    }
    if head.count == limit || head.count >= Self.largePiece || head.count == count {
      dropHead()
      return head
    }
    let limit = min(limit, Self.largestJoin)
    var result = Data(capacity: min(limit, count))
    while !isEmpty {
      let room = limit - result.count
      guard room > 0 else { break }
      let head = pieces[first]
      if head.count <= room {
        result.append(head)
        dropHead()
      } else {
        result.append(head.prefix(room))
        pieces[first] = head.dropFirst(room)
        count -= room
      }
    }
    return result
  }

  private mutating func dropHead() {
    count -= pieces[first].count
    pieces[first] = Data()
    first += 1
    if first == pieces.count {
      pieces.removeAll(keepingCapacity: true)
      first = 0
    } else if first >= 64, first * 2 >= pieces.count {
      pieces.removeFirst(first)
      first = 0
    }
  }
}
