import Internals
public import NetworkConditions
import Testing
import URLLoading

/// The network that a test with the trait `.network(…)` runs over.
///
/// Each run of each test has its own, so that tests that run side by side never meet: it goes with the task and its child
/// tasks, and where the client is captured with its detached tasks and queues. Elsewhere those have none, nor where a test
/// runs as several clients: keep what is needed of it before.
public enum NetworkUnderTest {
  @TaskLocal static var current: SimulatedNetwork?
  /// The networks of the runs that go on: a captured client's detached task is known by its thread.
  static let running = Mutex<[SimulatedNetwork]>([])

  /// The network of the run whose thread this is; of several clients nobody knows whose the task is.
  private static var ofThread: SimulatedNetwork? {
    let here = running.withLock { $0 }.filter(\.isOnThisThread)
    return here.count == 1 ? here[0] : nil
  }

  /// The network; of several clients, this client's view of it.
  ///
  /// Where there is none, an issue says so, and a network is returned in which every request fails.
  public static var network: SimulatedNetwork { current ?? ofThread ?? missing }

  /// An ordinary session over the network, the same at each call.
  public static var session: URLSession { network.session }

  /// The network's own time, as a clock for clients that take one.
  public static var clock: SimulatedClock { network.clock }

  private static var missing: SimulatedNetwork {
    let reason = reason(isInTest: Test.current != nil)
    if let test = Test.current {
      Issue.record("\(reason)", sourceLocation: test.sourceLocation)
    } else {
      Issue.record("\(reason)")
    }
    return SimulatedNetwork(failingBecause: reason)
  }

  /// Why there is no network, and what to do.
  static func reason(isInTest: Bool) -> String {
    let remedy =
      isInTest
      ? "add the trait `.network(\"3G\", seed: 42)` to the test or its suite."
      : """
      `Task.detached`, a queue and a completion handler leave the test. Read it in the test itself, such as \
      `let session = NetworkUnderTest.session`, and hand that over.
      """
    return Explanation.noNetworkHere.ending("There is no network under test here: \(remedy)")
  }
}
