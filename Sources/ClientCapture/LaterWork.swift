#if os(Linux)
  import Internals

  /// What a client has set to happen later: timers, readable timers, and work of queues.
  struct LaterWork {
    var sources: [UnsafeMutableRawPointer: ClientTimer] = [:]
    /// By the descriptor that can be read then.
    var descriptors: [Int32: TimerTicket] = [:]
    var delayed: [Int: (item: ClientQueue.Item, queue: ClientQueue, call: TimerTicket?)] = [:]
    private var lastNumber = 0

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    /// Has no timer fire again, and returns the others' tickets.
    func kill() -> [TimerTicket] {
      for timer in sources.values { timer.die() }
      return delayed.values.compactMap(\.call) + descriptors.values
    }
  }
#endif
