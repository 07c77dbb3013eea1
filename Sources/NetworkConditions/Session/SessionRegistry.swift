import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a network has handed out to the URL loading system, to be taken back at its end.
final class SessionRegistry: Sendable {
  private struct State {
    var slots: [AnyClass] = []
    var sessions: [URLSession] = []
  }
  private let state = Mutex(State())

  func add(_ slot: AnyClass) {
    state.withLock { $0.slots.append(slot) }
  }

  func add(_ session: URLSession) {
    state.withLock { $0.sessions.append(session) }
  }

  func end() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    for slot in old.slots { ProtocolSlots.release(slot) }
    for session in old.sessions { session.finishTasksAndInvalidate() }
  }
}
