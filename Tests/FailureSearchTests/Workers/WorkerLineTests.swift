import Foundation
import Testing

@testable import FailureSearch

struct WorkerLineTests {
  @Test func `a wait for a worker that has closed its standard error uses no processor time`() throws {
    let (line, worker) = try #require(WorkerLine.pair() as (WorkerLine, FileHandle)?)
    let errors = Pipe()
    try errors.fileHandleForWriting.close()
    var turns = 0
    #expect(
      line.receive(besides: errors.fileHandleForReading.fileDescriptor) { isLong in
        turns += 1
        return !isLong
      } == nil)
    #expect(turns < 5)
    try worker.close()
  }
}
