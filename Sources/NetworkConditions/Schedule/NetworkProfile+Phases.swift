import LinkSimulator

extension NetworkProfile {
  /// Each phase's name in a schedule: its own, or its index if it has none or if a different phase has the same name.
  ///
  /// If any phase is named by its index, phases whose names are numbers are, too.
  var phaseNames: [String] {
    let hasName = phases.map { phase in
      !phase.name.isEmpty && phases.first { $0.name == phase.name }?.conditions == phase.conditions
    }
    let allHave = !hasName.contains(false)
    return phases.enumerated().map { index, phase in
      hasName[index] && (allHave || Int(phase.name) == nil) ? phase.name : "\(index)"
    }
  }

  /// Whether a phase between two times counts as a fault: an outage, or conditions unlike the base.
  package func isAdverse(from start: SimulatedInstant, to end: SimulatedInstant) -> Bool {
    let isAdverse = phases.map { $0.conditions.outage != nil || $0.conditions.benign != base.benign }
    guard isAdverse.contains(true) else { return false }
    let schedule = schedule
    var position = schedule.position(at: start)
    while !isAdverse[position.index], let next = position.end, next <= end { position = schedule.position(at: next) }
    return isAdverse[position.index]
  }

  func phase(called name: String) -> Phase? {
    phaseNames.firstIndex(of: name).map { phases[$0] }
  }

  /// The conditions under the listed faults: the phase that began last, with any outage and suspension on top of it.
  func schedule(under faults: [ScheduledFault]) -> ConditionSchedule {
    let spans = faults.compactMap(Span.init)
    let times = Set([0] + spans.flatMap { [$0.start, $0.end] }).filter { $0 < .max }.sorted()
    var stretches: [Phase] = []
    for (index, time) in times.enumerated() {
      let active = spans.filter { $0.start <= time && time < $0.end }
      var conditions = base
      var name = self.name
      var latest = Int64.min
      for span in active {
        guard let called = span.phase, span.start >= latest, let phase = phase(called: called) else { continue }
        (conditions, name, latest) = (phase.conditions, called, span.start)
      }
      if let outage = active.last(where: { $0.outage != nil })?.outage {
        conditions.outage = outage
        name = "outage"
      }
      if active.contains(where: \.suspendsApp) { conditions.device.suspendsApp = true }
      let next = index + 1 < times.count ? times[index + 1] : nil
      stretches.append(.init(name, for: next.map { .nanoseconds($0 - time) }, conditions: conditions))
    }
    return ConditionSchedule(phases: stretches) ?? ConditionSchedule(base)
  }

  private struct Span {
    var start: Int64
    var end: Int64
    var phase: String?
    var outage: PathConditions.Outage?
    var suspendsApp = false

    init?(_ fault: ScheduledFault) {
      guard let span = fault.kind.span else { return nil }
      if case .outage(let outage, _, _) = fault.kind { self.outage = outage }
      if case .phase(let name, _, _) = fault.kind { phase = name }
      if case .suspension = fault.kind { suspendsApp = true }
      start = max(0, span.start.wholeNanoseconds)
      let (sum, overflow) = start.addingReportingOverflow(span.length?.wholeNanoseconds ?? .max)
      end = overflow ? .max : sum
      guard end > start else { return nil }
    }
  }
}

extension PathConditions {
  /// These conditions without random impairments and outages.
  var benign: PathConditions {
    var conditions = self
    conditions.outage = nil
    conditions.down = conditions.down.benign
    conditions.up = conditions.up.benign
    return conditions
  }
}
