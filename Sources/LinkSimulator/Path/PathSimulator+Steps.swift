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

/// What a timer in the heap is for, beside a number: the lowest two bits of its value.
enum TimerKind: Int {
  case connection
  case lookup
  case answer
  case stream
}

extension PathSimulator {
  /// When something happens next; `.max` when nothing does.
  @inline(__always)
  var nextTime: Int64 {
    min(min(wires[.up].link.nextTime, wires[.down].link.nextTime), min(timers.firstTime, phaseEnd))
  }

  /// Does one thing that is due at `next`: a phase first, then the up link, the down link, a timer.
  @inline(__always)
  mutating func step(at next: Int64) {
    if phaseEnd == next {
      enterPhase()
    } else if wires[.up].link.nextTime == next {
      takeNext(.up)
    } else if wires[.down].link.nextTime == next {
      takeNext(.down)
    } else {
      let entry = timers.removeFirst()
      let index = Int32(truncatingIfNeeded: entry.value >> 2)
      switch TimerKind(rawValue: entry.value & 3) {
      case .connection: connectionTimerFired(index, at: entry.time)
      case .lookup: lookupTimerFired(index, at: entry.time)
      case .answer: answerTimerFired(index, at: entry.time)
      case .stream, nil: streamTimerFired(index, at: entry.time)
      }
    }
    passNotices()
    if !unsent.isEmpty { transmitUnsent() }
  }

  /// Takes what a link has to say.
  @inline(__always)
  private mutating func takeNext(_ direction: Direction) {
    if recordsPackets { logLoss(direction) }
    switch wires[direction].link.next() {
    case .arrival(let position): arrived(wires[direction].link.packet(at: position), direction)
    case .loss(let owner, let kind, let reason): lost(owner, kind, direction, reason)
    }
  }

  /// Tells the requests what has happened to their packets.
  @inline(__always)
  mutating func passNotices() {
    if !wires[.up].notices.isEmpty { passNotices(.up) }
    if !wires[.down].notices.isEmpty { passNotices(.down) }
  }

  mutating func arm(_ kind: TimerKind, _ index: Int32, at time: Int64) {
    if time < .max { timers.insert(time: time, value: Int(index) << 2 | kind.rawValue) }
  }

  /// Reports that something has happened to a request, or to the path.
  @inline(__always)
  mutating func report(_ kind: PathEvent.Kind, stream slot: Int32?) {
    let id = slot.map { streams[$0].id }
    events.append(PathEvent(time: now, stream: id, kind: kind))
  }

  mutating func command(_ kind: Command.Kind, _ stream: StreamID) {
    guard let slot = streams.slot(of: stream), streams[slot].state != .ended else { return }
    commands.append(Command(key: streams[slot].key, slot: slot, number: stream.number, kind: kind))
  }

  /// Does what was asked for at this instant, in the order of the keys; equal keys in the order of the calls.
  mutating func runCommands() {
    var work: [Command] = []
    swap(&work, &commands)
    work.sort { $0.key < $1.key }
    for command in work {
      guard streams[command.slot].number == command.number else { continue }
      run(command)
      passNotices()
    }
    if !unsent.isEmpty { transmitUnsent() }
    work.removeAll(keepingCapacity: true)
    if commands.isEmpty { swap(&work, &commands) }
  }

  private mutating func run(_ command: Command) {
    switch command.kind {
    case .open: start(command.slot)
    case .write(let count, let direction, let isLast, let closes):
      if closes, connections[pool: streams[command.slot].pool].key.version == .http1 {
        streams[command.slot].closes = true
      }
      write(count, direction, isLast: isLast, command.slot)
    case .stop: stopped(command.slot)
    case .cancel: end(command.slot, closing: true, resetting: true)
    case .abort: aborted(command.slot)
    }
  }

  /// Takes over the conditions that hold now.
  mutating func enterPhase() {
    let position = schedule.position(at: now)
    let before = conditions.outage
    conditions = schedule.phases[position.index].conditions
    phaseEnd = position.end?.nanoseconds ?? .max
    for direction in Direction.allCases { wires[direction].link.use(linkParameters(direction), at: time) }
    report(.phaseEntered(index: position.index), stream: nil)
    if conditions.outage == .refuse, before != .refuse { disconnect() }
  }

  /// Tells the requests what has happened to their packets.
  private mutating func passNotices(_ direction: Direction) {
    let notices = wires[direction].notices
    wires[direction].notices.removeAll(keepingCapacity: true)
    for notice in notices {
      switch notice.kind {
      case .lost(let reason): lost(notice.owner, notice.packet, direction, reason)
      case .retransmitted(let cause): reportOwner(notice.owner, .retransmitted(direction, cause))
      case .stalled: reportOwner(notice.owner, .stalled)
      }
    }
  }

  private mutating func reportOwner(_ owner: Int32, _ kind: PathEvent.Kind) {
    let slot = connections[owner].stream
    if slot >= 0 { report(kind, stream: slot) }
  }

  private mutating func lost(_ owner: Int32, _ kind: Packet.Kind, _ direction: Direction, _ reason: PacketLoss) {
    if kind == .query || kind == .answer {
      for waiter in resolver[owner].waiting {
        if let slot = streams.slot(of: waiter, in: .resolving) { report(.packetLost(direction, reason), stream: slot) }
      }
      return
    }
    connections[owner, direction].tcp.counters.lost += 1
    reportOwner(owner, .packetLost(direction, reason))
    if connections[owner].isClosed { freeIfUnused(owner) }
  }
}
