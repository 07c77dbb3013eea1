import Testing

@testable import LinkSimulator

struct FramingQueueTests {
  @Test func `discarding unsent bytes keeps the announcement of a request sent in full`() {
    let streams = [0, 1].map { StreamHandle(slot: $0, tag: 0) }
    var framingQueue = FramingQueue(announcesEnds: true)
    for stream in streams { _ = framingQueue.append(.payload, 100, framing: 0, stream: stream, isLast: true) }
    framingQueue.discard(beyond: 100)
    let announced = [0, 1].map { _ in framingQueue.takeAnnouncement(sent: 200) }
    #expect(announced == [streams[0], nil])
  }

  @Test func `a message cut short by a discard is read up to the cut, and no end is announced`() {
    let stream = StreamHandle(slot: 0, tag: 0)
    var framingQueue = FramingQueue(announcesEnds: true)
    _ = framingQueue.append(.payload, 100, framing: 0, stream: stream, isLast: true)
    framingQueue.discard(beyond: 60)
    let portion = framingQueue.read(to: 100)
    #expect(portion?.payload == 60 && portion?.isWhole == true && portion?.isLast == false)
    #expect(framingQueue.read(to: 100)?.count == nil && framingQueue.takeAnnouncement(sent: 100) == nil)
  }

  @Test func `bytes written after the end of a message are read as a separate message`() {
    let stream = StreamHandle(slot: 0, tag: 0)
    var framingQueue = FramingQueue(announcesEnds: true)
    for count: Int64 in [100, 20] {
      _ = framingQueue.append(.payload, count, framing: 0, stream: stream, isLast: true)
    }
    #expect(framingQueue.takeAnnouncement(sent: 99) == nil && framingQueue.takeAnnouncement(sent: 100) == stream)
    let portions = (0..<2).map { _ in framingQueue.read(to: 120) }
    #expect(portions.map { $0?.payload } == [100, 20] && portions.allSatisfy { $0?.isLast == true })
  }
}
