/// How much of a client's waiting and spawning a ``Simulation`` takes over.
///
/// By itself it sees what waits on the network and on the network's clock, and child tasks. More is in the module
/// `TaskCapture`, which has to rely on the toolchain's private interfaces.
public struct ClientCapture: Sendable {
  /// Makes the executor of a simulation's tasks; `nil` is the driver itself.
  package let makeExecutor: (@Sendable (SimulationTime) -> any TaskExecutor)?
  /// Makes sure that what is promised holds with this toolchain; a sentence when it does not.
  package let refusal: @Sendable () async -> String?
  /// Whether a job that comes from elsewhere means that something was not captured.
  package let forbidsEscapes: Bool

  /// How it is written in code, for tests that are printed; `nil` where it need not be.
  package let expression: String?

  package init(
    forbidsEscapes: Bool, expression: String? = nil, refusal: @escaping @Sendable () async -> String?,
    makeExecutor: (@Sendable (SimulationTime) -> any TaskExecutor)?
  ) {
    self.forbidsEscapes = forbidsEscapes
    self.expression = expression
    self.refusal = refusal
    self.makeExecutor = makeExecutor
  }

  /// Whether more is captured than a simulation sees by itself.
  public var isCapturing: Bool { makeExecutor != nil }

  /// Nothing more: clients take the network's clock, and wait in child tasks.
  public static let none = ClientCapture(forbidsEscapes: false, refusal: { nil }, makeExecutor: nil)
}

/// The part of a driver that an executor needs which captures more than the driver does.
package struct SimulationTime: Sendable {
  /// Weak: the driver holds the executor that was made with this.
  private weak let driver: SimulationDriver?

  init(driver: SimulationDriver) {
    self.driver = driver
  }

  /// The simulation that the calling thread belongs to.
  package static var current: SimulationTime? { SimulationDriver.current.map(SimulationTime.init) }

  /// The same, when that simulation captures more than by itself.
  package static var capturing: SimulationTime? {
    SimulationDriver.current.flatMap { $0.isCapturing ? SimulationTime(driver: $0) : nil }
  }

  /// Runs a job in its turn.
  package func enqueue(_ job: UnownedJob) {
    // A task that was left behind ends as any other task.
    if let driver { driver.resume(job) } else { globalConcurrentExecutor.enqueue(job) }
  }

  /// Runs a job after a time of the simulation's.
  package func enqueue(_ job: UnownedJob, after delay: Duration) {
    guard let driver else { return globalConcurrentExecutor.enqueue(job) }
    driver.call(after: delay) { driver.resume(job) }
  }

  /// Does something in its turn.
  package func submit(_ work: @escaping @Sendable () -> Void) { driver?.submit(work) }

  /// Does something in its turn, after a time of the simulation's.
  package func submit(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    driver?.call(after: delay) { [weak driver] in driver?.submit(work) }
  }

  /// The executor that the jobs run on.
  package var executor: any TaskExecutor { driver?.executor ?? globalConcurrentExecutor }
}
