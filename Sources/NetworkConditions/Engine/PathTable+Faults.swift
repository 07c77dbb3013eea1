import URLLoading

extension PathTable {
  mutating func faultPlan(
    for request: URLRequest, _ line: RequestLine, length: MessageLength, path: Int, at time: SimulatedInstant
  ) -> FaultPlan {
    guard replay != nil || !entries[path].profile.faults.isEmpty else { return FaultPlan() }
    let via = name(ofOther: entries[path].profile)
    var applied: [RequestFault] = []
    let plan = faults.plan(
      for: request, line, profile: entries[path].profile, via: via, length: length, at: time,
      applied: &applied)
    for fault in applied { record?.add(fault, of: line, via: via) }
    return plan
  }

  /// Records a response's faults as it begins; the caller applies them.
  mutating func noteStrike(_ planned: [FaultPlan.Entry], to line: RequestLine, on path: Int) {
    let via = name(ofOther: entries[path].profile)
    for planned in planned {
      record?.add(planned.fault, of: line, via: via)
      faults.use(planned.entry)
    }
  }

  /// The name of a profile in a schedule; `nil` for the profile that the network began with.
  func name(ofOther profile: NetworkProfile) -> String? {
    profile.name == first.name ? nil : profile.name
  }

  func chance(on profile: NetworkProfile) -> PacketChance {
    replay.map { .scheduled($0.packetFaults(via: name(ofOther: profile))) } ?? .drawn
  }

  /// Starts recording the faults that chance decides; does nothing in a replay.
  mutating func recordFaults(at time: SimulatedInstant) {
    guard record == nil, replay == nil else { return }
    record = FaultRecord()
    for index in entries.indices {
      entries[index].change { $0.recordPacketFaults() }
      notePhase(of: index, at: time)
    }
  }

  mutating func notePhase(of path: Int, at time: SimulatedInstant) {
    guard record != nil else { return }
    let profile = entries[path].profile
    let schedule = profile.schedule.starting(at: entries[path].start)
    let via = name(ofOther: profile)
    record?.add(schedule.position(at: time), of: profile, via: via)
  }

  /// The replayed schedule, or a schedule of all recorded faults; `nil` if neither exists.
  var faultSchedule: FaultSchedule? {
    mutating get {
      if let replay { return replay }
      guard let record else { return nil }
      var faults = record.faults
      for index in entries.indices {
        let via = name(ofOther: entries[index].profile)
        let packets = entries[index].change { $0.packetFaults }
        faults += packets.map { ScheduledFault(.packet($0.packet, $0.effect), via: via) }
      }
      return FaultSchedule(first, seed: seed, faults: faults)
    }
  }

  /// The replayed faults that have not happened, in their order.
  mutating func unusedFaults(at time: SimulatedInstant) -> [ScheduledFault] {
    guard let replay else { return [] }
    var unused = Set(faults.unused)
    var visited = Set<String?>()
    for index in entries.indices {
      let via = name(ofOther: entries[index].profile)
      visited.insert(via)
      let packets = entries[index].change { $0.unusedPacketFaults }
      unused.formUnion(packets.map { ScheduledFault(.packet($0.packet, $0.effect), via: via) })
    }
    return replay.faults.filter { fault in
      switch fault.kind {
      case .request: unused.contains(fault)
      case .packet: unused.contains(fault) || !visited.contains(fault.via)
      case .outage(_, let start, _), .phase(_, let start, _):
        start > SimulatedInstant.zero.duration(to: time) || !visited.contains(fault.via)
      case .cancellation(let moment): moment > SimulatedInstant.zero.duration(to: time)
      case .brownOut(let start, _), .suspension(let start, _): start > SimulatedInstant.zero.duration(to: time)
      case .kill, .powerLoss, .clockJump: true
      }
    }
  }
}
