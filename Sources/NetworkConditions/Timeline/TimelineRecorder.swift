/// Records events and transfers, within limits, and keeps events until their listeners are told.
struct TimelineRecorder {
  private struct Listening {
    let listener: EventListener
    var waiting: ArraySlice<NetworkEvent> = []
    /// Whether a thread is notifying the listener now; it also delivers the events that other threads add meanwhile.
    var isNotified = false
  }

  enum News: Sendable {
    case event(NetworkEvent)
    case end
  }

  private(set) var events = BoundedList<NetworkEvent>(limit: 200_000)
  /// The ended transfers, in the order of their ends.
  var transfers = BoundedList<Transfer>(limit: Timeline.mostTransfers)
  private var transferCount = 0
  private var listening: [Listening] = []
  var hasNews = false
  var isOver = false

  mutating func record(_ kind: NetworkEvent.Kind, at time: SimulatedInstant, transfer: Int?) {
    let event = NetworkEvent(time: time, transfer: transfer, kind: kind)
    events.append(event)
    guard hasListeners else { return }
    for index in listening.indices { listening[index].waiting.append(event) }
    hasNews = true
  }

  mutating func nextTransfer() -> Int {
    defer { transferCount += 1 }
    return transferCount
  }

  // MARK: Listeners

  var hasListeners: Bool { !listening.isEmpty }
  var listeners: [EventListener] { listening.map(\.listener) }

  mutating func add(_ listener: EventListener) {
    listening.append(Listening(listener: listener))
  }

  mutating func remove(_ listener: EventListener) {
    listening.removeAll { $0.listener === listener }
  }

  /// The listener's next event; `nil` if there is none, or if another thread is notifying the listener.
  mutating func news(for listener: EventListener, isFirst: Bool) -> News? {
    guard let index = listening.firstIndex(where: { $0.listener === listener }),
      !isFirst || !listening[index].isNotified
    else { return nil }
    listening[index].isNotified = !listening[index].waiting.isEmpty
    if let event = listening[index].waiting.popFirst() { return .event(event) }
    guard isOver else { return nil }
    listening.remove(at: index)
    return .end
  }
}

/// A listener to all events, in order; it is called without the network's lock, so that it may use the network.
final class EventListener: Sendable {
  let tell: @Sendable (NetworkEvent) -> Void
  let end: @Sendable () -> Void

  init(_ tell: @escaping @Sendable (NetworkEvent) -> Void, end: @escaping @Sendable () -> Void = {}) {
    self.tell = tell
    self.end = end
  }
}
