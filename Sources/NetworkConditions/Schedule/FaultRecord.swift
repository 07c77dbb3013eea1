/// Records the faults of requests and phases in a run; the paths record those of packets.
struct FaultRecord: Sendable {
  private(set) var faults: [ScheduledFault] = []

  mutating func add(_ fault: RequestFault, of line: RequestLine, via: String?) {
    let match = RequestMatch(method: line.method, nth: line.occurrence, url: line.shownURL)
    faults.append(ScheduledFault(.request(match, fault), via: via))
  }

  /// Records a phase that took effect, unless it differs from the base only in its random impairments.
  mutating func add(_ position: ConditionSchedule.Position, of profile: NetworkProfile, via: String?) {
    guard profile.phases.indices.contains(position.index) else { return }
    let conditions = profile.phases[position.index].conditions
    let start = SimulatedInstant.zero.duration(to: position.start)
    let length = position.end.map { position.start.duration(to: $0) }
    let fault: ScheduledFault.Kind
    if conditions.benign != profile.base.benign {
      fault = .phase(profile.phaseNames[position.index], from: start, for: length)
    } else if let outage = conditions.outage {
      fault = .outage(outage, from: start, for: length)
    } else {
      return
    }
    let entry = ScheduledFault(fault, via: via)
    if !faults.contains(entry) { faults.append(entry) }
  }
}
