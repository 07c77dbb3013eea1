import ClientCapture
import Dispatch
import Internals
import struct Synchronization.Atomic

final class Watchdog: Sendable {
  static let shared = Watchdog()

  private struct Watch {
    let driver: SimulationDriver
    let onStall: @Sendable (BusyThread?) -> Void
    var progress: UInt64
    var grace: QueueGrace
    /// Finds what a thread without progress does; made when the driver first makes no progress, and called on the
    /// queue.
    var look: (@Sendable () -> ThreadLook)?
    /// What the thread did at the last look, while the driver made no progress.
    var busy: BusyThread?
    var work = WorkGrace()
  }
  private struct State {
    var watches: [Int: Watch] = [:]
    var next = 0
    var isRunning = false
  }
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "network-conditions.watchdog")

  /// How long a driver may take until its first step: a busy machine may have no thread for it.
  private static let patienceWithStarts = Duration.seconds(60)

  /// - Parameter onStall: called once when the driver makes no more progress, with its thread's activity, if known.
  func watch(_ driver: SimulationDriver, _ onStall: @escaping @Sendable (BusyThread?) -> Void) -> Int {
    let (number, mustRun) = state.withLock { state in
      state.next += 1
      state.watches[state.next] = Watch(
        driver: driver, onStall: onStall, progress: driver.progress.load(ordering: .relaxed),
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
          if progress != watch.progress || watch.driver.isBusy.load(ordering: .relaxed)
            || watch.driver.clientThreads.waitsForOtherRun
          {
            state.watches[number]?.progress = progress
            state.watches[number]?.grace = QueueGrace(from: now, for: watch.driver.patience)
            state.watches[number]?.look = nil
            state.watches[number]?.busy = nil
            state.watches[number]?.work = WorkGrace()
          } else if watch.driver.isRefused || state.watches[number]?.grace.isOver(at: now) == true {
            if !watch.driver.isRefused, state.watches[number]?.work.extends(watch.driver.patience) == true {
              state.watches[number]?.grace = QueueGrace(from: now, for: watch.driver.patience)
              continue
            }
            late.append(watch)
            state.watches[number] = nil
          } else if watch.look == nil {
            state.watches[number]?.look = watch.driver.clientThreads.threadWatch()
          } else {
            still[number] = watch
          }
        }
        return (late, still)
      }
      for watch in late { watch.onStall(watch.busy) }
      for (number, watch) in still {
        guard let (seen, spent) = watch.look?() else { continue }
        state.withLock { $0.watches[number]?.work.spent = spent }
        guard let busy = seen else { continue }
        // The driver may have made progress meanwhile.
        guard watch.driver.progress.load(ordering: .relaxed) == watch.progress else { continue }
        guard case .loops = busy else {
          state.withLock { $0.watches[number]?.busy = busy }
          continue
        }
        if state.withLock({ $0.watches.removeValue(forKey: number) }) != nil { watch.onStall(busy) }
      }
      let goesOn = state.withLock { state in
        state.isRunning = !state.watches.isEmpty
        return state.isRunning
      }
      if goesOn { look() }
    }
  }
}
