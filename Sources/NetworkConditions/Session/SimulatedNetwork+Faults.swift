extension SimulatedNetwork {
  /// Writes down from now on everything adverse that chance decides, so that ``faultSchedule`` has it.
  ///
  /// It is not done unasked, because every deviation of every packet takes memory. Ask before the first request: what
  /// earlier connections meet with cannot be named any more.
  public func recordFaults() {
    engine.change { $0.paths.recordFaults(at: $0.time) }
  }

  /// Everything adverse that chance has decided since ``recordFaults()``, or what the network replays; `nil` when it does
  /// neither.
  public var faultSchedule: FaultSchedule? {
    engine.change { $0.paths.faultSchedule }
  }

  var cancellations: [SimulatedInstant] {
    replayed { if case .cancellation(let time) = $0 { .zero.advanced(by: time) } else { nil } }
  }

  var deaths: [ClientDeath] { replayed { ClientDeath($0) } }

  var clockJumps: [(Duration, SimulatedInstant)] {
    replayed { if case .clockJump(let jump, let time) = $0 { (jump, .zero.advanced(by: time)) } else { nil } }
  }

  private func replayed<Result: Sendable>(_ select: @Sendable (ScheduledFault.Kind) -> Result?) -> [Result] {
    (engine.look { $0.paths.replay }?.faults ?? []).compactMap { select($0.kind) }
  }

  /// The scheduled faults that have not happened: no such request or packet has come, or their time has not.
  ///
  /// A schedule that was written by hand and misses shows here.
  public var unusedFaults: [ScheduledFault] {
    let (struck, jumps, now) = (engine.lives.struck, engine.timeSource.canKillClient, engine.now)
    return engine.change { $0.paths.unusedFaults(at: $0.time) }.filter { fault in
      switch fault.kind {
      case .kill, .powerLoss: ClientDeath(fault.kind).map { !struck.contains($0) } ?? true
      case .clockJump(_, let time): !jumps || now < .zero.advanced(by: time)
      default: true
      }
    }
  }
}

/// The source of the adverse things of a run.
package indirect enum FaultSource: Hashable, Sendable {
  case drawn
  case recorded
  case replayed(FaultSchedule)

  var replayed: FaultSchedule? {
    if case .replayed(let schedule) = self { schedule } else { nil }
  }
}
