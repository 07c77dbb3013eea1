import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The paths of a network: the main one, and one for each profile that its rules send requests to.
struct PathTable {
  private struct Entry {
    var profile: NetworkProfile
    private var simulator: PathSimulator
    /// When the path wants to run, or has something to tell; kept, because it is asked for far more often than it changes.
    private(set) var nextTime: SimulatedInstant?

    init(profile: NetworkProfile, simulator: PathSimulator) {
      self.profile = profile
      self.simulator = simulator
      change { _ in }
    }

    /// The only way to the simulator, also for a look at it: in place, since a copy of one is a large thing.
    mutating func change<Result>(_ body: (inout PathSimulator) -> Result) -> Result {
      let result = body(&simulator)
      nextTime = simulator.hasEvents ? simulator.now : simulator.nextEventTime
      return result
    }
  }

  private let seed: UInt64
  private var entries: [Entry] = []
  private var faults: FaultPlanner
  /// Whether the network is out by the client's own decree.
  private var outage: PathConditions.Outage?

  init(seed: UInt64, profile: NetworkProfile) {
    self.seed = seed
    faults = FaultPlanner(seed: seed)
    entries = [Entry(profile: profile, simulator: PathSimulator(seed: seed, schedule: profile.schedule))]
    remember(at: .zero)
  }

  var indices: Range<Int> { entries.indices }

  /// The profile that is in force.
  var profile: NetworkProfile { entries[0].profile }

  var nextTime: SimulatedInstant? {
    var next: SimulatedInstant?
    for entry in 0..<entries.count {
      guard let time = entries[entry].nextTime else { continue }
      next = next.map { min($0, time) } ?? time
    }
    return next
  }

  /// When a path wants to run, or has something to tell.
  func nextTime(of path: Int) -> SimulatedInstant? {
    entries[path].nextTime
  }

  mutating func advance(_ path: Int, to time: SimulatedInstant) {
    entries[path].change { $0.advance(to: time) }
  }

  /// Takes what has happened on a path, oldest first, behind what `events` has already.
  mutating func drain(_ path: Int, into events: inout [PathEvent]) {
    entries[path].change { $0.drainEvents { events.append($0) } }
  }

  func name(of path: Int) -> String { entries[path].profile.name }

  func phaseName(_ index: Int, of path: Int) -> String {
    let phases = entries[path].profile.schedule.phases
    guard phases.indices.contains(index) else { return "" }
    return phases[index].name.isEmpty ? entries[path].profile.name : phases[index].name
  }

  // MARK: Requests

  /// The path that the profile's rules send a request to.
  ///
  /// - Throws: an error that lists near names when a rule that was made in code names no profile.
  mutating func path(for request: URLRequest) throws(ProfileError) -> Int {
    guard !entries[0].profile.rules.isEmpty,
      let rule = entries[0].profile.rules.first(where: { $0.match.matches(request) })
    else { return 0 }
    let target = try rule.profile()
    if let known = entries.indices.dropFirst().first(where: { entries[$0].profile.name == target.name }) {
      return known
    }
    let path = KeyedRandom(seed: seed).keyed(by: target.name).bits
    entries.append(Entry(profile: target, simulator: PathSimulator(seed: path, schedule: schedule(of: target))))
    if recordsPackets { setRecording(on: entries.count - 1) }
    return entries.count - 1
  }

  mutating func faultPlan(for request: URLRequest, _ line: RequestLine, path: Int) -> FaultPlan {
    faults.plan(for: request, line, profile: entries[path].profile)
  }

  mutating func open(_ request: StreamRequest, on path: Int, at time: SimulatedInstant) -> StreamID {
    entries[path].change { simulator in
      simulator.advance(to: time)
      return simulator.open(request)
    }
  }

  mutating func write(
    _ count: Int64, _ direction: Direction, on path: Int, stream: StreamID, finishing: Bool, at time: SimulatedInstant
  ) {
    entries[path].change { simulator in
      simulator.advance(to: time)
      simulator.write(count, direction, on: stream, finishing: finishing)
    }
  }

  mutating func abort(_ stream: StreamID, on path: Int, at time: SimulatedInstant) {
    entries[path].change { simulator in
      simulator.advance(to: time)
      simulator.abort(stream)
    }
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

  private var started = SimulatedInstant.zero
  /// What has been in force on the main path, the oldest first.
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

  /// What happened to packets, path by path; empty when that is not recorded.
  mutating func packetLogs() -> [PathPackets] {
    guard recordsPackets else { return [] }
    return entries.indices.compactMap { index in
      let profile = entries[index].profile.name
      return entries[index].change { $0.packetLog }.map { PathPackets(profile: profile, log: $0) }
    }
  }

  private func schedule(of profile: NetworkProfile) -> ConditionSchedule {
    guard let outage else { return profile.schedule }
    let phases = profile.schedule.phases.map { phase in
      var phase = phase
      phase.conditions.outage = outage
      return phase
    }
    return ConditionSchedule(phases: phases, repeats: profile.schedule.repeats) ?? profile.schedule
  }
}
