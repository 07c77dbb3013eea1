import Internals

/// The classes that a network has handed out to the URL loading system, to be taken back at its end.
///
/// Sessions are not invalidated, since a task that is made of such a session ends the process. Each later task of theirs
/// fails as cancelled.
final class SessionRegistry: Sendable {
  private struct State {
    var slots: [AnyClass] = []
    var isOver = false
  }
  private let state = Mutex(State())

  /// A class for one configuration of the network's, which fails whatever reaches it once the network has ended.
  func claim(for binding: SessionBinding) -> SimulatedURLProtocol.Type {
    let slot = ProtocolSlots.claim(for: binding)
    let isLate = state.withLock { state in
      if !state.isOver { state.slots.append(slot) }
      return state.isOver
    }
    if isLate { ProtocolSlots.release(slot) }
    return slot
  }

  func end() {
    let slots = state.withLock { state in
      defer { state = State(isOver: true) }
      return state
    }.slots
    for slot in slots { ProtocolSlots.release(slot) }
  }
}
