extension Link {
  /// Replaces the conditions from `now` on, and recomputes waiting packets with the same random numbers.
  mutating func use(_ new: LinkParameters, at now: Int64) {
    let old = parameters
    parameters = new
    cursor = new.trace.map { DeliveryCursor($0, from: now) }
    var first = tail
    while first > head, slots[(first - 1) & mask].departure > now { first -= 1 }
    if old.usesChance, old.lossAlone == nil, !memories.before.isEmpty {
      for position in (first..<tail).reversed() {
        memories.flows[Int(slots[position & mask].flow)] = memories.before[position & mask]
      }
    }
    let overtakes = new.reorders || !overtaking.isEmpty
    overtaking.removeAll()
    latestArrival = latestDelivery
    for position in head..<first where slots[position & mask].fate.isArriving {
      let arrival = slots[position & mask].arrival
      latestArrival = max(latestArrival, arrival)
      if overtakes { overtaking.insert(time: arrival, value: position) }
    }
    if first < tail { timeAgain(from: first, old: old, at: now, overtakes: overtakes) }
    waiting = min(first + 1, tail)
    nextLoss = min(nextLoss, first)
    seekLoss()
    refresh()
  }

  /// Recomputes the times of all packets from the one in service (`first`) to the newest.
  private mutating func timeAgain(from first: Int, old: LinkParameters, at now: Int64, overtakes: Bool) {
    let size = Int64(slots[first & mask].size) * 8
    let (bits, since) =
      service.position == first ? (service.bits, service.since) : (size, slots[first & mask].start)
    // A packet that a trace was carrying starts again: its sent bytes do not count.
    let left = old.trace == nil ? bits - old.bits(in: now - since, limit: bits) : bits
    service = (first, left, now)
    var departure = departure(ofBits: left, from: now)
    for position in first..<tail {
      var slot = slots[position & mask]
      if position > first {
        slot.start = departure
        departure = self.departure(ofBits: Int64(slot.size) * 8, from: departure)
      }
      slot.departure = departure
      decide(&slot, at: position)
      slots[position & mask] = slot
      if overtakes, !parameters.reorders, overtaking.isEmpty, slot.fate.isArriving {
        overtaking.insert(time: slot.arrival, value: position)
      }
    }
    freeAt = departure
  }
}
