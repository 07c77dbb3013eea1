/// The look-up of a host's name: two packets, the resolver's own time, and repetitions.
struct NameLookup: Sendable {
  enum State: UInt8 {
    case idle
    case asking
    case known
  }

  /// How long an answer is waited for, and how often the question is repeated (resolv.conf(5): timeout, attempts).
  static let patience: Int64 = 5_000_000_000
  static let repetitions = 2

  let flow: Int32
  /// IP, UDP and DNS heads, the name with its two length bytes, type and class.
  let questionSize: Int32
  /// The question and one address record.
  var answerSize: Int32 { questionSize + 16 }
  /// Whether the answer is that there is no such name.
  let fails: Bool
  var state = State.idle
  var attempts = 0
  var deadline = Int64.max
  /// When the resolver answers; `.max` when nobody has asked.
  var answersAt = Int64.max
  var waiting: [StreamHandle] = []

  /// Ends the look-up, and says which requests have waited for it.
  mutating func end(_ state: State) -> [StreamHandle] {
    self.state = state
    deadline = .max
    defer { waiting = [] }
    return waiting
  }
}

/// The look-ups of a path, of which there is one for each host and one for each that fails by decree.
struct Resolver: Sendable {
  private var lookups: [NameLookup] = []
  private var numbers: [String: Int32] = [:]

  var count: Int { lookups.count }

  subscript(number: Int32) -> NameLookup {
    get { lookups[Int(number)] }
    _modify { yield &lookups[Int(number)] }
  }

  /// The look-up that all requests of a host share; `nil` while there is none.
  func lookup(of host: String) -> Int32? { numbers[host] }

  mutating func add(_ lookup: NameLookup, of host: String) -> Int32 {
    let number = Int32(count)
    lookups.append(lookup)
    if !lookup.fails { numbers[host] = number }
    return number
  }

  /// Forgets what is being asked.
  mutating func stop() {
    for place in lookups.indices where lookups[place].state == .asking {
      _ = lookups[place].end(.idle)
    }
  }
}

extension PathSimulator {
  /// Looks a host's name up for a request, or tells it what is known.
  mutating func resolve(_ slot: Int32) {
    let fails = streams.faults(slot)?.failsResolution ?? false
    let pool = streams[slot].pool
    let number =
      fails
      ? makeLookup(connections[pool: pool].key.host, fails: true) : connections[pool: pool].lookup
    if resolver[number].state == .known {
      report(.resolved(cached: true), stream: slot)
      assign(slot)
      return
    }
    streams[slot].state = .resolving
    resolver[number].waiting.append(streams.handle(slot))
    if resolver[number].state == .idle {
      resolver[number].state = .asking
      resolver[number].attempts = 0
      ask(number)
    }
  }

  /// Makes a look-up; those that fail by decree are asked apart, since nothing else may learn from them.
  mutating func makeLookup(_ host: String, fails: Bool) -> Int32 {
    let number = fails ? resolver.count : 0
    let random = seed.keyed(by: "dns").keyed(by: host).keyed(by: UInt64(number))
    let flow = newFlow
    begin(flow, random, origin: PacketName.lookupPrefix + host, connection: number)
    let size = 20 + 8 + 12 + min(host.utf8.count, 253) + 2 + 4
    return resolver.add(NameLookup(flow: flow, questionSize: Int32(size), fails: fails), of: host)
  }

  private mutating func ask(_ number: Int32) {
    resolver[number].attempts += 1
    resolver[number].deadline = time.saturatingAdd(NameLookup.patience)
    arm(.lookup, number, at: resolver[number].deadline)
    send(.query, number, size: resolver[number].questionSize, .up)
  }

  private mutating func send(
    _ kind: Packet.Kind, _ number: Int32, size: Int32, _ direction: Direction
  ) {
    let packet = Packet(kind: kind, owner: number, flow: resolver[number].flow, size: size)
    wires[direction].send(packet, at: time)
  }

  /// The question has reached the resolver.
  mutating func questionArrived(_ number: Int32) {
    let due = time.saturatingAdd(phase.conditions.dnsDelay.wholeNanoseconds)
    resolver[number].answersAt = due
    if due == time {
      answerTimerFired(number, at: due)
    } else {
      arm(.answer, number, at: due)
    }
  }

  mutating func answerTimerFired(_ number: Int32, at due: Int64) {
    guard resolver[number].answersAt == due else { return }
    resolver[number].answersAt = .max
    send(.answer, number, size: resolver[number].answerSize, .down)
  }

  /// The answer has reached the client.
  mutating func answerArrived(_ number: Int32) {
    guard resolver[number].state == .asking else { return }
    let fails = resolver[number].fails
    for waiter in resolver[number].end(fails ? .idle : .known) {
      guard let slot = streams.slot(of: waiter, in: .resolving) else { continue }
      if fails {
        fail(slot, .resolutionFailed)
      } else {
        report(.resolved(cached: false), stream: slot)
        assign(slot)
      }
    }
  }

  mutating func lookupTimerFired(_ number: Int32, at due: Int64) {
    guard resolver[number].state == .asking, resolver[number].deadline == due else { return }
    if resolver[number].attempts <= NameLookup.repetitions {
      ask(number)
      return
    }
    for waiter in resolver[number].end(.idle) {
      if let slot = streams.slot(of: waiter, in: .resolving) { fail(slot, .resolutionTimedOut) }
    }
  }
}
