/// Bytes on their way over the link: added when read from one socket, written to the other once they have arrived.
struct ByteQueue {
  private var pieces: [[UInt8]] = []
  private var first = 0
  private var offset = 0
  private(set) var count = 0
  /// How many of the bytes have arrived and wait to be written.
  private(set) var arrived = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count > 0 { pieces.append(Array(bytes)) }
    count += bytes.count
  }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if !bytes.isEmpty { pieces.append(Array(bytes)) }
    count += bytes.count
  }

  mutating func release(_ count: Int64) {
    arrived = min(self.count, arrived + Int(clamping: count))
  }

  mutating func discardUnarrived() {
    var excess = count - arrived
    count = arrived
    while excess > 0 {
      let last = pieces.count - 1
      // Of the first piece, the excess leaves at least the bytes that were taken.
      let cut = min(excess, pieces[last].count)
      pieces[last].removeLast(cut)
      excess -= cut
      if pieces[last].count == (last == first ? offset : 0) {
        pieces.removeLast()
        if last == first { offset = 0 }
      }
    }
  }

  mutating func discardArrived() {
    var left = arrived
    while left > 0 { left -= consume(left) }
  }

  /// Passes up to `limit` arrived bytes to `write`, which returns how many it took and why it stopped.
  mutating func write(
    atMost limit: Int, _ write: (UnsafeRawBufferPointer) -> WriteOutcome
  ) -> (count: Int, stop: WriteOutcome?) {
    var total = 0
    while arrived > 0, total < limit {
      let room = min(arrived, pieces[first].count - offset, limit - total)
      let outcome = pieces[first].withUnsafeBytes {
        write(UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + room)]))
      }
      guard case .bytes(let taken) = outcome else { return (total, outcome) }
      _ = consume(taken)
      total += taken
      if taken < room { return (total, .full) }
    }
    return (total, nil)
  }

  private mutating func consume(_ wanted: Int) -> Int {
    let taken = min(wanted, pieces[first].count - offset)
    offset += taken
    count -= taken
    arrived -= taken
    if offset == pieces[first].count {
      pieces[first] = []
      first += 1
      offset = 0
      if first == pieces.count {
        pieces.removeAll(keepingCapacity: first < 64)
        first = 0
      } else if first > 256 {
        pieces.removeFirst(first)
        first = 0
      }
    }
    return taken
  }
}
