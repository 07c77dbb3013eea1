/// One direction's rate limit under ``PathConditions/Model/devTools``, with the requests that wait for it.
///
/// The direction ticks once for each 1500 bytes of its rate. Each tick releases 1500 bytes of one request, in turn.
/// Source: `UpdateThrottledRecords` of Chromium's `throttling_network_interceptor.cc`.
struct Throttle: Sendable {
  /// The bytes that a tick releases (`kPacketSize`).
  static let quantum: Int64 = 1_500

  /// The nanoseconds between ticks: 0 for no limit, `.max` for a rate of zero.
  private var interval: Int64 = 0
  /// The time of the tick number 0, in nanoseconds.
  private var origin: Int64 = 0
  /// When the next tick is due; `.max` while no request waits.
  private(set) var dueAt = Int64.max
  private var waiting = Queue<StreamHandle>()

  /// Whether there is no limit, so that requests need not wait for ticks.
  var isOpen: Bool { interval == 0 }

  /// Sets the rate, `nil` for no limit; returns the requests that need not wait any more.
  mutating func use(_ rate: Bandwidth?, at time: Int64) -> [StreamHandle] {
    let rate = rate?.bitsPerSecond
    interval = rate.map { $0 > 0 ? max(1, Self.quantum * 8_000_000_000 / $0) : .max } ?? 0
    origin = time
    dueAt = .max
    var released: [StreamHandle] = []
    while isOpen, let stream = waiting.popFirst() { released.append(stream) }
    return released
  }

  mutating func append(_ stream: StreamHandle) { waiting.append(stream) }
  mutating func popFirst() -> StreamHandle? { waiting.popFirst() }

  /// The time at which to arm the tick timer; `nil` if it is already armed or not needed.
  mutating func nextTick(after time: Int64) -> Int64? {
    guard dueAt == .max, !isOpen, interval < .max, waiting.first != nil else { return nil }
    dueAt = origin.saturatingAdd(((time - origin) / interval + 1) * interval)
    return dueAt
  }

  /// Whether a tick due at `due` is still valid; it is then used up.
  mutating func takeTick(at due: Int64) -> Bool {
    guard dueAt == due else { return false }
    dueAt = .max
    return true
  }
}

extension PathSimulator {
  mutating func setThrottles() {
    for direction in Direction.allCases {
      let rate = phase.conditions.model == .devTools ? phase.conditions[direction].meanRate : nil
      for stream in throttles[direction].use(rate, at: time) { release(stream, direction, nil) }
      armTick(direction)
    }
  }

  /// Holds back bytes that were handed in: a whole response, or a request's body.
  mutating func hold(_ slot: Int32, _ direction: Direction) {
    streams[slot, direction].hold(after: direction == .up ? streams[slot].headBytes : 0)
  }

  /// Makes held-back bytes wait; a response first waits for its latency, counted from the end of its request.
  mutating func throttle(_ slot: Int32, _ direction: Direction) {
    guard !streams[slot, direction].isThrottled else { return }
    streams[slot, direction].isThrottled = true
    guard direction == .down, !streams[slot].isDelayed else { return enqueue(slot, direction) }
    streams[slot].isDelayed = true
    let latency = phase.conditions.down.delay.saturatingAdd(phase.conditions.up.delay).wholeNanoseconds
    let due = min(streams[slot].readAt, time).saturatingAdd(latency)
    if due <= time { return enqueue(slot, direction) }
    arm(.latency, slot, at: due)
    streams[slot].heldUntil = due
  }

  private mutating func enqueue(_ slot: Int32, _ direction: Direction) {
    release(streams.handle(slot), direction, throttles[direction].isOpen ? nil : 0)
    armTick(direction)
  }

  private mutating func armTick(_ direction: Direction) {
    if let due = throttles[direction].nextTick(after: time) { arm(.tick, Int32(direction.index), at: due) }
  }

  mutating func latencyTimerFired(_ slot: Int32, at due: Int64) {
    guard streams[slot].heldUntil == due, streams[slot].state == .active else { return }
    streams[slot].heldUntil = .max
    enqueue(slot, .down)
  }

  mutating func tickTimerFired(_ direction: Direction, at due: Int64) {
    guard throttles[direction].takeTick(at: due) else { return }
    // A finished request gives its turn to the next.
    while let stream = throttles[direction].popFirst() {
      guard streams.slot(of: stream, in: .active) != nil else { continue }
      release(stream, direction, Throttle.quantum)
      break
    }
    armTick(direction)
  }

  /// Releases up to `count` bytes of a request; with bytes left, the request waits for its next turn.
  private mutating func release(_ stream: StreamHandle, _ direction: Direction, _ count: Int64?) {
    guard let slot = streams.slot(of: stream, in: .active), !connections[streams[slot].connection].isClosed
    else { return }
    let isAll = streams[slot, direction].release(count)
    if !isAll { throttles[direction].append(stream) }
    handOver(slot, direction, isHead: false)
  }
}
