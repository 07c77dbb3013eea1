import URLLoading

/// The paths of a network: the main one, and one for each profile that its rules send requests to.
struct PathTable {
  struct Entry {
    var profile: NetworkProfile
    private var simulator: PathSimulator
    /// When the path wants to run, or has something to tell; kept, because it is asked for far more often than it changes.
    private var nextTime: SimulatedInstant?

    init(profile: NetworkProfile, simulator: PathSimulator) {
      self.profile = profile
      self.simulator = simulator
      change { _ in }
    }

    /// The only way to the simulator, also for a look at it: in place, since a copy of one is a large thing.
    mutating func change<Result>(_ body: (inout PathSimulator) -> Result) -> Result {
      let result = body(&simulator)
      nextTime = simulator.nextTurn()
      return result
    }

    // Mutating, so that nothing is copied for a look.

    mutating func lower(_ time: inout SimulatedInstant?) {
      guard let nextTime else { return }
      time = time.map { min($0, nextTime) } ?? nextTime
    }

    mutating func isDue(at time: SimulatedInstant) -> Bool { nextTime.map { $0 <= time } ?? false }
  }

  let seed: UInt64
  var entries: [Entry] = []
  /// Memory for events.
  private var spare: [PathEvent] = []
  var faults: FaultPlanner
  /// Whether the network is out by the client's own decree.
  private(set) var outage: PathConditions.Outage?
  /// Whether the client's app is suspended by decree.
  private var isSuspended = false
  /// The schedule that is replayed; `nil` where chance decides.
  let replay: FaultSchedule?
  /// The record of the faults that chance decides; `nil` where none is kept.
  var record: FaultRecord?
  /// The profile that the network began with: what is recorded or replayed elsewhere says by which profile.
  let first: NetworkProfile

  init(seed: UInt64, profile: NetworkProfile, replaying replay: FaultSchedule?) {
    self.seed = seed
    self.replay = replay
    first = profile
    faults = FaultPlanner(seed: seed, schedule: replay)
    entries = [Entry(profile: profile, simulator: makeSimulator(of: profile, seed: seed, startingAt: .zero))]
    remember(at: .zero)
  }

  private func makeSimulator(
    of profile: NetworkProfile, seed: UInt64, startingAt time: SimulatedInstant
  ) -> PathSimulator {
    var simulator = PathSimulator(
      seed: seed, schedule: schedule(of: profile), configuration: profile.configuration, chance: chance(on: profile),
      startingAt: time)
    if record != nil { simulator.recordPacketFaults() }
    return simulator
  }

  var indices: Range<Int> { entries.indices }

  /// The profile that is in force.
  var profile: NetworkProfile { entries[0].profile }

  /// When the first of them wants to run.
  var nextTime: SimulatedInstant? {
    mutating get {
      var next: SimulatedInstant?
      for entry in 0..<entries.count { entries[entry].lower(&next) }
      return next
    }
  }

  /// Whether a path wants to run at this time, or has something to tell.
  mutating func isDue(_ path: Int, at time: SimulatedInstant) -> Bool { entries[path].isDue(at: time) }

  mutating func advance(_ path: Int, to time: SimulatedInstant) {
    entries[path].change { $0.advance(to: time) }
  }

  /// Takes the events of a path, oldest first; ``giveBack(_:)`` gets the list back when they have been handled.
  mutating func takeEvents(of path: Int) -> [PathEvent] {
    var events: [PathEvent] = []
    swap(&events, &spare)
    entries[path].change { $0.drainEvents { events.append($0) } }
    return events
  }

  /// Keeps the memory of handled events for the next.
  mutating func giveBack(_ events: inout [PathEvent]) {
    events.removeAll(keepingCapacity: true)
    swap(&events, &spare)
  }

  func name(of path: Int) -> String { entries[path].profile.name }

  /// The ends of a path.
  func configuration(of path: Int) -> PathConfiguration { entries[path].profile.configuration }

