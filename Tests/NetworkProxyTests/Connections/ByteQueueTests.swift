import Testing

@testable import NetworkProxy

@Suite struct ByteQueueTests {
  /// Writes what has arrived, and returns it.
  private func write(_ queue: inout ByteQueue, atMost limit: Int, taking most: Int = .max) -> [UInt8] {
    var written: [UInt8] = []
    _ = queue.write(atMost: limit) { bytes in
      let taken = min(most, bytes.count)
      written += bytes.prefix(taken)
      return .bytes(taken)
    }
    return written
  }

  @Test func `a byte queue writes only bytes that have arrived, once and in order`() {
    var queue = ByteQueue()
    queue.append([1, 2, 3])
    queue.append([4, 5])
    #expect(write(&queue, atMost: 10) == [])
    queue.release(2)
    #expect(queue.arrived == 2 && write(&queue, atMost: 10) == [1, 2])
    queue.release(2)
    #expect(write(&queue, atMost: 1) == [3] && write(&queue, atMost: 10, taking: 1) == [4])
    queue.release(100)
    #expect(queue.arrived == 1 && write(&queue, atMost: 10) == [5])
    #expect(queue.isEmpty && queue.arrived == 0)
  }

  @Test func `a byte queue keeps the bytes that a socket did not take`() {
    var queue = ByteQueue()
    queue.append([1, 2, 3, 4])
    queue.release(4)
    #expect(write(&queue, atMost: 10, taking: 3) == [1, 2, 3])
    #expect(queue.count == 1 && write(&queue, atMost: 10) == [4])
  }

  @Test func `discarding the bytes that have not arrived keeps the others in order`() {
    var queue = ByteQueue()
    queue.append([1, 2, 3])
    queue.append([4])
    queue.release(1)
    queue.discardUnarrived()
    queue.append([9])
    queue.release(10)
    #expect(write(&queue, atMost: 10) == [1, 9])
  }
}
