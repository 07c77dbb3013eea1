extension NetworkEngine {
  func add(_ sleeper: Sleeper, until deadline: SimulatedInstant) {
    enum Fate {
      case late, over
      case asleep(NetworkRest?)
    }
    if refusesRun("A sleep") { return }
    simulation?.notice("A sleep on the network's clock began")
    sleeper.isClients = simulation?.isClientsWork ?? false
    let fate = locked { state -> Fate in
      if let now = timeSource.now { state.run(until: now) }
      if state.timeline.isOver { return .over }
      guard deadline > state.time else { return .late }
      if sleeper.isAtHorizon {
        state.waiters.horizons += 1
        sleeper.timer = state.timers.add(.wakeAtHorizon(sleeper), at: deadline)
      } else {
        sleeper.timer = state.add(.wake(sleeper), waitingUntil: deadline)
      }
      return .asleep(state.rest)
    }
    switch fate {
    case .late: sleeper.wake()
    case .over: if admitsStraggler() { sleeper.cancel() }
    case .asleep(let rest):
      // A sleeper that was cancelled earlier has already looked for its timer.
      if sleeper.isOver { forget(sleeper) }
      restOrPump(rest)
    }
  }

  /// Suspends a cancelled client that retries without waiting, so that the run can end.
  ///
  /// After the run's end the client may make a limited number of calls. Then it waits for ever, because only that stops
  /// its loop.
  func letRunEnd() async {
    guard look({ $0.timeline.isOver }), !admitsStraggler() else { return await Task.yield() }
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  /// Counts a call after the simulation's end; returns `false` beyond a limit, which stops endless loops.
  private func admitsStraggler() -> Bool { simulation?.admitsStraggler() ?? true }

  func forget(_ sleeper: Sleeper) {
    locked { state in
      guard let timer = sleeper.timer, state.timers.remove(timer) != nil else { return }
      if sleeper.isAtHorizon { state.waiters.horizons -= 1 } else { state.waiters.sleepers -= 1 }
    }
  }
}