  func phaseName(_ index: Int, of path: Int) -> String {
    let phases = schedule(of: entries[path].profile).phases
    guard phases.indices.contains(index) else { return "" }
    return phases[index].name.isEmpty ? entries[path].profile.name : phases[index].name
  }

  /// The state of the main path: `offline (refuse)` or `offline (drop)` where the network was taken out, else the name
  /// of the phase in force.
  func standing(at time: SimulatedInstant) -> String {
    outage.map { "offline (\($0.rawValue))" }
      ?? phaseName(schedule(of: profile).starting(at: started).position(at: time).index, of: 0)
  }

  /// The conditions of a phase of a path.
  func conditions(_ index: Int, of path: Int) -> PathConditions? {
    let phases = schedule(of: entries[path].profile).phases
    return phases.indices.contains(index) ? phases[index].conditions : nil
  }

  // MARK: Requests

  /// The path that the profile's rules send a request to: its phases are as old as the network, and told from `time` on.
  ///
  /// - Throws: an error that lists near names when a rule that was made in code names no profile.
  mutating func path(for request: URLRequest, at time: SimulatedInstant) throws(ProfileError) -> Int {
    guard !entries[0].profile.rules.isEmpty,
      let rule = entries[0].profile.rules.first(where: { $0.match.matches(request) })
    else { return 0 }
    let target = try rule.profile()
    if let known = entries.indices.dropFirst().first(where: { entries[$0].profile.name == target.name }) {
      return known
    }
    let path = KeyedRandom(seed: seed).keyed(by: target.name).bits
    entries.append(Entry(profile: target, simulator: makeSimulator(of: target, seed: path, startingAt: time)))
    if recordsPackets { setRecording(on: entries.count - 1) }
    return entries.count - 1
  }

  /// Makes a path beside the others, which no rule leads to.
  mutating func addPath(_ profile: NetworkProfile, at time: SimulatedInstant) -> Int {
    let bits = KeyedRandom(seed: seed).keyed(by: profile.name).bits
    let schedule = schedule(of: profile).starting(at: started)
    entries.append(
      Entry(
        profile: profile,
        simulator: PathSimulator(
          seed: bits, schedule: schedule, configuration: profile.configuration, startingAt: time)))
    if recordsPackets { setRecording(on: entries.count - 1) }
    return entries.count - 1
  }

  /// Puts other conditions in force on such a path, from `time` on; its phases go on as if nothing had been.
  mutating func use(_ profile: NetworkProfile, on path: Int, at time: SimulatedInstant) {
    entries[path].profile = profile
    let schedule = schedule(of: profile).starting(at: started)
    entries[path].change { simulator in
      simulator.advance(to: time)
      simulator.use(schedule)
    }
  }

  /// Whether a connection stands that new requests to this server can share.
  mutating func hasConnection(
    to server: ServerAddress, _ version: StreamRequest.HTTPVersion, on path: Int, at time: SimulatedInstant
  ) -> Bool {
    entries[path].change { simulator in
      simulator.advance(to: time)
      return simulator.hasConnection(to: server.host, server.port, version)
    }
  }

  mutating func open(_ request: StreamRequest, on path: Int, at time: SimulatedInstant) -> StreamID {
    entries[path].change { simulator in
      simulator.advance(to: time)
      return simulator.open(request)
    }
  }

  mutating func write(
    _ count: Int64, _ direction: Direction, on path: Int, stream: StreamID, finishing: Bool,
    connection: StreamRequest.Persistence = .kept, at time: SimulatedInstant
  ) {
    entries[path].change { simulator in
      simulator.advance(to: time)
      simulator.write(count, direction, on: stream, finishing: finishing, connection: connection)
    }
  }

  mutating func stopUpload(of stream: StreamID, on path: Int, at time: SimulatedInstant) {
    entries[path].change { simulator in
      simulator.advance(to: time)
      simulator.stopUpload(of: stream)
    }
  }

  mutating func abort(_ stream: StreamID, on path: Int, at time: SimulatedInstant) {
    entries[path].change { simulator in
      simulator.advance(to: time)
      simulator.abort(stream)
    }
  }

