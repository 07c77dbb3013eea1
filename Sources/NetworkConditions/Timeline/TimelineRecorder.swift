import LinkSimulator
import Synchronization

/// Writes down what happens, within bounds, and tells those who listen.
struct TimelineRecorder {
  /// How many events are kept before the oldest half is dropped.
  static let eventLimit = 200_000

  private(set) var events: [NetworkEvent] = []
  private(set) var droppedEvents = 0
  var transfers: [Transfer] = []
  private var listeners: [Int: @Sendable (NetworkEvent) -> Void] = [:]
  private var nextListener = 0

  var hasListeners: Bool { !listeners.isEmpty }

  mutating func record(_ kind: NetworkEvent.Kind, at time: SimulatedInstant, transfer: Int?) {
    let event = NetworkEvent(time: time, transfer: transfer, kind: kind)
    if events.count >= Self.eventLimit {
      let half = Self.eventLimit / 2
      events.removeFirst(half)
      droppedEvents += half
    }
    events.append(event)
    if !listeners.isEmpty { for (_, tell) in listeners { tell(event) } }
  }

  /// Adds someone who is told of every event, in order; the closure must not call back into the network.
  mutating func addListener(_ tell: @escaping @Sendable (NetworkEvent) -> Void) -> Int {
    nextListener += 1
    listeners[nextListener] = tell
    return nextListener
  }

  mutating func removeListener(_ number: Int) {
    listeners[number] = nil
  }
}
