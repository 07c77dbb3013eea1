import Foundation
import Internals

/// The protocol classes of a network's sessions, which the network's end unbinds.
///
/// The sessions are not invalidated, because creating a task on an invalidated session ends the process. Instead, each
/// later task of theirs fails as cancelled.
final class SessionRegistry: Sendable {
  private struct State {
    var slots: [AnyClass] = []
    var released: [AnyClass] = []
    var isOver = false
    /// Closures that undo adoptions: they remove the classes from sessions that a captured client made itself.
    var undoings: [@Sendable () -> Void] = []
  }
  private let state = Mutex(State())
  private let engine: NetworkEngine
  private let stubs: StubTransport

  init(_ engine: NetworkEngine, _ stubs: StubTransport) {
    (self.engine, self.stubs) = (engine, stubs)
  }

  /// Warns if a usable network with stubs never had a session or a request: its client then used the real network.
  deinit {
    endAdoptions()
    for slot in state.withLock({ $0.released }) { ProtocolSlots.forget(slot) }
    let isUsed = state.withLock { $0.isOver || !$0.slots.isEmpty }
    let count = stubs.routes.count
    guard !isUsed, count > 0, engine.look({ $0.configurationError == nil && $0.snapshot().transfers.isEmpty }) else {
      return
    }
    let text = Explanation.unusedNetwork.ending(
      "Nothing used a simulated network with \(FigureText.count(count, "stub")): no session was made of it. Give "
        + "`network.session` to the client, or call `network.interceptSharedSession()` for `URLSession.shared`")
    StandardError.say(text)
  }

  /// Claims a class for one configuration; its requests fail after the network's end.
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
      state.isOver = true
      state.released += state.slots
      defer { state.slots = [] }
      return state
    }.slots
    restoreCookies(slots)
    for slot in slots { ProtocolSlots.release(slot) }
  }

  /// Removes the run's cookies, so that the next run does not find them; most configurations store theirs in one place.
  private func restoreCookies(_ slots: [AnyClass]) {
    for slot in slots { ProtocolSlots.binding(of: slot)?.restoreCookies() }
  }

  func keep(_ undoing: @escaping @Sendable () -> Void) { state.withLock { $0.undoings.append(undoing) } }

  /// Removes the classes from the client's own sessions, and the run's cookies, because the client no longer runs.
  func endAdoptions() {
    let (undoings, slots) = state.withLock { state in
      defer { state.undoings = [] }
      return (state.undoings, state.slots)
    }
    restoreCookies(slots)
    for undo in undoings { undo() }
  }
}
