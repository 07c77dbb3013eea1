import Internals

/// Owns the time of one network: says what time it is, lets it pass, and is the only one that waits.
///
/// There are three, and a network does not ask which one it has: ``ClockTime`` goes by the clock on the wall,
/// ``JumpingTime`` goes to the next event once nobody outside has anything to do first, and ``SimulationDriver`` goes there
/// once nothing of a simulation can run.
protocol TimeSource: AnyObject, Sendable {
  /// The time by the clock on the wall; `nil` where it is the time to which the network last ran.
  var now: SimulatedInstant? { get }
  /// Where the tasks of transports run; `nil` where that is all the same.
  var executor: (any TaskExecutor)? { get }
  /// The simulation that the calling thread belongs to, if this is one: while that thread waits, all of it does.
  var simulationHere: SimulationDriver? { get }

  /// Takes over the time of a network, which holds its timeSource and is not held by it.
  func keepTime(of network: any TimedNetwork)

  /// Takes in that the network has done all that there was to do for now.
  func networkRests(_ rest: NetworkRest)

  /// Runs work that may be a user's code, one piece after another, where it keeps nobody waiting.
  func perform(_ work: @escaping @Sendable () -> Void)

  func performBlocking(_ work: @escaping @Sendable () -> Void)

  /// Takes note of a call to the network, which may come from a thread that does not belong to it.
  func notice(_ call: StaticString)

  /// Whether the client of the network must not be called any more.
  var isRefused: Bool { get }

  /// Takes note of a request, and says whether it is let through; the others are never answered.
  func admitsRequest() -> Bool

  /// Returns whether a sleep that begins after the end is woken; the others never are, so that no client loops for
  /// ever.
  func admitsStraggler() -> Bool

  /// Whether the client can be killed (``SimulatedNetwork/launch(_:)``).
  var canKillClient: Bool { get }

  /// Whether the calling thread does the work of a client that can be killed.
  var isClientsWork: Bool { get }

  /// Has ``ClientLives/noteFileChange()`` called for each change of a file below a folder that the client makes.
  func watchFiles(below folder: String, for lives: ClientLives)

  /// Kills the client's threads, queues and timers; to be called where ``perform(_:)`` has work done.
  func killClient()

  func stop()
}

/// Where time goes on by itself, transports' tasks run anywhere, and what blocks keeps nobody waiting on a thread apart.
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

/// The state of a network that has done all that there was to do for now, as its timeSource must know it.
struct NetworkRest {
  /// When the network wants to run next; `nil` when nothing will happen by itself, or nobody would notice.
  var next: SimulatedInstant?
  /// Whether time may jump there: nobody outside has anything to do first.
  var mayJump: Bool
  /// Counts what clients and servers did; `nil` when nobody waits for time to go on.
  var progress: UInt64?
}

/// A network as its timeSource sees it.
protocol TimedNetwork: AnyObject, Sendable {
  var now: SimulatedInstant { get }
  /// The requests that are under way, in words.
  var openRequests: [String] { get }
  /// How often one and the same request was made that began at this instant, and has failed or was cancelled.
  var mostEndsOfOneRequest: Int { get }
  /// Whether somebody outside of its time, such as a server, has something to do.
  var isWaitingOutside: Bool { get }
  /// Whether a step would find something to do.
  var hasSomethingToDo: Bool { get }

  /// Runs all events that are due by now, and carries out their effects.
  func catchUp()

  /// Lets the next thing happen, whenever it is due, unless somebody outside has something to do first; then it says no.
  func jump() -> Bool

  /// Lets the next thing happen that is due up to a limit, and tells everyone of it.
  func step(upTo limit: SimulatedInstant) -> NetworkStep

  func pass(to time: SimulatedInstant)

  func call(at time: SimulatedInstant, _ work: @escaping @Sendable () -> Void) -> TimerTicket

  func cancel(_ call: TimerTicket)

  /// Ends what waits for somebody outside, unless anything has moved since so much progress was counted.
  func giveUp(since progress: UInt64, after patience: Duration)

  /// Ends the network, whose time no clock can count any more.
  func timeIsOver()
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

/// The network whose time a timeSource owns, for as long as anybody else holds it.
final class TimedNetworkReference: Sendable {
  private struct Reference {
    weak var network: (any TimedNetwork)?
  }
  private let reference = Mutex(Reference())

  var network: (any TimedNetwork)? {
    get { reference.withLock { $0.network } }
    set { reference.withLock { $0.network = newValue } }
  }
}
