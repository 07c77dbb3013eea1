/// One direction of a network: a queue, a serialiser, losses, and a delay.
///
/// A link is a deterministic function of its history, so it needs no event for each step of a packet: when a packet is
/// handed over, its start of serialisation, departure, fate and arrival are known at once, and hold until the
/// conditions change. Then everything that has not departed is timed again.
struct Link: Sendable {
  /// The fate of a packet.
  ///
  /// Not `Equatable`: a comparison looks at the payload, which costs 4 % of the simulator's speed.
  enum Fate {
    case arrives
    case lost(PacketLoss)
    /// It has arrived, or its loss has been reported.
    case done

    @inline(__always)
    var isArriving: Bool { if case .arrives = self { true } else { false } }
    @inline(__always)
    var isDone: Bool { if case .done = self { true } else { false } }
  }

  /// An event that a link tells of.
  enum Occurrence {
    /// The packet at this position has arrived; it stays there until the next packet is sent.
    case arrival(position: Int)
    case loss(owner: Int32, kind: Packet.Kind, PacketLoss)
  }

  var parameters: LinkParameters
  /// Where the link stands in its trace; `nil` where it has a rate.
  var cursor: DeliveryCursor?
  /// The fates of single packets, written down or to be read out; most links have none.
  var script: LinkScript?
  /// The streams of chance, by number.
  var flows: [Flow] = []
  /// A ring; positions count up for ever and are taken modulo its size, a power of two.
  var slots: [Slot] = []
  var mask = 0
  /// The selective blocks of the packets that have any, by the places of their slots; empty until there are some.
  var blocks: [SelectiveBlocks] = []
  /// The memory that the packet before of the same flow handed on, by the places of slots; empty until chance is asked.
  var memories: [FlowMemory] = []
  /// The positions of the oldest packet and after the newest.
  var head = 0
  var tail = 0
  /// No packet before this position waits for its serialisation; looked for only when the queue may be full.
  var waiting = 0
  /// The position of the next lost packet to report, or `tail`.
  var nextLoss = 0
  /// When the last packet in the queue will have left.
  var freeAt: Int64 = 0
  /// The latest arrival so far, which later packets must not precede.
  var latestArrival: Int64 = 0
  /// The latest arrival that has happened.
  var latestDelivery: Int64 = 0
  /// How many bits of the packet in service were left when its service was last timed, and when that was.
  var service: (position: Int, bits: Int64, since: Int64) = (-1, 0, 0)
  /// Positions by arrival; used only while packets may overtake.
  var overtaking = MinimumHeap()
  /// When the link has something to say next; `.max` when never.
  private(set) var nextTime = Int64.max
  /// Packets handed over, and refused by a full queue.
  private(set) var accepted: Int64 = 0
  private(set) var refused: Int64 = 0

  init(_ parameters: LinkParameters) {
    self.parameters = parameters
    cursor = parameters.trace.map { DeliveryCursor($0, from: 0) }
  }

  /// How many packets are in the queue, in service or on their way.
  var occupancy: Int { tail - head }

  /// A connection or a look-up begins, whose packets draw from this stream of chance.
  mutating func begin(_ flow: Int32, _ random: KeyedRandom) {
    if Int(flow) == flows.count {
      flows.append(Flow(random: random))
    } else {
      flows[Int(flow)] = Flow(random: random)
    }
  }

  /// Hands a packet to the link; `false` when the queue is full.
  mutating func send(_ packet: borrowing Packet, at now: Int64) -> Bool {
    let flow = Int(packet.flow)
    let number = flows[flow].packets
    flows[flow].packets = number + 1
    let busy = freeAt > now
    if busy {
      if tail - waiting >= parameters.queue, !hasRoom(at: now) {
        refused += 1
        return false
      }
    } else {
      waiting = tail
    }
    let start = busy ? freeAt : now
    let departure = departure(ofBits: Int64(packet.size) * 8, from: start)
    freeAt = departure
    let isDoubled = append(Slot(packet, number: number, start: start, departure: departure), packet.blocks)
    if isDoubled { sendCopy(of: packet, number: number, at: now) }
    return true
  }