  /// How many bytes that were handed in TCP has yet to take.
  mutating func unsent(_ direction: Direction, of stream: StreamID, on path: Int) -> Int64 {
    entries[path].change { $0.unsent(direction, on: stream) }
  }

  /// How many more bytes TCP should be handed.
  mutating func room(_ direction: Direction, of stream: StreamID, on path: Int) -> Int64 {
    entries[path].change { $0.room(direction, on: stream) }
  }

  /// Whether the conditions of a path do nothing to a packet, now.
  mutating func isUnlimited(_ path: Int) -> Bool {
    entries[path].change { $0.isUnlimited }
  }

  /// Adds faults to a stream under way.
  mutating func add(_ faults: [StreamFault], on path: Int, stream: StreamID) {
    entries[path].change { $0.add(faults, to: stream) }
  }

  mutating func statistics(of stream: StreamID, on path: Int) -> StreamStatistics {
    entries[path].change { $0.statistics(of: stream) }
  }

  /// Forgets a stream, after cutting it off when it is not over; gives back what it cost.
  mutating func close(_ stream: StreamID, on path: Int, isOver: Bool, at time: SimulatedInstant) -> StreamStatistics {
    entries[path].change { simulator in
      simulator.advance(to: time)
      if !isOver { simulator.cancel(stream) }
      let statistics = simulator.statistics(of: stream)
      simulator.forget(stream)
      return statistics
    }
  }

  /// The client's end of every connection closes, and the servers hear of it.
  mutating func closeConnections(at time: SimulatedInstant) {
    for index in entries.indices {
      entries[index].change { simulator in
        simulator.advance(to: time)
        simulator.closeConnections()
      }
    }
  }

  // MARK: Changes

  /// Puts another profile in force, from `time` on; what rules had made of the old one stays for open requests.
  mutating func use(_ profile: NetworkProfile, at time: SimulatedInstant) {
    entries[0].profile = profile
    outage = nil
    apply(at: time, startingAt: time)
  }

  /// Takes the network out, or back (`nil`): the profile's phases go on as if nothing had been.
  mutating func setOutage(_ outage: PathConditions.Outage?, at time: SimulatedInstant) {
    self.outage = outage
    apply(at: time, startingAt: nil)
  }

  /// Suspends the client's app, or has it go on.
  mutating func setSuspension(_ isSuspended: Bool, at time: SimulatedInstant) {
    self.isSuspended = isSuspended
    apply(at: time, startingAt: nil)
  }

  private(set) var started = SimulatedInstant.zero
  /// The conditions that have been in force on the main path, the oldest first.
  private(set) var applied: [AppliedConditions] = []
  /// So many changes are remembered at least.
  private static let rememberedChanges = 1_000
  /// Whether it is written down what happens to every packet.
  var recordsPackets = false {
    didSet {
      guard recordsPackets != oldValue else { return }
      for index in entries.indices { setRecording(on: index) }
    }
  }

  private mutating func apply(at time: SimulatedInstant, startingAt start: SimulatedInstant?) {
    if let start { started = start }
    for index in entries.indices {
      let schedule = schedule(of: entries[index].profile)
      let started = started
      entries[index].change { simulator in
        simulator.advance(to: time)
        simulator.use(index == 0 ? schedule.starting(at: started) : schedule)
      }
    }
    remember(at: time)
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

  /// The packet logs, path by path; empty when none is kept.
  mutating func packetLogs() -> [PathPackets] {
    guard recordsPackets else { return [] }
    return entries.indices.compactMap { index in
      let profile = entries[index].profile.name
      return entries[index].change { $0.packetLog }.map { PathPackets(profile: profile, log: $0) }
    }
  }

  private func schedule(of profile: NetworkProfile) -> ConditionSchedule {
    let schedule = replay.map { $0.schedule(of: profile, via: name(ofOther: profile)) } ?? profile.schedule
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
