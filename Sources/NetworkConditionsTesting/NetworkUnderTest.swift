import Internals
public import NetworkConditions
import Testing
import URLLoading

/// The network over which a test with the trait `.network(…)` runs.
///
/// Each run of each test has its own network, so parallel tests never meet. The network belongs to the test's task and
/// its child tasks. Detached tasks and queues have it only where the client is captured and is the only one. Elsewhere,
/// read what they need before they start.
public enum NetworkUnderTest {
  @TaskLocal static var current: SimulatedNetwork?
  /// The networks of the current runs, to find the network of a captured client's detached task by its thread.
  static let running = Mutex<[SimulatedNetwork]>([])

  /// The network of the run that uses this thread; `nil` with several clients, whose tasks cannot be told apart.
  private static var ofThread: SimulatedNetwork? {
    let here = running.withLock { $0 }.filter(\.isOnThisThread)
    return here.count == 1 ? here[0] : nil
  }

  /// The network of the current test; with several clients, this client's view of it.
  ///
  /// If there is none, it records an issue and returns a network in which every request fails.
  public static var network: SimulatedNetwork { current ?? ofThread ?? missing }

  /// The network's session, the same at each call.
  public static var session: URLSession { network.session }

  /// The network's clock, for clients that take a clock.
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

  /// Explains why there is no network, and what to do.
  static func reason(isInTest: Bool) -> String {
    let remedy =
      isInTest
      ? "add the trait `.network(\"3G\", seed: 42)` to the test or its suite."
      : """
      `Task.detached`, a queue and a completion handler run outside the test. Read it in the test itself, for example \
      `let session = NetworkUnderTest.session`, and pass that on.
      """
    return Explanation.noNetworkHere.ending("There is no network under test here: \(remedy)")
  }
}