  /// Puts a packet behind all others; whether it is to be sent twice.
  @inline(__always)
  private mutating func append(_ new: Slot, _ blocks: SelectiveBlocks) -> Bool {
    var slot = new
    if tail - head == slots.count { grow(filler: slot) }
    let position = tail
    tail += 1
    accepted += 1
    flows[Int(slot.flow)].inNetwork += 1
    decide(&slot, at: position)
    if slot.role == .fresh { slot.role = .single }
    slots[position & mask] = slot
    if slot.hasBlocks { keep(blocks, position & mask) }
    if slot.fate.isArriving, nextLoss == position { nextLoss = tail }
    return slot.role == .doubled
  }

  /// Sends the second one of a doubled packet, where the queue has room for it.
  @inline(never)
  private mutating func sendCopy(of packet: borrowing Packet, number: UInt64, at now: Int64) {
    guard tail - waiting < parameters.queue || freeAt <= now || hasRoom(at: now) else { return }
    let start = max(freeAt, now)
    freeAt = departure(ofBits: Int64(packet.size) * 8, from: start)
    var slot = Slot(packet, number: number, start: start, departure: freeAt)
    slot.role = .copy
    _ = append(slot, packet.blocks)
  }

  /// When the last bit leaves of what begins to be sent at `start`.
  @inline(__always)
  mutating func departure(ofBits bits: Int64, from start: Int64) -> Int64 {
    if cursor == nil { return start.saturatingAdd(parameters.serialisation(ofBits: bits)) }
    return cursor?.departure(ofBytes: (bits + 7) / 8, from: start) ?? start
  }

  /// Looks for the first packet that waits, and says whether one more may.
  private mutating func hasRoom(at now: Int64) -> Bool {
    waiting = max(waiting, head)
    while waiting < tail, slots[waiting & mask].start <= now { waiting += 1 }
    return tail - waiting < parameters.queue
  }

  /// Decides the fate and the arrival of a packet whose departure is known.
  mutating func decide(_ slot: inout Slot, at position: Int) {
    let departure = slot.departure
    var fate = Fate.arrives
    var delay = parameters.delay
    if parameters.usesChance {
      let flow = Int(slot.flow)
      remember(flows[flow].memory, position & mask)
      // A copy meets with nothing of its own: what was drawn for the packet is its own affair.
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

  /// Asks chance about a packet, or what is written down of it.
  @inline(__always)
  private mutating func draw(_ flow: Int, _ slot: Slot, _ departure: Int64) -> PacketFate {
    let key = flows[flow].random.keyed(by: slot.number)
    var fate = PacketFate()
    for (kind, draw) in parameters.draws { draw(key, &flows[flow].memory[kind], &fate) }
    // Whether it is sent twice was decided when it was handed over: a copy that is in the queue stays there.
    if slot.role != .fresh { fate.isDoubled = slot.role == .doubled }
    guard script != nil else { return fate }
    return script?.decide(flow, slot.number, drawn: fate, isOut: parameters.isOut, departure: departure) ?? fate
  }

  /// Takes what the link has to say at `nextTime`.
  mutating func next() -> Occurrence {
    let time = nextTime
    if nextLoss < tail, slots[nextLoss & mask].departure <= time, case .lost(let reason) = slots[nextLoss & mask].fate {
      let index = nextLoss & mask
      let owner = slots[index].owner
      let kind = slots[index].kind
      slots[index].fate = .done
      flows[Int(slots[index].flow)].inNetwork -= 1
      nextLoss += 1
      seekLoss()
      refresh()
      return .loss(owner: owner, kind: kind, reason)
    }
    var position = head
    if !overtaking.isEmpty { position = overtaking.removeFirst().value }
    slots[position & mask].fate = .done
    flows[Int(slots[position & mask].flow)].inNetwork -= 1
    latestDelivery = max(latestDelivery, time)
    refresh()
    return .arrival(position: position)
  }

  /// Moves on to the next packet that is lost.
  mutating func seekLoss() {
    while nextLoss < tail {
      if case .lost = slots[nextLoss & mask].fate { return }
      nextLoss += 1
    }
  }

  /// Drops what is done from the front and finds the next time.
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

/// The stream of chance of one connection in one direction: what decides the fate of each of its packets.
///
/// A draw is keyed by the packet's number, so the fate of packet n does not depend on when it was sent or on what other
/// connections do. Only some impairments look back, to the packet before of the same flow.
struct Flow: Sendable {
  /// The key of the seed, the host, the connection and the direction.
  var random: KeyedRandom
  /// How many packets were handed to the link so far.
  var packets: UInt64 = 0
  /// How many of them are in the queue, in service or on their way.
  var inNetwork = 0
  /// The memory that carries over from packet to packet.
  var memory = FlowMemory()
}
