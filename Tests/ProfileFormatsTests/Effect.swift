import LinkSimulator
import NetworkConditions

/// A profile's effect on a network; names and settings without effect are left out.
struct Effect: Hashable {
  let phases: [ConditionSchedule.Phase]
  let repeats: Bool
  let rules: [ProfileRule]
  let faults: [FaultRule]

  init(_ profile: NetworkProfile) {
    var phases = profile.schedule.phases
    for index in phases.indices {
      phases[index].name = ""
      if let outage = phases[index].conditions.outage {
        // During an outage links carry nothing, so their conditions have no effect.
        phases[index].conditions = PathConditions(outage: outage)
      }
      phases[index].conditions.down = Self.effective(phases[index].conditions.down)
      phases[index].conditions.up = Self.effective(phases[index].conditions.up)
    }
    // Without repetition the last phase never ends, so its duration has no effect.
    if !profile.repeats, let last = phases.indices.last { phases[last].duration = nil }
    self.phases = phases
    repeats = profile.repeats
    rules = profile.rules
    faults = profile.faults
  }

  private static func effective(_ link: LinkConditions) -> LinkConditions {
    var link = link
    if link.jitter?.spread == .zero { link.jitter = nil }
    if link.jitter == nil { link.reorders = false }
    if link.rate == nil { link.queue = LinkConditions.defaultQueue }
    if link.loss == .independent(.zero) { link.loss = .none }
    return link
  }
}
