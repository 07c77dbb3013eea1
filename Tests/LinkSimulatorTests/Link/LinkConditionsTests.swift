import LinkSimulator
import Testing

@Suite struct LinkConditionsTests {
  // iOS, tvOS, watchOS and visionOS start no process for a test.
  #if os(macOS) || os(Linux)
    @Test func `setting a negative delay traps`() async {
      await #expect(processExitsWith: .failure) {
        var link = LinkConditions()
        link.delay = .milliseconds(-500)
      }
      await #expect(processExitsWith: .failure) {
        var path = PathConditions.unlimited
        path.dnsDelay = .milliseconds(-1)
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
