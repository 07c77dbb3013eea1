import Foundation
import Testing

@testable import Internals

struct SystemSocketTests {
  @Test func `the limit of open descriptors is raised, and never lowered`() {
    let most = SystemSocket.raiseDescriptorLimit()
    var limit = rlimit()
    getrlimit(SystemSocket.descriptors, &limit)
    #expect(limit.rlim_cur == most)
    limit.rlim_cur -= 1
    setrlimit(SystemSocket.descriptors, &limit)
    // A limit above a million is kept.
    #expect(SystemSocket.raiseDescriptorLimit() == (most > 1 << 20 ? most - 1 : most))
  }
}
