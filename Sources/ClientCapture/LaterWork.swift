#if os(Linux)
  import Internals

  /// A client's scheduled work: timers, timer descriptors, and delayed work of queues.
  struct LaterWork {
    var sources: [UnsafeMutableRawPointer: ClientTimer] = [:]
    /// The scheduled calls of timers that are read from a descriptor, by that descriptor.
    var descriptors: [Int32: TimerTicket] = [:]
    var delayed: [Int: (item: ClientQueue.Item, queue: ClientQueue, call: TimerTicket?)] = [:]
    private var lastNumber = 0

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    /// Stops all timers, and returns the tickets of all other scheduled work.
    func kill() -> [TimerTicket] {
      for timer in sources.values { timer.die() }
      return delayed.values.compactMap(\.call) + descriptors.values
    }
  }
#endif
