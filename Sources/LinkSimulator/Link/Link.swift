/// One direction of a network: a queue, a serialiser, losses, and a delay.
///
/// A link is a deterministic function of its history, so it needs no event for each step of a packet. `send` computes
/// the start of serialisation, departure, fate and arrival at once. They hold until the conditions change: then packets
/// that have not departed are recomputed.
struct Link: Sendable {
  /// What happens to a packet.
  ///
  /// Not `Equatable`: comparing the payload costs 4 % of the simulator's speed.
  enum Fate {
    case arrives
    case lost(PacketLoss)
    /// The arrival or the loss has been reported.
    case done

    @inline(__always)
    var isArriving: Bool { if case .arrives = self { true } else { false } }
    @inline(__always)
    var isDone: Bool { if case .done = self { true } else { false } }
  }

  enum Occurrence {
    /// The packet at this position has arrived; it stays there until the next packet is sent.
    case arrival(position: Int)
    case loss(owner: Int32, kind: Packet.Kind, PacketLoss)
  }

  var parameters: LinkParameters
  /// The link's position in its trace; `nil` for a link with a rate.
  var cursor: DeliveryCursor?
  /// Recorded or prescribed fates of single packets; `nil` for most links.
  var script: LinkScript?
  /// The flows by number, each with a random source.
  var flows: [Flow] = []
  /// A ring of packets; positions only grow, and index it modulo its size, a power of two.
  var slots: [Slot] = []
  var mask = 0
  /// The SACK blocks of packets that have some, by slot index; empty until first used.
  var blocks: [SelectiveBlocks] = []
  /// What impairments remember; empty until first used.
  var memories = LinkMemory()
  /// The position of the oldest packet; `tail` follows the newest.
  var head = 0
  var tail = 0
  /// A lower bound for the first packet that waits for serialisation; updated when the queue may be full.
  var waiting = 0
  /// The position of the next lost packet to report, or `tail`.
  var nextLoss = 0
  /// When the last queued packet will have left.
  var freeAt: Int64 = 0
  /// The latest arrival time given to a packet; later packets must not arrive earlier.
  var latestArrival: Int64 = 0
  /// The latest arrival that has been reported.
  var latestDelivery: Int64 = 0
  /// The remaining bits of the packet in service at the last change of conditions, and the time of that change.
  var service: (position: Int, bits: Int64, since: Int64) = (-1, 0, 0)
  /// Positions ordered by arrival; used only while packets may overtake each other.
  var overtaking = MinimumHeap()
  /// When the link's next event is due; `.max` for never.
  private(set) var nextTime = Int64.max
  /// The packets accepted so far; `refused` counts those dropped by a full queue.
  private(set) var accepted: Int64 = 0
  private(set) var refused: Int64 = 0

  init(_ parameters: LinkParameters) {
    self.parameters = parameters
    cursor = parameters.trace.map { DeliveryCursor($0, from: 0) }
  }

  /// How many packets are queued, in service or propagating.
  var occupancy: Int { tail - head }

  mutating func begin(_ flow: Int32, _ random: KeyedRandom) {
    if Int(flow) == flows.count {
      flows.append(Flow(random: random))
    } else {
      flows[Int(flow)] = Flow(random: random)
      memories.forget(Int(flow))
    }
  }

  /// Hands a packet to the link; `false` when the queue is full.
  mutating func send(_ packet: borrowing Packet, at now: Int64) -> Bool {
    let number = flows[Int(packet.flow)].packets
    let busy = freeAt > now
    if busy {
      if tail - waiting >= parameters.queue, !hasRoom(at: now) {
        flows[Int(packet.flow)].packets = number + 1
        refused += 1
        return false
      }
    } else {
      waiting = tail
    }
    let start = busy ? freeAt : now
    let departure = departure(ofBits: Int64(packet.size) * 8, from: start)
    freeAt = departure
    if tail - head == slots.count { grow(filler: Slot(packet, number: number, start: start, departure: departure)) }
    if parameters.isSimple, overtaking.isEmpty, script == nil {
      let fate = simpleFate(of: number, in: Int(packet.flow), departure)
      append(
        Slot(
          packet, number: number, start: start, departure: departure, arrival: latestArrival, role: .single, fate: fate),
        packet)
    } else {
      var slot = Slot(packet, number: number, start: start, departure: departure)
      if appendDecided(&slot, packet) { sendCopy(of: packet, number: number, at: now) }
    }
    return true
  }

