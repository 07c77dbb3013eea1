import Internals

/// Owns the time of one network: tells the time, lets it pass, and does all waiting.
///
/// ``ClockTime`` follows the real clock. ``JumpingTime`` jumps to the next event when clients and servers have no work.
/// ``SimulationDriver`` jumps when nothing in a simulation can run.
protocol TimeSource: AnyObject, Sendable {
  /// The present time by the real clock; `nil` if the network itself holds the present time.
  var now: SimulatedInstant? { get }
  /// The executor for the tasks of transports; `nil` if any will do.
  var executor: (any TaskExecutor)? { get }
  /// The simulation of the calling thread, if there is one; while that thread waits, the whole simulation waits.
  var simulationHere: SimulationDriver? { get }

  /// Takes over the time of a network; the network holds its time source, not the other way round.
  func keepTime(of network: NetworkEngine)

  /// Called when the network has done all its present work.
  func networkRests(_ rest: NetworkRest)

  /// Runs work that may be a user's code, in order, without blocking the network.
  func perform(_ work: @escaping @Sendable () -> Void)

  func performBlocking(_ work: @escaping @Sendable () -> Void)

  /// Notes a call to the network, which may come from a thread outside of the simulation.
  func notice(_ call: StaticString)

  var isRefused: Bool { get }

  /// Whether the run has ended at its limit of requests, and so leaves a request without an answer.
  var endedAtRequestLimit: Bool { get }

  /// Counts a request; returns `false` beyond the limit, where requests get no answer.
  func admitsRequest() -> Bool

  /// Returns whether a sleep that begins after the simulation's end will wake; only a limited number does, to stop
  /// endless loops.
  func admitsStraggler() -> Bool

  var canKillClient: Bool { get }

  var isClientsWork: Bool { get }

  /// Reports the client's file accesses below a folder to ``ClientLives/note(_:)``.
  func watchFiles(below folder: String, for lives: ClientLives)

  /// Kills the client's threads, queues and timers; call it inside work of ``perform(_:)``.
  func killClient()

  func stop()
}

extension TimeSource {
  var executor: (any TaskExecutor)? { nil }
  var simulationHere: SimulationDriver? { nil }
  func notice(_ call: StaticString) {}
  var isRefused: Bool { false }
  var endedAtRequestLimit: Bool { false }
  var canKillClient: Bool { false }
  var isClientsWork: Bool { false }
  func watchFiles(below folder: String, for lives: ClientLives) {}
  func killClient() {}
  func admitsRequest() -> Bool { true }
  func admitsStraggler() -> Bool { true }
  func performBlocking(_ work: @escaping @Sendable () -> Void) { BlockingWork.run(work) }
}

struct NetworkRest {
  /// When the network must run next; `nil` if nothing is scheduled.
  var next: SimulatedInstant?
  /// Whether time may jump to ``next``, because no client or server has earlier work.
  var mayJump: Bool
  /// A count of the clients' and servers' actions; `nil` if no client waits for time to pass.
  var progress: UInt64?
}

enum NetworkStep {
  case happened(timePassed: Bool)
  case limit
  /// The network waits for something outside of its time.
  case outside
  case nothing
}

/// A weak reference to the network of a time source.
final class NetworkReference: Sendable {
  private struct Reference {
    weak var network: NetworkEngine?
  }
  private let reference = Mutex(Reference())

  var network: NetworkEngine? {
    get { reference.withLock { $0.network } }
    set { reference.withLock { $0.network = newValue } }
  }
}
