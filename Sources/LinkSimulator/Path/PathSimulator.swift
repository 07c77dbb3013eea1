public struct PathSimulator: Sendable {
  public var now: SimulatedInstant
  var pending: [(SimulatedInstant, Int, PathEvent)] = []
  var out: [PathEvent] = []
  var n = 0, order = 0
  var schedule: ConditionSchedule
  var downFree = SimulatedInstant.zero
  var fin: [StreamID: Bool] = [:], upTotal: [StreamID: Int64] = [:]
  public var nextEventTime: SimulatedInstant? { out.isEmpty ? pending.first?.0 : now }
  public init(seed: UInt64, schedule: ConditionSchedule, configuration: PathConfiguration = PathConfiguration(), startingAt start: SimulatedInstant = .zero) { now = start; self.schedule = schedule }
  public mutating func advance(to time: SimulatedInstant) {
    guard time >= now else { return }
    while let f = pending.first, f.0 <= time { out.append(f.2); pending.removeFirst() }
    now = time
  }
  public mutating func drainEvents(_ body: (PathEvent) -> Void) { let o = out; out = []; for e in o { body(e) } }
  mutating func add(_ t: SimulatedInstant, _ s: StreamID?, _ k: PathEvent.Kind) {
    order += 1
    let e = (t, order, PathEvent(time: t, stream: s, kind: k))
    let i = pending.firstIndex { ($0.0, $0.1) > (t, order) } ?? pending.endIndex
    pending.insert(e, at: i)
  }
  var delay: Duration { schedule.conditions(at: now).down.delay }
  public mutating func open(_ request: StreamRequest) -> StreamID {
    defer { n += 1 }
    let id = StreamID(number: n)
    add(now.advanced(by: delay * 2), id, .connected(reused: false))
    return id
  }
  public mutating func write(_ count: Int64, _ direction: Direction, on stream: StreamID, finishing: Bool) {
    if direction == .up {
      upTotal[stream, default: 0] += count
      add(now.advanced(by: delay * 3), stream, .uploaded(total: upTotal[stream]!))
      if finishing { add(now.advanced(by: delay * 3), stream, .requestReceived) }
    } else {
      var left = count
      while left > 0 {
        let c = schedule.conditions(at: now).down.rate == nil ? left : min(left, 14480); left -= c
        if let r = schedule.conditions(at: now).down.rate { downFree = max(downFree, now).advanced(by: .nanoseconds(c * 8_000_000_000 / r.bitsPerSecond)) }
        add(max(downFree, now).advanced(by: delay), stream, .received(count: c))

      }
      if finishing { add(max(downFree, now).advanced(by: delay), stream, .responseReceived) }
    }
  }
  public mutating func cancel(_ stream: StreamID) { pending.removeAll { $0.2.stream == stream } }
  public mutating func abort(_ stream: StreamID) { add(now.advanced(by: delay), stream, .failed(.reset)) }
  public mutating func use(_ schedule: ConditionSchedule) { self.schedule = schedule }
  public func statistics(of stream: StreamID) -> StreamStatistics { StreamStatistics() }
  public mutating func forget(_ stream: StreamID) {}
}
