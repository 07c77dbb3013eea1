import ClientCapture
import Internals

/// Runs a stepped simulation's steps on its leading thread, which waits in real time between them.
final class StepRunner: Sendable {
  struct Step: Sendable {
    let limit: SimulatedInstant
    /// Whether time advances to the limit even if nothing happens before it.
    let goesToLimit: Bool
    let waitsForStrangers: Bool
    let beginning: SimulatedInstant
    let isDone: @Sendable () -> Bool
    let end: @Sendable (Result<SimulationDriver.Pause, SimulationError>) -> Void
  }

  private struct State {
    var step: Step?
    var watch: Int?
    /// Whether the step's caller already got an error, although the step's thread is still at work.
    var isGivenUp = false
    var hasThread = false
    var isOver = false
  }

  private let driver: SimulationDriver
  private let network: SimulatedNetwork
  private let state: ConditionLock<State> = ConditionLock(State())

  init(_ driver: SimulationDriver, _ network: SimulatedNetwork) {
    (self.driver, self.network) = (driver, network)
  }

  /// Begins a step; returns why it cannot begin: another is running, or the simulation is over.
  func begin(_ step: Step) -> SimulationError? {
    let (problem, needsThread) = state.withLock(signalling: true) { state -> (SimulationError?, Bool) in
      if state.isOver { return (Self.late, false) }
      guard state.step == nil else { return (Self.overlap, false) }
      state.step = step
      state.watch = Watchdog.shared.watch(driver) { [weak self] in self?.giveUp($0) }
      defer { state.hasThread = true }
      return (nil, !state.hasThread)
    }
    if needsThread {
      DriverThreads.run { [self] in
        driver.onThisThread { driver.clientThreads.lead { [self] in drive() } }
      }
    }
    return problem
  }

  private static let overlap = SimulationError.notCaptured(
    call: "A step that begins while another one runs", place: nil, remedy: "Await each step before the next.")
  private static let late = SimulationError.notCaptured(
    call: "A step after the simulation's end", place: nil, remedy: "end() or an error ended it: create another one.")

  func end() {
    let isBetweenSteps = state.withLock(signalling: true) { state in
      state.isOver = true
      return state.step == nil
    }
    network.invalidate()
    if isBetweenSteps { driver.finish() }
  }

  /// Abandons a refused simulation: nothing in it runs again.
  func abandon() {
    state.withLock(signalling: true) { $0.isOver = true }
    network.abandon()
    driver.abandon()
  }

  private func drive() -> Bool {
    while true {
      guard let step = nextStep() else { return true }
      let result: Result<SimulationDriver.Pause, SimulationError>
      do throws(SimulationError) {
        let pause = try driver.run(
          upTo: step.limit, waitsForStrangers: step.waitsForStrangers, from: step.beginning, until: step.isDone)
        if pause == .handedOver { return false }
        if step.goesToLimit, pause == .limit || pause == .nothing { driver.pass(to: step.limit) }
        result = .success(pause)
      } catch {
        result = .failure(error)
      }
      let (isOver, isGivenUp) = state.withLock { state in
        state.step = nil
        if let watch = state.watch.take() { RealTime.run { Watchdog.shared.forget(watch) } }
        return (state.isOver, state.isGivenUp)
      }
      // A refused client must not go on, so nothing that it waits for may end.
      if isOver, driver.isRefused { driver.abandon() } else if isOver { driver.finish() }
      driver.rest()
      if !isGivenUp { RealTime.run { step.end(result) } }
      if isOver { return true }
    }
  }

  private func giveUp(_ busy: BusyThread?) {
    let step = state.withLock { state -> Step? in
      guard let step = state.step, !state.isGivenUp else { return nil }
      (state.isGivenUp, state.isOver) = (true, true)
      return step
    }
    guard let step else { return }
    if let refusal = driver.refusal {
      network.abandon()
      driver.abandon()
      return step.end(.failure(refusal))
    }
    step.end(
      .failure(
        .standstill(
          busy, at: network.now, after: driver.patience, waiting: network.engine.openRequests,
          in: driver.clientThreads.realWait)))
  }

  private func nextStep() -> Step? {
    while true {
      let (step, isOver) = state.withLock { ($0.step, $0.isOver) }
      if let step {
        driver.rise()
        return step
      }
      if isOver { return nil }
      RealTime.run { state.wait(for: 60) { $0.step != nil || $0.isOver } }
    }
  }
}
