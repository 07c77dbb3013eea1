import Foundation
import Internals
import Testing

@testable import NetworkProxy

struct DispatchReadinessTests {
  @Test func `the peer of a closed socket reads the end of the stream`() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, SystemSocket.stream, 0, &ends) == 0)
    let peer = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    let readiness = DispatchReadiness()
    readiness.watch(ends[0])
    readiness.close(ends[0])
    #expect(try peer.readToEnd() ?? Data() == Data())
  }
}
