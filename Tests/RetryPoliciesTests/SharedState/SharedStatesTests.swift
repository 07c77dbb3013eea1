import RetryPolicies
import Testing

extension RetryPoliciesTests {
  struct SharedStatesTests {
    private final class State: Sendable {}

    /// For each of six clients, whether it shares the state of the client before it.
    private func sharing(_ sharing: StateSharing) -> [Bool] {
      let common = SharedStates()
      let states = (0..<6).map { SharedStates(common: common, client: $0).state(0, sharing: sharing) { State() } }
      return (1..<6).map { states[$0] === states[$0 - 1] }
    }

    @Test func `a policy's state belongs to one client, to the clients of a process, or to all clients`() {
      #expect(sharing(.client) == [false, false, false, false, false])
      #expect(sharing(.process(of: 2)) == [true, false, true, false, true])
      #expect(sharing(.process(of: 3)) == [true, true, false, true, true])
      #expect(sharing(.process(of: 0)) == sharing(.client))
      #expect(sharing(.all) == [true, true, true, true, true])
    }

    @Test func `each numbered state of a client is created once and is separate from the others`() {
      let states = SharedStates()
      for sharing in [StateSharing.client, .process(of: 2), .all] {
        let first = states.state(1, sharing: sharing) { State() }
        #expect(states.state(1, sharing: sharing) { State() } === first)
        #expect(states.state(2, sharing: sharing) { State() } !== first)
      }
    }
  }
}
