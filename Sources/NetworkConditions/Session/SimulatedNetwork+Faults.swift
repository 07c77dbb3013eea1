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

  /// When a schedule that is replayed cancels the client.
  var cancellations: [SimulatedInstant] {
    engine.look { state in
      state.paths.replay?.faults.compactMap { fault in
        if case .cancellation(let time) = fault.kind { SimulatedInstant.zero.advanced(by: time) } else { nil }
      } ?? []
    }
  }

  /// The moments at which a schedule that is replayed kills the clients.
  var kills: [KillMoment] {
    engine.look { state in
      state.paths.replay?.faults.compactMap { if case .kill(let moment) = $0.kind { moment } else { nil } } ?? []
    }
  }

  /// The scheduled faults that have not happened: no such request or packet has come, or their time has not.
  ///
  /// A schedule that was written by hand and misses shows here.
  public var unusedFaults: [ScheduledFault] {
    let struck = engine.lives.struck
    return engine.change { $0.paths.unusedFaults(at: $0.time) }.filter { fault in
      if case .kill(let moment) = fault.kind { !struck.contains(moment) } else { true }
    }
  }
}

/// The source of the adverse things of a run.
package enum FaultSource: Hashable, Sendable {
  /// Chance, by the seed.
  case drawn
  /// Chance, and it is written down.
  case recorded
  /// A schedule.
  case replayed(FaultSchedule)

  /// The schedule, where one is replayed.
  var replayed: FaultSchedule? {
    if case .replayed(let schedule) = self { schedule } else { nil }
  }
}
