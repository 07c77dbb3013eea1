/// The look-up of one host's name: a question, the resolver's delay, an answer, and retries.
struct NameLookup: Sendable {
  enum State: UInt8 {
    case idle
    case asking
    case known
  }

  /// How long a client waits for a DNS answer in ns, and how often it asks again (resolv.conf(5), `timeout`,
  /// `attempts`).
  static let patience: Int64 = 5_000_000_000
  static let repetitions = 2

  let flow: Int32
  /// Bytes of the question's packet: IP, UDP and DNS headers, the name with its two length bytes, type and class.
  let questionSize: Int32
  /// Bytes of the answer's packet: the question and one address record.
  var answerSize: Int32 { questionSize + 16 }
  /// Whether the resolver answers that the name does not exist.
  let fails: Bool
  var state = State.idle
  var attempts = 0
  var deadline = Int64.max
  /// When the resolver sends its answer; `.max` when no question is pending.
  var answersAt = Int64.max
  var waiting: [StreamHandle] = []

  /// Ends the look-up and returns the requests that waited for it.
  mutating func end(_ state: State) -> [StreamHandle] {
    self.state = state
    defer { waiting = [] }
    return waiting
  }
}

struct Resolver: Sendable {
  private var lookups: [NameLookup] = []
  private var numbers: [String: Int32] = [:]

  var count: Int { lookups.count }

  subscript(number: Int32) -> NameLookup {
    get { lookups[Int(number)] }
    _modify { yield &lookups[Int(number)] }
  }

  /// The shared look-up of a host; `nil` when there is none yet.
  func lookup(of host: String) -> Int32? { numbers[host] }

  mutating func add(_ lookup: NameLookup, of host: String) -> Int32 {
    let number = Int32(count)
    lookups.append(lookup)
    if !lookup.fails { numbers[host] = number }
    return number
  }

  mutating func stop() {
    for place in lookups.indices where lookups[place].state == .asking {
      _ = lookups[place].end(.idle)
    }
  }
}

extension PathSimulator {
  /// Looks up a request's host name, or reports the cached result.
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

  /// Creates a look-up; a failing one is not shared, so that other requests do not see its failure.
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

  /// Handles a question's arrival at the resolver, which answers after its delay.
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
