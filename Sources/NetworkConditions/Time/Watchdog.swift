import ClientCapture
import Dispatch
import Internals
import struct Synchronization.Atomic

/// Looks after simulations that do not move any more.
final class Watchdog: Sendable {
  static let shared = Watchdog()

  private struct Watch {
    let driver: SimulationDriver
    let bark: @Sendable () -> Void
    var progress: UInt64
    var grace: QueueGrace
  }
  private struct State {
    var watches: [Int: Watch] = [:]
    var next = 0
    var isRunning = false
  }
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "network-conditions.watchdog")

  func watch(_ driver: SimulationDriver, _ bark: @escaping @Sendable () -> Void) -> Int {
    let (number, mustRun) = state.withLock { state in
      state.next += 1
      state.watches[state.next] = Watch(
        driver: driver, bark: bark, progress: driver.progress.load(ordering: .relaxed),
        grace: QueueGrace(from: DispatchTime.uptime, for: driver.patience))
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
      let (late, goesOn) = state.withLock { state -> ([@Sendable () -> Void], Bool) in
        var late: [@Sendable () -> Void] = []
        for (number, watch) in state.watches {
          let progress = watch.driver.progress.load(ordering: .relaxed)
          if progress != watch.progress || watch.driver.isBusy.load(ordering: .relaxed) {
            state.watches[number]?.progress = progress
            state.watches[number]?.grace = QueueGrace(from: now, for: watch.driver.patience)
          } else if watch.driver.isRefused || state.watches[number]?.grace.isOver(at: now) == true {
            late.append(watch.bark)
            state.watches[number] = nil
          }
        }
        state.isRunning = !state.watches.isEmpty
        return (late, state.isRunning)
      }
      for bark in late { bark() }
      if goesOn { look() }
    }
  }
}
