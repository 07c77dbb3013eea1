import Internals

/// Someone who is told of everything that happens, event by event, in order.
///
/// What happens is written down under the network's lock and told without it, so that whoever is told may ask the network
/// for anything. One thread at a time tells; what another has to tell meanwhile, that one takes with it.
final class EventListener: Sendable {
  private struct Told {
    let tell: @Sendable (NetworkEvent) -> Void
    let end: @Sendable () -> Void
  }
  private struct State {
    /// Who is told; `nil` when nobody is any more.
    var told: Told?
    var waiting: ArraySlice<NetworkEvent> = []
    var isTelling = false
    var isOver = false
  }
  private let state: Mutex<State>

  /// - Parameters:
  ///   - tell: is called with every event.
  ///   - end: is called when nothing will happen any more.
  init(_ tell: @escaping @Sendable (NetworkEvent) -> Void, end: @escaping @Sendable () -> Void = {}) {
    state = Mutex(State(told: Told(tell: tell, end: end)))
  }

  /// Takes in an event, to be told later.
  func add(_ event: NetworkEvent) {
    state.withLock { if $0.told != nil { $0.waiting.append(event) } }
  }

  /// Tells what waits; with no lock held.
  func deliver() {
    var tell = next(isFirst: true)
    while let now = tell {
      now()
      tell = next(isFirst: false)
    }
  }

  /// Says that nothing will happen any more, once all that waits has been told.
  func end() {
    state.withLock { $0.isOver = true }
    deliver()
  }

  /// Tells nothing any more.
  func stop() {
    // Let go of with the lock released: what the closures hold is anybody's.
    _ = state.withLock { state in
      defer { (state.told, state.waiting) = (nil, []) }
      return state.told
    }
  }

  private func next(isFirst: Bool) -> (@Sendable () -> Void)? {
    state.withLock { state in
      if isFirst, state.isTelling { return nil }
      state.isTelling = !state.waiting.isEmpty
      guard let told = state.told else { return nil }
      if let event = state.waiting.popFirst() { return { told.tell(event) } }
      guard state.isOver else { return nil }
      state.told = nil
      return told.end
    }
  }
}
