extension SimulatedNetwork {
  /// Starts recording all faults that chance decides, for ``faultSchedule``.
  ///
  /// Recording is off by default, because every effect on a packet takes memory. Call this before the first request:
  /// earlier connections' faults are not recorded.
  public func recordFaults() {
    engine.change { $0.paths.recordFaults(at: $0.time) }
  }

  /// The recorded faults since ``recordFaults()``, or the replayed schedule; `nil` if neither exists.
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

  /// The scheduled faults that have not happened, because their request, packet or time has not come.
  ///
  /// In a schedule written by hand they often show a mistake, such as a wrong path.
  public var unusedFaults: [ScheduledFault] {
    let (struck, jumps, now) = (engine.lives.struck, engine.simulation?.isCapturing ?? false, engine.now)
    return engine.change { $0.paths.unusedFaults(at: $0.time) }.filter { fault in
      switch fault.kind {
      case .kill, .powerLoss: ClientDeath(fault.kind).map { !struck.contains($0) } ?? true
      case .clockJump(_, let time): !jumps || now < .zero.advanced(by: time)
      default: true
      }
    }
  }
}

/// Where a run's faults come from: chance, recorded chance, or a schedule.
package indirect enum FaultSource: Hashable, Sendable {
  case drawn
  case recorded
  case replayed(FaultSchedule)

  var replayed: FaultSchedule? {
    if case .replayed(let schedule) = self { schedule } else { nil }
  }
}
