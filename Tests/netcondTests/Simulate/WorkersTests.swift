import Internals
import Testing

@testable import netcond

struct WorkersTests {
  @Test(arguments: [1, 2, 3, 8])
  func `parallel workers return results in order and do each task once`(count: Int) async {
    let done = Locked(0)
    let squares = await Workers(count: count).map(1_000, counting: done) { $0 * $0 }
    #expect(squares == (0..<1_000).map { $0 * $0 })
    #expect(done.value == 1_000)
  }

  @Test func `a worker pool handles no tasks, and fewer tasks than workers`() async {
    #expect(await Workers(count: 4).map(0) { $0 } == [])
    #expect(await Workers(count: 4).map(1) { $0 } == [0])
    #expect(await Workers(count: 0).map(2) { $0 } == [0, 1])
  }
}
