import Internals

/// Owns the time of one network: tells the time, lets it pass, and does all waiting.
///
/// ``ClockTime`` follows the real clock. ``JumpingTime`` jumps to the next event when clients and servers have no work.
/// ``SimulationDriver`` jumps when nothing in a simulation can run.
protocol TimeSource: AnyObject, Sendable {
  /// The present time by the real clock; `nil` if the network itself holds the present time.
  var now: SimulatedInstant? { get }

  /// Takes over the time of a network; the network holds its time source, not the other way round.
  func keepTime(of network: NetworkEngine)

  /// Hands over the time: called when the network has done all its present work.
  func networkRests(_ rest: NetworkRest)

  /// Runs work that may be a user's code, in order, without blocking the network.
  func perform(_ work: @escaping @Sendable () -> Void)

  func stop()
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
