import LinkSimulator
import Testing

@testable import NetworkProxy

struct ByteQueueTests {
  /// Writes the arrived bytes to a fake socket, and returns the bytes that it took.
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

  @Test func `appending nothing to a byte queue makes no empty write`() {
    var queue = ByteQueue()
    queue.append([UInt8]())
    queue.append(UnsafeRawBufferPointer(start: nil, count: 0))
    queue.append([1])
    queue.release(1)
    var sizes: [Int] = []
    _ = queue.write(atMost: 10) { bytes in
      sizes.append(bytes.count)
      return .bytes(bytes.count)
    }
    #expect(sizes == [1])
  }

  @Test func `a byte queue keeps the bytes that a socket did not take`() {
    var queue = ByteQueue()
    queue.append([1, 2, 3, 4])
    queue.release(4)
    #expect(write(&queue, atMost: 10, taking: 3) == [1, 2, 3])
    #expect(queue.count == 1 && write(&queue, atMost: 10) == [4])
    queue.append([5, 6, 7])
    queue.release(3)
    let (count, stop) = queue.write(atMost: 10) { _ in .bytes(2) }
    let isFull = if case .full? = stop { true } else { false }
    #expect(count == 2 && isFull)
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

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a byte queue under random operations behaves like a simple array model`(seed: UInt64) {
    var (queue, model, arrived, next) = (ByteQueue(), [UInt8](), 0, UInt8(0))
    for step in 0..<3_000 as Range<UInt64> {
      let draw = KeyedRandom(seed: seed).keyed(by: step)
      let size = Int(draw.keyed(by: "size").number(below: 6))
      switch draw.keyed(by: "operation").number(below: 100) {
      case 0..<50:
        let bytes = (0..<size).map { next &+ UInt8($0) }
        next &+= UInt8(size)
        queue.append(bytes)
        model += bytes
      case 50..<75:
        queue.release(Int64(size))
        arrived = min(model.count, arrived + size)
      case 75..<97:
        let most = Int(draw.keyed(by: "most").number(below: 3)) + 1
        let written = write(&queue, atMost: size, taking: most)
        #expect(written == Array(model.prefix(written.count)) && written.count <= min(size, arrived))
        #expect(written.count > 0 || size == 0 || arrived == 0)
        model.removeFirst(written.count)
        arrived -= written.count
      case 97:
        queue.discardUnarrived()
        model.removeLast(model.count - arrived)
      default:
        if seed % 2 == 0 || step % 500 == 0 {
          queue.discardArrived()
          model.removeFirst(arrived)
          arrived = 0
        }
      }
      #expect(queue.count == model.count && queue.arrived == arrived && queue.isEmpty == model.isEmpty)
    }
    queue.release(Int64(model.count))
    #expect(write(&queue, atMost: .max) == model)
  }
}