  /// Decides on the fate of a packet as ``decide(_:at:)`` does, if the link has at most independent loss.
  @inline(__always)
  private mutating func simpleFate(of number: UInt64, in flow: Int, _ departure: Int64) -> Fate {
    if let loss = parameters.lossAlone, loss.happens(to: flows[flow].random.keyed(by: number)) {
      nextTime = min(nextTime, departure)
      return .lost(.link)
    }
    latestArrival = max(latestArrival, departure.saturatingAdd(parameters.delay))
    if tail == head { nextTime = min(nextTime, latestArrival) }
    if nextLoss == tail { nextLoss += 1 }
    return .arrives
  }

  @inline(__always)
  private mutating func append(_ slot: Slot, _ packet: borrowing Packet) {
    let index = tail & mask
    slots[index] = slot
    if slot.hasBlocks { keep(packet.blocks, index) }
    flows[Int(slot.flow)].enter(slot.number)
    tail += 1
    accepted += 1
  }

  /// Decides on a packet's fate, and appends it to the ring; returns whether a duplicate must be sent.
  @inline(__always)
  private mutating func appendDecided(_ slot: inout Slot, _ packet: borrowing Packet) -> Bool {
    decide(&slot, at: tail)
    if slot.role == .fresh { slot.role = .single }
    if slot.fate.isArriving, nextLoss == tail { nextLoss += 1 }
    append(slot, packet)
    return slot.role == .doubled
  }

  /// Sends a packet's duplicate, if the queue has room.
  @inline(never)
  private mutating func sendCopy(of packet: borrowing Packet, number: UInt64, at now: Int64) {
    guard tail - waiting < parameters.queue || freeAt <= now || hasRoom(at: now) else { return }
    let start = max(freeAt, now)
    freeAt = departure(ofBits: Int64(packet.size) * 8, from: start)
    var slot = Slot(packet, number: number, start: start, departure: freeAt)
    slot.role = .copy
    if tail - head == slots.count { grow(filler: slot) }
    _ = appendDecided(&slot, packet)
  }

  /// When the last bit leaves if transmission begins at `start`.
  @inline(__always)
  mutating func departure(ofBits bits: Int64, from start: Int64) -> Int64 {
    if cursor == nil { return start.saturatingAdd(parameters.serialisation(ofBits: bits)) }
    return cursor?.departure(ofBytes: (bits + 7) / 8, from: start) ?? start
  }

  /// Updates `waiting`, and returns whether the queue has room for another packet.
  private mutating func hasRoom(at now: Int64) -> Bool {
    waiting = max(waiting, head)
    while waiting < tail, slots[waiting & mask].start <= now { waiting += 1 }
    return tail - waiting < parameters.queue
  }

