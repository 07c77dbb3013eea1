import LinkSimulator
import Testing
import Thoroughness

struct LinkConditionsTests {
  // iOS, tvOS, watchOS and visionOS start no process for a test.
  #if os(macOS) || os(Linux)
    @Test func `a negative delay or queue stops the process`() async {
      await #expect(processExitsWith: .success) {
        let calls: [@Sendable () -> Any] = [
          { LinkConditions(delay: .nanoseconds(-1)) }, { LinkConditions(queue: -1) },
          {
            var link = LinkConditions()
            link.delay = .milliseconds(-500)
            return link
          },
          {
            var path = PathConditions.unlimited
            path.dnsDelay = .milliseconds(-1)
            return path
          },
        ]
        #expect(Traps.returning(calls) == [])
      }
    }
  #endif

  @Test func `impairments with zero probability equal no impairments`() throws {
    var link = LinkConditions(jitter: Jitter(.uniform, spread: .zero), loss: .none)
    link.duplication = .zero
    link.corruption = .zero
    link.reorder(.zero, gap: 7)
    #expect(link == LinkConditions() && link.jitter == nil)
    link.duplication = .one
    link.loss = .independent(.percent(1))
    link.duplication = .zero
    #expect(link == LinkConditions(loss: .independent(.percent(1))))
  }
}
