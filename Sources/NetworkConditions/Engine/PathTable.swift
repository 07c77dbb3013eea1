import URLLoading

struct PathTable {
  struct Entry {
    var profile: NetworkProfile
    /// The time from which the profile's phases count.
    var start: SimulatedInstant
    private var simulator: PathSimulator
    /// When the path must run next, or has an event; cached, because reads are far more frequent than changes.
    private var nextTime: SimulatedInstant?

    init(profile: NetworkProfile, from start: SimulatedInstant = .zero, simulator: PathSimulator) {
      self.profile = profile
      self.start = start
      self.simulator = simulator
      change { _ in }
    }

    /// Reads or changes the simulator in place, because copying it is expensive.
    mutating func change<Result>(_ body: (inout PathSimulator) -> Result) -> Result {
      let result = body(&simulator)
      nextTime = simulator.nextTurn()
      return result
    }

    /// Runs the simulator up to a time, and then reads or changes it.
    mutating func change<Result>(at time: SimulatedInstant, _ body: (inout PathSimulator) -> Result) -> Result {
      change { simulator in
        simulator.advance(to: time)
        return body(&simulator)
      }
    }

    // Mutating, so that a read copies nothing.

    mutating func lower(_ time: inout SimulatedInstant?) {
      guard let nextTime else { return }
      time = time.map { min($0, nextTime) } ?? nextTime
    }

    mutating func isDue(at time: SimulatedInstant) -> Bool { nextTime.map { $0 <= time } ?? false }
  }

  let seed: UInt64
  var entries: [Entry] = []
  private var spare: [PathEvent] = []
  var faults: FaultPlanner
  /// The outage that a test has set, if any (``SimulatedNetwork/goOffline(_:)``).
  private(set) var outage: PathConditions.Outage?
  /// Whether a test has suspended the app (``SimulatedNetwork/suspendApp(for:)``).
  private var isSuspended = false
  /// The replayed schedule; `nil` if chance decides.
  let replay: FaultSchedule?
  /// The recorded faults; `nil` if they are not recorded.
  var record: FaultRecord?
  /// The profile at the network's start; faults on other profiles are recorded with the profile's name.
  let first: NetworkProfile

  init(seed: UInt64, profile: NetworkProfile, replaying replay: FaultSchedule?) {
    self.seed = seed
    self.replay = replay
    first = profile
    faults = FaultPlanner(seed: seed, schedule: replay)
    entries = [
      Entry(profile: profile, simulator: makeSimulator(of: profile, schedule(of: profile), seed: seed, at: .zero))
    ]
    remember(at: .zero)
  }

  private func makeSimulator(
    of profile: NetworkProfile, _ schedule: ConditionSchedule, seed: UInt64, at time: SimulatedInstant
  ) -> PathSimulator {
    var simulator = PathSimulator(
      seed: seed, schedule: schedule, configuration: profile.configuration, chance: chance(on: profile),
      startingAt: time)
    if record != nil { simulator.recordPacketFaults() }
    return simulator
  }

  var indices: Range<Int> { entries.indices }

  var profile: NetworkProfile { entries[0].profile }

  var nextTime: SimulatedInstant? {
    mutating get {
      var next: SimulatedInstant?
      for entry in 0..<entries.count { entries[entry].lower(&next) }
      return next
    }
  }

  mutating func advance(_ path: Int, to time: SimulatedInstant) {
    entries[path].change { $0.advance(to: time) }
  }

  /// Takes a path's events, oldest first; hand the list to ``giveBack(_:)`` afterwards.
  mutating func takeEvents(of path: Int) -> [PathEvent] {
    var events: [PathEvent] = []
    swap(&events, &spare)
    entries[path].change { $0.drainEvents { events.append($0) } }
    return events
  }

  /// Takes back a list whose events were handled, so that the next events reuse its memory.
  mutating func giveBack(_ events: inout [PathEvent]) {
    events.removeAll(keepingCapacity: true)
    swap(&events, &spare)
  }

  func name(of path: Int) -> String { entries[path].profile.name }

  func configuration(of path: Int) -> PathConfiguration { entries[path].profile.configuration }

  func phase(_ index: Int, of path: Int) -> ConditionSchedule.Phase? {
    let phases = schedule(of: entries[path].profile).phases
    return phases.indices.contains(index) ? phases[index] : nil
  }

  func phaseName(_ index: Int, of path: Int) -> String {
    guard let name = phase(index, of: path)?.name else { return "" }
    return name.isEmpty ? entries[path].profile.name : name
  }

  /// The main path's state: `offline (refuse)` or `offline (drop)` in an outage that a test set, otherwise the phase's name.
  func conditionName(at time: SimulatedInstant) -> String {
    outage.map { "offline (\($0.rawValue))" }
      ?? phaseName(schedule(of: profile).starting(at: started).position(at: time).index, of: 0)
  }

  // MARK: Requests

  /// The path to which the rules send a request; throws if a rule made in code names an unknown profile.
  mutating func path(for request: URLRequest, at time: SimulatedInstant) throws(ProfileError) -> Int {
    guard !entries[0].profile.rules.isEmpty,
      let rule = entries[0].profile.rules.first(where: { $0.match.matches(request) })
    else { return 0 }
    let target = try rule.profile()
    // Another profile, which was used before, may have the same name.
    if let known = entries.indices.dropFirst().first(where: { entries[$0].profile == target }) { return known }
    return add(target, from: .zero, at: time)
  }

