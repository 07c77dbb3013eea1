/// Something that was asked for, to be done at the next step in the order of the requests' keys.
struct Command: Sendable {
  enum Kind: Sendable {
    case open
    case write(Int64, Direction, isLast: Bool, closes: Bool)
    case stop
    case cancel
    case abort
  }

  var key: UInt64
  var slot: Int32
  var number: Int
  var kind: Kind
}

/// What a timer in the heap is for, beside a number: the lowest three bits of its value.
enum TimerKind: Int {
  case connection
  case lookup
  case answer
  case stream
  case idleClose
}

extension PathSimulator {
  /// When something happens next; `.max` when nothing does.
  @inline(__always)
  var nextTime: Int64 {
    min(min(up.link.nextTime, down.link.nextTime), min(timers.firstTime, phaseEnd))
  }

  /// Does one thing that is due at `next`: a phase first, then the up link, the down link, a timer.
  @inline(__always)
  mutating func step(at next: Int64) {
    if phaseEnd == next {
      enterPhase()
    } else if up.link.nextTime == next {
      if up.tape != nil { logLoss(.up) }
      switch up.link.next() {
      case .arrival(let position): arrived(up.link.packet(at: position), .up)
      case .loss(let owner, let kind, let reason): lost(owner, kind, .up, reason)
      }
    } else if down.link.nextTime == next {
      if down.tape != nil { logLoss(.down) }
      switch down.link.next() {
      case .arrival(let position): arrived(down.link.packet(at: position), .down)
      case .loss(let owner, let kind, let reason): lost(owner, kind, .down, reason)
      }
    } else {
      let entry = timers.removeFirst()
      let index = entry.value >> 3
      switch TimerKind(rawValue: entry.value & 7) {
      case .connection: connectionTimerFired(index, at: entry.time)
      case .lookup: lookupTimerFired(index, at: entry.time)
      case .answer: answerTimerFired(index, at: entry.time)
      case .idleClose: idleTimerFired(index, at: entry.time)
      case .stream, nil: streamTimerFired(index, at: entry.time)
      }
    }
    passNotices()
    if !unsent.isEmpty { transmitUnsent() }
  }

  /// Tells the requests what has happened to their packets.
  @inline(__always)
  mutating func passNotices() {
    if !up.notices.isEmpty { passNotices(.up) }
    if !down.notices.isEmpty { passNotices(.down) }
  }

  mutating func arm(_ kind: TimerKind, _ index: Int, at time: Int64) {
    if time < .max { timers.insert(time: time, value: index << 3 | kind.rawValue) }
  }

  /// Reports that something has happened to a request, or to the path.
  @inline(__always)
  mutating func report(_ kind: PathEvent.Kind, stream slot: Int32?) {
    let id = slot.map { streams[Int($0)].id }
    events.append(PathEvent(time: now, stream: id, kind: kind))
  }

  mutating func command(_ kind: Command.Kind, _ stream: StreamID) {
    guard let slot = numbers.slot(of: stream.number), streams[Int(slot)].state != .ended else { return }
    commands.append(Command(key: streams[Int(slot)].key, slot: slot, number: stream.number, kind: kind))
  }

  /// Does what was asked for at this instant, in the order of the keys; equal keys in the order of the calls.
  @inline(__always)
  mutating func runCommands() {
    guard !commands.isEmpty else { return }
    var work: [Command] = []
    swap(&work, &commands)
    if work.count > 1 { sort(&work) }
    for command in work {
      guard streams[Int(command.slot)].number == command.number else { continue }
      run(command)
      passNotices()
    }
    if !unsent.isEmpty { transmitUnsent() }
    work.removeAll(keepingCapacity: true)
    if commands.isEmpty { swap(&work, &commands) }
  }

  private func sort(_ work: inout [Command]) {
    var isSorted = true
    for index in 1..<work.count where work[index].key < work[index - 1].key { isSorted = false }
    if isSorted { return }
    var order = work.indices.map { (key: work[$0].key, place: $0) }
    order.sort { $0.key < $1.key || ($0.key == $1.key && $0.place < $1.place) }
    work = order.map { work[$0.place] }
  }

  private mutating func run(_ command: Command) {
    switch command.kind {
    case .open: start(command.slot)
    case .write(let count, let direction, let isLast, let closes):
      if closes, pools[Int(streams[Int(command.slot)].pool)].key.version == .http1 {
        streams[Int(command.slot)].closes = true
      }
      write(count, direction, isLast: isLast, command.slot)
    case .stop: stopped(command.slot)
    case .cancel: cancelled(command.slot)
    case .abort: aborted(command.slot)
    }
  }

  /// Takes over the conditions that hold now.
  mutating func enterPhase() {
    let position = schedule.position(at: now)
    let before = conditions.outage
    conditions = schedule.phases[position.index].conditions
    phaseEnd = position.end?.nanoseconds ?? .max
    let isOut = conditions.outage != nil
    up.link.use(linkParameters(conditions.up, isOut: isOut), at: time)
    down.link.use(linkParameters(conditions.down, isOut: isOut), at: time)
    report(.phaseEntered(index: position.index), stream: nil)
    if conditions.outage == .refuse, before != .refuse { disconnect() }
  }

  /// Tells the requests what has happened to their packets.
  private mutating func passNotices(_ direction: Direction) {
    let notices = direction == .up ? up.notices : down.notices
    if direction == .up {
      up.notices.removeAll(keepingCapacity: true)
    } else {
      down.notices.removeAll(keepingCapacity: true)
    }
    for notice in notices {
      switch notice.kind {
      case .lost(let reason): lost(notice.owner, notice.packet, direction, reason)
      case .retransmitted(let cause): reportOwner(notice.owner, .retransmitted(direction, cause))
      case .stalled: reportOwner(notice.owner, .stalled)
      }
    }
  }

  private mutating func reportOwner(_ owner: Int32, _ kind: PathEvent.Kind) {
    let slot = connections[Int(owner)].stream
    if slot >= 0 { report(kind, stream: slot) }
  }

  private mutating func lost(_ owner: Int32, _ kind: Packet.Kind, _ direction: Direction, _ reason: PacketLoss) {
    if kind == .query || kind == .answer {
      for waiter in lookups[Int(owner)].waiting {
        if let slot = slot(of: waiter, in: .resolving) { report(.packetLost(direction, reason), stream: slot) }
      }
      return
    }
    if direction == .up {
      connections[Int(owner)].client.counters.lost += 1
    } else {
      connections[Int(owner)].server.counters.lost += 1
    }
    reportOwner(owner, .packetLost(direction, reason))
    if connections[Int(owner)].isClosed { freeIfUnused(owner) }
  }
}
