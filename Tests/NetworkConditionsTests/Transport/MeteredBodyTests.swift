import Foundation
import Testing

@testable import NetworkConditions

struct MeteredBodyTests {
  @Test func `body pieces share their bytes on the wire without rounding loss`() {
    var body = MeteredBody()
    #expect((0..<3).map { _ in body.append(Data(count: 10)) } == [true, false, false])
    let first = body.take(100)
    #expect(first.map(\.piece.count) == [10, 10, 10] && first.map(\.encodedCount) == [33, 33, 34])
    _ = body.append(Data(count: 5))
    let then = [107, 108, 108].map { body.take($0).map(\.encodedCount) }
    #expect(then == [[7], [1], []])
  }

  @Test func `a body piece of unknown wire size has no count`() {
    var body = MeteredBody()
    _ = body.append(Data(count: 10))
    let taken = body.take(nil)
    #expect(taken.map(\.piece.count) == [10] && taken.map(\.encodedCount) == [nil])
  }
}
