import Foundation

/// Pieces of data in the order in which they came, taken from the front in pieces of any other size.
struct PieceQueue {
  private var pieces: [Data] = []
  /// The index of the first piece that is still here; those before it are empty and go in one sweep.
  private var first = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ data: Data) {
    pieces.append(data)
    count += data.count
  }

  /// Takes up to `limit` bytes: a slice of the first piece when that serves, otherwise several pieces joined.
  mutating func take(upTo limit: Int, alone: Int, joined: Int) -> Data {
    let head = pieces[first]
    if head.count > limit {
      pieces[first] = head.dropFirst(limit)
      count -= limit
      return head.prefix(limit)
    }
    if head.count == limit || head.count >= alone || head.count == count {
      dropHead()
      return head
    }
    var result = Data(capacity: min(limit, joined, count))
    while !isEmpty {
      let room = min(limit, joined) - result.count
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
