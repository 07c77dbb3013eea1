import Internals
import NetworkConditions

extension ExplorationRun {
  /// How many transfers get a fault to find the client's waits.
  private static let scouted = 6

  /// Finds the client's waits, from its run without a fault and from a few runs with faults.
  ///
  /// The faults become twice as long each time until the behaviour stays the same. `last` is a run whose thread never
  /// returned, if there was one.
  func waitLengths(
    of base: SearchRun, _ runner: SearchRunner, usual: [String: Int64]
  ) async throws -> (lengths: WaitLengths, last: (points: PointClass, run: ExploredRun)?) {
    let horizon = exploration.horizon
    var seen = base.timeline.details.waits
    var beyond: [Duration] = []
    var before: [String] = []
    // A length of zero would never grow.
    var length = max(exploration.faults.age, .milliseconds(1))
    while length <= horizon {
      // A refusal and a status have no length, so they are tried once.
      let scouts = scouts(base.timeline, lasting: length, isFirst: before.isEmpty)
      let runs = try await map(scouts.count) { number in
        try await make([scouts[number][0]], runner) { token in
          let found = try await runner.listed.wholeRun(token)
          var run = ExploredRun(Verdict(found), usual: usual)
          run.waits = found.timeline.details.waits
          return run
        }
      }
      if let held = zip(scouts, runs).first(where: { $1?.failure?.holdsThread == true }), isHeld.value {
        return (WaitLengths(), held.1.map { (held.0, $0) })
      }
      let known = runs.compactMap { $0 }
      seen.formUnion(known.flatMap(\.waits))
      let behaviours = zip(scouts, known).filter { $0.0[0].kind.hasLength }.map(\.1.behaviour)
      let longest = seen.filter { $0 < horizon }.max() ?? .zero
      if known.count < runs.count || behaviours == before && longest <= length { break }
      if length > exploration.faults.age { beyond.append(length) }
      (before, length) = (behaviours, length * 2)
    }
    return (WaitLengths(seen, beyond: beyond, below: horizon), nil)
  }

  /// Faults that make a client wait: a stall and outages for each transfer, and the first time also a refusal and a 503.
  private func scouts(_ timeline: Timeline, lasting length: Duration, isFirst: Bool) -> [PointClass] {
    timeline.transfers.prefix(Self.scouted).enumerated().flatMap { turn, transfer -> [PointClass] in
      let (match, via) = (RequestMatch(transfer), transfer.via(timeline))
      let begin = SimulatedInstant.zero.duration(to: transfer.started).wholeNanoseconds + 1
      func fault(_ fault: RequestFault) -> ScheduledFault { ScheduledFault(.request(match, fault), via: via) }
      let all: [(FaultKinds.Kind, ScheduledFault, Int64, isLong: Bool)] = [
        (.refused, fault(.refused), 0, false), (.status, fault(.status(code: 503)), 0, false),
        (.stall, fault(.stall(after: .zero, duration: length)), 0, true),
        (.outage, .outage(.drop, from: .zero, for: length), begin, true),
        (.offline, .outage(.refuse, from: .zero, for: length), begin, true),
      ]
      return all.filter { exploration.faults.kinds.contains($0.0) && ($0.isLong || isFirst) }.map {
        kind, template, place, _ in
        var points = PointClass(PointClass.Key(transfer: turn, effect: .scouted(template)))
        points.add(template, kind, at: place, transfer.started)
        return points
      }
    }
  }
}
