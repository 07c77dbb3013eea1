/// Writes down what happens, within bounds, and tells those who listen.
struct TimelineRecorder {
  private(set) var events = BoundedList<NetworkEvent>(limit: 200_000)
  /// The transfers that are over, in the order of their ends.
  private(set) var transfers = BoundedList<Transfer>(limit: 100_000)
  private var transferCount = 0
  private(set) var listeners: [EventListener] = []
  /// Whether the listeners have something to tell.
  var hasNews = false

  mutating func record(_ kind: NetworkEvent.Kind, at time: SimulatedInstant, transfer: Int?) {
    let event = NetworkEvent(time: time, transfer: transfer, kind: kind)
    events.append(event)
    guard !listeners.isEmpty else { return }
    for listener in listeners { listener.add(event) }
    hasNews = true
  }

  /// The number of the transfer that begins next.
  mutating func nextTransfer() -> Int {
    defer { transferCount += 1 }
    return transferCount
  }

  /// Takes in a transfer that is over.
  mutating func keep(_ transfer: Transfer) {
    transfers.append(transfer)
  }

  /// Adds someone who is told of every event.
  mutating func add(_ listener: EventListener) {
    listeners.append(listener)
  }

  mutating func remove(_ listener: EventListener) {
    listeners.removeAll { $0 === listener }
  }
}