  /// Draws the fate of a packet and computes its arrival from its departure.
  mutating func decide(_ slot: inout Slot, at position: Int) {
    let departure = slot.departure
    var fate = Fate.arrives
    var delay = parameters.delay
    if parameters.usesChance {
      let flow = Int(slot.flow)
      memories.note(flow, before: position & mask, of: slots.count)
      // A duplicate has no draws of its own: those of the original would apply twice.
      if slot.role != .copy {
        let drawn = draw(flow, slot, departure)
        if let loss = drawn.loss { fate = .lost(loss) }
        delay = drawn.isAhead ? 0 : max(0, delay.saturatingAdd(drawn.deviation))
        slot.role = drawn.isDoubled ? .doubled : .single
      }
    }
    if parameters.isOut { fate = .lost(.outage) }
    slot.fate = fate
    if fate.isArriving {
      let arrival = departure.saturatingAdd(delay)
      if parameters.reorders {
        slot.arrival = arrival
        overtaking.insert(time: arrival, value: position)
        nextTime = min(nextTime, arrival)
      } else {
        latestArrival = max(latestArrival, arrival)
        slot.arrival = latestArrival
        if overtaking.isEmpty {
          if position == head { nextTime = min(nextTime, latestArrival) }
        } else {
          overtaking.insert(time: latestArrival, value: position)
        }
      }
    } else {
      slot.arrival = latestArrival
      nextTime = min(nextTime, departure)
    }
  }

  /// Draws a packet's fate from the flow's random source, or reads it from the script.
  @inline(__always)
  private mutating func draw(_ flow: Int, _ slot: Slot, _ departure: Int64) -> PacketFate {
    let key = flows[flow].random.keyed(by: slot.number)
    var fate = PacketFate()
    // Not an iteration over the array, which would retain it for each packet.
    for place in 0..<parameters.draws.count {
      let kind = parameters.draws[place].kind
      parameters.draws[place].draw(key, &memories.flows[flow][kind], &fate)
    }
    // Duplication was decided on sending: a duplicate that is queued stays.
    if slot.role != .fresh { fate.isDoubled = slot.role == .doubled }
    guard script != nil else { return fate }
    return script?.decide(flow, slot.number, drawn: fate, isOut: parameters.isOut, departure: departure) ?? fate
  }

  /// Takes the event that is due at `nextTime`.
  mutating func next() -> Occurrence {
    let time = nextTime
    if nextLoss < tail, slots[nextLoss & mask].departure <= time, case .lost(let reason) = slots[nextLoss & mask].fate {
      let index = nextLoss & mask
      let owner = slots[index].owner
      let kind = slots[index].kind
      slots[index].fate = .done
      flows[Int(slots[index].flow)].inNetwork -= 1
      seekLoss()
      refresh()
      return .loss(owner: owner, kind: kind, reason)
    }
    var position = head
    if overtaking.isEmpty {
      head += 1
    } else {
      position = overtaking.removeFirst().value
      slots[position & mask].fate = .done
    }
    flows[Int(slots[position & mask].flow)].inNetwork -= 1
    latestDelivery = max(latestDelivery, time)
    refresh()
    return .arrival(position: position)
  }

  mutating func seekLoss() {
    while nextLoss < tail {
      if case .lost = slots[nextLoss & mask].fate { return }
      nextLoss += 1
    }
  }

  /// Removes finished packets from the front, and recomputes `nextTime`.
  mutating func refresh() {
    while head < tail, slots[head & mask].fate.isDone { head += 1 }
    if head == tail {
      nextTime = .max
      nextLoss = tail
      return
    }
    var time = Int64.max
    if nextLoss < tail { time = slots[nextLoss & mask].departure }
    if !overtaking.isEmpty {
      time = min(time, overtaking.firstTime)
    } else if slots[head & mask].fate.isArriving {
      time = min(time, slots[head & mask].arrival)
    }
    nextTime = time
  }
}

/// The random source for one connection's packets in one direction.
///
/// A draw is keyed by the packet's number. So its fate depends neither on its time nor on other connections. Only some
/// impairments depend on the flow's previous packet.
struct Flow: Sendable {
  /// A random source keyed by seed, host, connection and direction.
  var random: KeyedRandom
  /// How many packets the flow has handed to the link so far.
  var packets: UInt64 = 0
  /// How many of the flow's packets are queued, in service or propagating.
  var inNetwork = 0

  @inline(__always)
  mutating func enter(_ number: UInt64) {
    packets = number + 1
    inNetwork += 1
  }
}
