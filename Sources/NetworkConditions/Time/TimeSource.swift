import Internals

/// Owns the time of one network: says what time it is, lets it pass, and is the only one that waits; ``ClockTime`` goes
/// by the clock on the wall, ``JumpingTime`` to the next event once nobody outside has anything to do first, and
/// ``SimulationDriver`` once nothing of a simulation can run.
protocol TimeSource: AnyObject, Sendable {
  /// The time by the clock on the wall; `nil` where it is the time to which the network last ran.
  var now: SimulatedInstant? { get }
  /// Where the tasks of transports run; `nil` where that is all the same.
  var executor: (any TaskExecutor)? { get }
  /// The simulation that the calling thread belongs to, if this is one: while that thread waits, all of it does.
  var simulationHere: SimulationDriver? { get }

  /// Takes over the time of a network, which holds its time source and is not held by it.
  func keepTime(of network: NetworkEngine)

  /// Takes in that the network has done all that there was to do for now.
  func networkRests(_ rest: NetworkRest)

  /// Runs work that may be a user's code, one piece after another, without blocking the network.
  func perform(_ work: @escaping @Sendable () -> Void)

  func performBlocking(_ work: @escaping @Sendable () -> Void)

  /// Takes note of a call to the network, which may come from a thread that does not belong to it.
  func notice(_ call: StaticString)

  var isRefused: Bool { get }

  /// Counts a request; returns `false` for one beyond the limit, which is never answered.
  func admitsRequest() -> Bool

  /// Returns whether a sleep that begins after the end is woken; the others never are, so that no client loops for
  /// ever.
  func admitsStraggler() -> Bool

  var canKillClient: Bool { get }

  var isClientsWork: Bool { get }

  /// Has ``ClientLives/note(_:)`` called for what the client does to files below a folder.
  func watchFiles(below folder: String, for lives: ClientLives)

  /// Kills the client's threads, queues and timers; to be called where ``perform(_:)`` has work done.
  func killClient()

  func stop()
}

/// The defaults, for networks whose time goes on by itself.
extension TimeSource {
  var executor: (any TaskExecutor)? { nil }
  var simulationHere: SimulationDriver? { nil }
  func notice(_ call: StaticString) {}
  var isRefused: Bool { false }
  var canKillClient: Bool { false }
  var isClientsWork: Bool { false }
  func watchFiles(below folder: String, for lives: ClientLives) {}
  func killClient() {}
  func admitsRequest() -> Bool { true }
  func admitsStraggler() -> Bool { true }
  func performBlocking(_ work: @escaping @Sendable () -> Void) { BlockingWork.run(work) }
}

struct NetworkRest {
  /// When the network wants to run next; `nil` when nothing will happen by itself.
  var next: SimulatedInstant?
  /// Whether time may jump there: no client or server has work to do before.
  var mayJump: Bool
  /// Counts what clients and servers did; `nil` when no client waits for time to go on.
  var progress: UInt64?
}

enum NetworkStep {
  /// Something happened, and time has gone on for it or not.
  case happened(timePassed: Bool)
  /// The next event lies beyond the limit.
  case limit
  /// Something outside of the network's time is waited for.
  case outside
  /// Nothing will happen by itself.
  case nothing
}

/// The network whose time a time source owns; a weak reference.
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
