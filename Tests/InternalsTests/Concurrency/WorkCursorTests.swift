import Internals
import Testing

struct WorkCursorTests {
  @Test func `a work cursor's end can only be moved to an earlier number`() {
    let cursor = WorkCursor(total: 10)
    cursor.end(after: 2)
    cursor.end(after: 6)
    #expect(cursor.end == 3)
    #expect((0..<5).map { _ in cursor.next() } == [0, 1, 2, nil, nil])
  }
}
