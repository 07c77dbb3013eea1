import Foundation

/// Pieces of a body in the order in which they came, taken from the front in pieces of any other size.
///
/// They stay the slices that they came as, so that a stub's body takes no memory of its own, however large it is.
struct PieceQueue {
  /// The most bytes that are joined from smaller pieces.
  private static let largestJoin = 1 << 20
  /// A piece at least this large is handed out by itself, without a copy.
  private static let largePiece = 64 << 10

  private var pieces: [Data] = []
  /// The index of the first piece that is still here; those before it are empty and go in one sweep.
  private var first = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ data: Data) {
    guard !data.isEmpty else { return }
    pieces.append(data)
    count += data.count
  }

  /// Takes up to `limit` bytes, at least one unless nothing waits: a slice of the first piece when that serves, so that
  /// its `startIndex` need not be 0, otherwise several pieces joined.
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
