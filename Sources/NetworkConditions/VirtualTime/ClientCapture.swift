import struct Synchronization.Atomic

/// How much of a client's waiting and spawning a ``Simulation`` takes over.
///
/// By itself it sees waits on the network and on the network's clock, and child tasks. All the rest is taken over by
/// the module `ClientCapture`, which has to look beneath the system's libraries.
public struct ClientCapture: Sendable, CustomStringConvertible {
  /// Makes the surroundings that take a simulation's client over; `nil` where it is not captured.
  package let makeSurroundings: (@Sendable (SimulationTime, _ seed: UInt64) -> any Surroundings)?
  /// Checks that capturing works with this toolchain; returns a sentence that says why not, or `nil`.
  package let refusal: @Sendable () async -> String?
  /// How it is written in code, for tests that are printed; `nil` where it need not be.
  package let expression: String?
  /// What errors name as the remedy for a client that waits or works where the simulation does not see it.
  var remedy = SimulationError.remedy(offering: nil)

  package init(
    expression: String? = nil, refusal: @escaping @Sendable () async -> String?,
    makeSurroundings: (@Sendable (SimulationTime, _ seed: UInt64) -> any Surroundings)?
  ) {
    self.expression = expression
    self.refusal = refusal
    self.makeSurroundings = makeSurroundings
  }

  /// Whether more is captured than a simulation sees by itself.
  public var isCapturing: Bool { makeSurroundings != nil }

  /// As it is written in code.
  public var description: String { expression ?? (isCapturing ? "capturing" : ".none") }

  /// Nothing more: clients take the network's clock, and wait in child tasks.
  public static let none = ClientCapture.none(offering: "capturing: .everything")

  /// Nothing more, where a client can be captured by other words than an argument, or not at all.
  ///
  /// - Parameter code: what has it captured there.
  package static func none(offering code: String?) -> ClientCapture {
    var none = ClientCapture(refusal: { nil }, makeSurroundings: nil)
    none.remedy = SimulationError.remedy(offering: code)
    return none
  }
}

/// The time of a simulation, for those who take its client over.
package struct SimulationTime: Sendable {
  /// Something that is to be called at its time.
  package struct Call: Sendable {
    let ticket: TimerQueue<EngineState.TimedWork>.Ticket
  }

  /// Weak: the driver holds those who were made with this.
  private weak let driver: SimulationDriver?

  init(driver: SimulationDriver) {
    self.driver = driver
  }

  /// In nanoseconds since the simulation began.
  package var now: Int64 { driver?.time.nanoseconds ?? 0 }

  /// Has something called at a time.
  package func call(at time: Int64, _ work: @escaping () -> Void) -> Call? {
    // Made and called on the simulation's threads, of which one runs at a time.
    nonisolated(unsafe) let work = work
    return driver?.call(at: SimulatedInstant(nanoseconds: time)) { work() }
  }

  /// Has something not called any more.
  package func cancel(_ call: Call) { driver?.cancel(call) }

  /// Makes the calling thread one of the simulation's for as long as `body` runs: a trap on it is told as that of its run.
  package func onThisThread<Result>(_ body: () -> Result) -> Result { driver?.toldRun?.onThisThread(body) ?? body() }

  /// Whether the run is refused, and its client must not go on.
  package var isRefused: Bool { driver?.isRefused ?? false }

  /// Has the run end, since the client does what cannot be simulated; says whether it does.
  package func refuse(_ call: String, at place: ClientPlace = .current, remedy: String) -> Bool {
    driver?.refuse(call, at: place, remedy: remedy) ?? false
  }

  /// Says that something moves.
  package func noteProgress() { driver?.progress.wrappingAdd(1, ordering: .relaxed) }
}
