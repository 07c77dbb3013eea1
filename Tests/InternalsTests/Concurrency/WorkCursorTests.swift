import Internals
import Testing

@Suite struct WorkCursorTests {
  @Test func `an end once set is moved only to an earlier number`() {
    let cursor = WorkCursor(total: 10)
    cursor.end(at: 3)
    cursor.end(at: 7)
    #expect((0..<5).map { _ in cursor.next() } == [0, 1, 2, nil, nil])
  }
}
