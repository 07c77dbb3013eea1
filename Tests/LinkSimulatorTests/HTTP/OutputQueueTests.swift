import Testing

@testable import LinkSimulator

struct OutputQueueTests {
  private func frame(_ slot: Int32, _ left: Int64, isLast: Bool = false) -> OutputQueue.Frame {
    var frame = OutputQueue.Frame(stream: StreamHandle(slot: slot, tag: 0), left: left)
    frame.isLast = isLast
    return frame
  }

  /// The streams and sizes of the pieces that fill successive records of at most `limit` bytes.
  private func records(_ queue: inout OutputQueue, upTo limit: Int64) -> [[String]] {
    var records: [[String]] = []
    while !queue.isEmpty {
      while queue.recordSize < limit, queue.fill(upTo: limit) != nil {}
      records.append(queue.record.map { "\($0.frame.stream.slot): \($0.framing) + \($0.payload)" })
      queue.recordWritten(isTaken: true)
    }
    return records
  }

  @Test func `data frames leave in order and are split where a record is full`() {
    var queue = OutputQueue()
    queue.append(frame(1, 109))
    queue.append(frame(2, 59))
    #expect(records(&queue, upTo: 120) == [["1: 9 + 100", "2: 9 + 2"], ["2: 0 + 48"]])
  }

  @Test func `header frames overtake data frames except one that is already being written`() {
    var queue = OutputQueue()
    queue.append(frame(1, 20))
    queue.append(frame(1, 21))
    queue.append(head: frame(2, 30))
    queue.append(head: frame(3, 31))
    #expect(records(&queue, upTo: 1_000) == [["2: 9 + 21", "3: 9 + 22", "1: 9 + 11", "1: 9 + 12"]])
    queue.append(frame(1, 20))
    queue.append(frame(1, 21))
    queue.block()
    queue.append(head: frame(2, 30))
    #expect(records(&queue, upTo: 1_000) == [["1: 9 + 11", "2: 9 + 21", "1: 9 + 12"]])
  }

  @Test func `a partly written record leaves the rest of the buffer to the next record`() {
    var queue = OutputQueue()
    queue.append(frame(1, 70))
    #expect(queue.room(upTo: 100) == 100)
    _ = queue.fill(upTo: 100)
    queue.recordWritten(isTaken: false)
    queue.append(frame(2, 50))
    #expect(queue.room(upTo: 100) == 30)
    _ = queue.fill(upTo: 30)
    queue.recordWritten(isTaken: false)
    // The buffer was full; the bytes were taken, so it is empty.
    #expect(queue.room(upTo: 100) == 100)
  }

  @Test func `the end of a response is flushed without waiting for a full record`() {
    var queue = OutputQueue()
    queue.append(frame(1, 40))
    _ = queue.fill(upTo: 100)
    #expect(!queue.flushes)
    queue.append(frame(1, 40, isLast: true))
    _ = queue.fill(upTo: 100)
    #expect(queue.flushes)
  }

  @Test(arguments: [\OutputQueue.Frame.isLast, \.isCut, \.endsBuffer])
  func `a frame that ends a response, a cut one and a buffer's last one are flushed`(
    mark: any WritableKeyPath<OutputQueue.Frame, Bool> & Sendable
  ) {
    var queue = OutputQueue()
    var last = frame(1, 40)
    last[keyPath: mark] = true
    queue.append(last)
    _ = queue.fill(upTo: 30)
    #expect(!queue.flushes)
    _ = queue.fill(upTo: 100)
    #expect(queue.flushes)
  }

  @Test func `an empty queue has a whole buffer again, even if the last record was not taken`() {
    var queue = OutputQueue()
    queue.append(frame(1, 70))
    _ = queue.fill(upTo: 100)
    queue.recordWritten(isTaken: false)
    #expect(queue.room(upTo: 100) == 100)
  }
  @Test func `a response fills two buffers, and another one only after a buffer was written`() {
    var half = LinkSimulator.Stream.Half()
    (half.ready, half.isFinished) = (100_000, true)
    let taken = [true, false, true, true].map { half.takeBuffer(isFirst: $0, isCut: false)?.count }
    #expect(taken == [32_768, nil, 32_768, nil])
    var piece = OutputQueue.Piece(frame: frame(1, 0), payload: 32_768, framing: 9)
    piece.frame.endsBuffer = true
    half.written(piece)
    #expect(half.takeBuffer(isFirst: true, isCut: false)?.count == 32_768)
    half.written(piece)
    let last = half.takeBuffer(isFirst: true, isCut: false)
    #expect(last?.count == 1_696 && last?.isLast == true)
  }
}
