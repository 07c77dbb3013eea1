import Testing

@testable import LinkSimulator

struct ConveyorTests {
  @Test func `discarding unsent bytes keeps the announcement of a request sent in full`() {
    let streams = [0, 1].map { StreamHandle(slot: $0, tag: 0) }
    var conveyor = Conveyor(announcesEnds: true)
    for stream in streams { _ = conveyor.append(.payload, 100, framing: 0, stream: stream, isLast: true) }
    conveyor.discard(beyond: 100)
    let announced = [0, 1].map { _ in conveyor.takeAnnouncement(sent: 200) }
    #expect(announced == [streams[0], nil])
  }
}
