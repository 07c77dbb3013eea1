import LinkSimulator
import Testing

@testable import NetworkProxy

struct StreamFailureTests {
  @Test func `only a server that does not answer in time is a gateway timeout`() {
    let late = StreamFailure.allCases.filter { $0.status == 504 }
    #expect(late == [.resolutionTimedOut, .connectTimedOut, .retransmissionsExhausted])
    #expect(StreamFailure.allCases.allSatisfy { late.contains($0) || $0.status == 502 })
  }
}
