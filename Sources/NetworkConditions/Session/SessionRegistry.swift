import Foundation
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
  private let engine: NetworkEngine
  private let stubs: StubTransport

  init(_ engine: NetworkEngine, _ stubs: StubTransport) {
    (self.engine, self.stubs) = (engine, stubs)
  }

  /// A stubbed network that no session was made of: its client asked the real network, and was told nothing of this one.
  deinit {
    let isUsed = state.withLock { $0.isOver || !$0.slots.isEmpty }
    let count = stubs.routes.count
    guard !isUsed, count > 0, engine.look({ $0.snapshot() }).transfers.isEmpty else { return }
    let text = Explanation.unusedNetwork.ending(
      "Nothing used a simulated network with \(count) stub\(count == 1 ? "" : "s"): no session was made of it. Hand "
        + "`network.session` to the client, or call `network.interceptSharedSession()` for `URLSession.shared`")
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  /// A class for one configuration of the network; its requests fail once the network has ended.
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
