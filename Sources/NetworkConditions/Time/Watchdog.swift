import ClientCapture
import Dispatch
import Internals
import struct Synchronization.Atomic

/// Detects simulations that make no progress.
final class Watchdog: Sendable {
  static let shared = Watchdog()

  private struct Watch {
    let driver: SimulationDriver
    let bark: @Sendable (ClientPlace?) -> Void
    var progress: UInt64
    var grace: QueueGrace
    /// Finds the loop of a thread that makes no progress; made when the driver first stands still, and called on the queue.
    var findLoop: (@Sendable () -> ClientPlace?)?
  }
  private struct State {
    var watches: [Int: Watch] = [:]
    var next = 0
    var isRunning = false
  }
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "network-conditions.watchdog")

  /// How long a driver may take to its first step, because a busy machine may have no thread for it.
  private static let patienceWithStarts = Duration.seconds(60)

  /// - Parameter bark: called once when the driver makes no more progress, with the place of a looping thread, if known.
  func watch(_ driver: SimulationDriver, _ bark: @escaping @Sendable (ClientPlace?) -> Void) -> Int {
    let (number, mustRun) = state.withLock { state in
      state.next += 1
      state.watches[state.next] = Watch(
        driver: driver, bark: bark, progress: driver.progress.load(ordering: .relaxed),
        grace: QueueGrace(from: DispatchTime.uptime, for: max(Self.patienceWithStarts, driver.patience)))
      defer { state.isRunning = true }
      return (state.next, !state.isRunning)
    }
    if mustRun { RealTime.run(look) }
    return number
  }

  func forget(_ number: Int) {
    _ = state.withLock { $0.watches.removeValue(forKey: number) }
  }

  private func look() {
    queue.asyncAfter(deadline: .now() + 0.1) { [self] in
      let now = DispatchTime.uptime
      let (late, still) = state.withLock { state -> ([Watch], [Int: Watch]) in
        var late: [Watch] = []
        var still: [Int: Watch] = [:]
        for (number, watch) in state.watches {
          let progress = watch.driver.progress.load(ordering: .relaxed)
          if progress != watch.progress || watch.driver.isBusy.load(ordering: .relaxed) {
            state.watches[number]?.progress = progress
            state.watches[number]?.grace = QueueGrace(from: now, for: watch.driver.patience)
            state.watches[number]?.findLoop = nil
          } else if watch.driver.isRefused || state.watches[number]?.grace.isOver(at: now) == true {
            late.append(watch)
            state.watches[number] = nil
          } else if watch.findLoop == nil {
            state.watches[number]?.findLoop = watch.driver.clientThreads.loopFinder()
          } else {
            still[number] = watch
          }
        }
        return (late, still)
      }
      for watch in late { watch.bark(nil) }
      for (number, watch) in still {
        guard let place = watch.findLoop?() else { continue }
        // The driver may have made progress meanwhile.
        let isLate = watch.driver.progress.load(ordering: .relaxed) == watch.progress
        if isLate, state.withLock({ $0.watches.removeValue(forKey: number) }) != nil { watch.bark(place) }
      }
      let goesOn = state.withLock { state in
        state.isRunning = !state.watches.isEmpty
        return state.isRunning
      }
      if goesOn { look() }
    }
  }
}
