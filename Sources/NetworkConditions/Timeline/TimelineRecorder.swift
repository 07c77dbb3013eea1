import LinkSimulator
import Synchronization

/// Writes down what happens, within bounds, and tells those who listen.
struct TimelineRecorder {
  private(set) var events = BoundedList<NetworkEvent>(limit: 200_000)
  /// The transfers that are over, in the order of their ends.
  private(set) var transfers = BoundedList<Transfer>(limit: 100_000)
  private var transferCount = 0
  private var listeners: [Int: @Sendable (NetworkEvent) -> Void] = [:]
  private var nextListener = 0

  var hasListeners: Bool { !listeners.isEmpty }

  mutating func record(_ kind: NetworkEvent.Kind, at time: SimulatedInstant, transfer: Int?) {
    let event = NetworkEvent(time: time, transfer: transfer, kind: kind)
    events.append(event)
    if !listeners.isEmpty { for (_, tell) in listeners { tell(event) } }
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
