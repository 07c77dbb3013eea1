@testable import LinkSimulator

/// A simple model of a link: a queue, a packet being sent bit by bit, and packets in flight.
///
/// It is slow and obvious. Time moves from event to event, and the current rate counts down the bits of the packet in
/// service.
struct ReferenceLink {
  struct Result: Hashable {
    var number: Int
    var time: Int64
    var isLost: Bool
  }

  private struct Waiting {
    var number: Int
    var bits: Int64
  }

  var rate: Int64?
  var delay: Int64
  var queue: Int
  var loses: (Int) -> Bool
  private var waiting: [Waiting] = []
  private var inService: Waiting?
  /// When the remaining bits of the packet in service were last updated.
  private var countedAt: Int64 = 0
  private var now: Int64 = 0
  private var lastArrival: Int64 = 0
  private(set) var results: [Result] = []
  private(set) var refused: [Int] = []

  init(rate: Int64?, delay: Int64, queue: Int, loses: @escaping (Int) -> Bool) {
    self.rate = rate
    self.delay = delay
    self.queue = queue
    self.loses = loses
  }

  /// When the packet in service leaves if the rate does not change.
  private var departure: Int64? {
    guard let packet = inService else { return nil }
    guard let rate else { return countedAt }
    guard rate > 0 else { return nil }
    return countedAt + (packet.bits * 1_000_000_000 + rate - 1) / rate
  }

  mutating func run(to time: Int64) {
    while let due = departure, due <= time {
      now = due
      leave()
    }
    now = time
  }

  private mutating func leave() {
    let packet = inService!
    let isLost = loses(packet.number)
    if !isLost { lastArrival = max(lastArrival, now + delay) }
    results.append(Result(number: packet.number, time: isLost ? now : lastArrival, isLost: isLost))
    inService = waiting.isEmpty ? nil : waiting.removeFirst()
    countedAt = now
  }

  mutating func send(_ number: Int, size: Int64, at time: Int64) {
    run(to: time)
    if inService == nil {
      inService = Waiting(number: number, bits: size * 8)
      countedAt = time
    } else if waiting.count < queue {
      waiting.append(Waiting(number: number, bits: size * 8))
    } else {
      refused.append(number)
    }
    run(to: time)
  }

  mutating func change(rate newRate: Int64?, delay newDelay: Int64, at time: Int64) {
    run(to: time)
    if let rate, var packet = inService {
      // Whole bits only, as a receiver would count them.
      packet.bits -= Int64((Double(time - countedAt) * Double(rate) / 1e9).rounded(.down))
      inService = packet
      countedAt = time
    }
    rate = newRate
    delay = newDelay
    run(to: time)
  }
}