  mutating func add(_ profile: NetworkProfile, from start: SimulatedInstant, at time: SimulatedInstant) -> Int {
    let bits = KeyedRandom(seed: seed).keyed(by: profile.name).bits
    let schedule = schedule(of: profile).starting(at: start)
    let simulator = makeSimulator(of: profile, schedule, seed: bits, at: time)
    entries.append(Entry(profile: profile, from: start, simulator: simulator))
    if recordsPackets { setRecording(on: entries.count - 1) }
    return entries.count - 1
  }

  /// Changes the profile of an added path from `time` on; its phases count from the same start as the main path's.
  mutating func use(_ profile: NetworkProfile, on path: Int, at time: SimulatedInstant) {
    (entries[path].profile, entries[path].start) = (profile, started)
    apply(to: path, at: time)
  }

  /// Whether an open connection to this server can take another request.
  mutating func hasConnection(
    to server: ServerAddress, _ version: StreamRequest.HTTPVersion, on path: Int, at time: SimulatedInstant
  ) -> Bool {
    entries[path].change(at: time) { $0.hasConnection(to: server.host, server.port, version) }
  }

  mutating func write(
    _ count: Int64, _ direction: Direction, on path: Int, stream: StreamID, finishing: Bool,
    connection: StreamRequest.Persistence = .kept, at time: SimulatedInstant
  ) {
    entries[path].change(at: time) {
      $0.write(count, direction, on: stream, finishing: finishing, connection: connection)
    }
  }

  mutating func statistics(of stream: StreamID, on path: Int) -> StreamStatistics {
    entries[path].change { $0.statistics(of: stream) }
  }

  /// Closes a stream (cancels it unless it is over), and returns its statistics.
  mutating func close(_ stream: StreamID, on path: Int, isOver: Bool, at time: SimulatedInstant) -> StreamStatistics {
    entries[path].change(at: time) { simulator in
      if !isOver { simulator.cancel(stream) }
      let statistics = simulator.statistics(of: stream)
      simulator.forget(stream)
      return statistics
    }
  }

  /// Closes every connection from the client's end; the servers notice it.
  mutating func closeConnections(at time: SimulatedInstant) {
    for index in entries.indices { entries[index].change(at: time) { $0.closeConnections() } }
  }

  // MARK: Changes

  /// Changes the main path's profile from `time` on; open requests keep the paths of the old profile's rules.
  mutating func use(_ profile: NetworkProfile, at time: SimulatedInstant) {
    entries[0].profile = profile
    (outage, entries[0].start) = (nil, time)
    apply(at: time)
  }

  /// Starts an outage, or ends it (`nil`); the profile's phases continue meanwhile.
  mutating func setOutage(_ outage: PathConditions.Outage?, at time: SimulatedInstant) {
    self.outage = outage
    apply(at: time)
  }

  mutating func setSuspension(_ isSuspended: Bool, at time: SimulatedInstant) {
    self.isSuspended = isSuspended
    apply(at: time)
  }

  var started: SimulatedInstant { entries[0].start }
  /// The conditions of the main path so far, oldest first.
  private(set) var applied: [AppliedConditions] = []
  /// How many of the latest changes ``applied`` keeps, at least.
  private static let rememberedChanges = 1_000
  var recordsPackets = false {
    didSet {
      guard recordsPackets != oldValue else { return }
      for index in entries.indices { setRecording(on: index) }
    }
  }

  private mutating func apply(at time: SimulatedInstant) {
    for index in entries.indices { apply(to: index, at: time) }
    remember(at: time)
  }

  private mutating func apply(to path: Int, at time: SimulatedInstant) {
    let schedule = schedule(of: entries[path].profile).starting(at: entries[path].start)
    entries[path].change(at: time) { $0.use(schedule) }
  }

  private mutating func remember(at time: SimulatedInstant) {
    if applied.count >= 2 * Self.rememberedChanges { applied.removeFirst(Self.rememberedChanges) }
    let schedule = schedule(of: profile).starting(at: started)
    applied.append(AppliedConditions(profile: profile.name, start: time, schedule: schedule))
  }

  private mutating func setRecording(on path: Int) {
    let records = recordsPackets
    entries[path].change { if records { $0.recordPackets() } else { $0.stopRecordingPackets() } }
  }

  /// The packet log of each path; empty if none is recorded.
  mutating func packetLogs() -> [PathPackets] {
    entries.indices.compactMap { index in
      let profile = entries[index].profile.name
      return entries[index].change { $0.packetLog }.map { PathPackets(profile: profile, log: $0) }
    }
  }

  private func schedule(of profile: NetworkProfile) -> ConditionSchedule {
    let via = name(ofOther: profile)
    let schedule =
      replay.map { profile.schedule(under: $0.faults.filter { $0.via == via || !$0.kind.hasPath }) } ?? profile.schedule
    guard outage != nil || isSuspended else { return schedule }
    let phases = schedule.phases.map { phase in
      var phase = phase
      phase.conditions.outage = outage ?? phase.conditions.outage
      if isSuspended { phase.conditions.device.suspendsApp = true }
      return phase
    }
    return ConditionSchedule(phases: phases, repeats: schedule.repeats) ?? schedule
  }
}
