import LinkSimulator
import Synchronization

/// Writes down what happens, within bounds, and tells those who listen.
struct TimelineRecorder {
  /// How many events are kept before the oldest half is dropped.
  static let eventLimit = 200_000
  /// How many transfers that are over are kept before the oldest half is dropped.
  static let transferLimit = 100_000

  private(set) var events: [NetworkEvent] = []
  private(set) var droppedEvents = 0
  /// The transfers that are over, in the order of their ends.
  private(set) var transfers: [Transfer] = []
  private(set) var droppedTransfers = 0
  private var transferCount = 0
  private var listeners: [Int: @Sendable (NetworkEvent) -> Void] = [:]
  private var nextListener = 0

  var hasListeners: Bool { !listeners.isEmpty }

  mutating func record(_ kind: NetworkEvent.Kind, at time: SimulatedInstant, transfer: Int?) {
    let event = NetworkEvent(time: time, transfer: transfer, kind: kind)
    droppedEvents += Self.makeRoom(in: &events, limit: Self.eventLimit)
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
    droppedTransfers += Self.makeRoom(in: &transfers, limit: Self.transferLimit)
    transfers.append(transfer)
  }

  /// Drops the older half of a list that has reached its limit, and says how many that are.
  private static func makeRoom<Element>(in list: inout [Element], limit: Int) -> Int {
    guard list.count >= limit else { return 0 }
    list.removeFirst(limit / 2)
    return limit / 2
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
