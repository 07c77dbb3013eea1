/// How much of a client's waiting and spawning a ``Simulation`` takes over.
///
/// On Linux all of it is captured, without a word: threads, queues, tasks, timers, sleeps, locks and clocks, and the client's
/// chance. Elsewhere nothing is: let the client take the network's clock, and wait in child tasks.
public enum CaptureMode: Sendable {
  /// All of the client, where the process can be captured; else ``nothing``.
  case everything
  /// Only what waits on the network and on its clock. The system's clocks keep real time.
  case nothing

  /// Why clients cannot be captured in this process; `nil` where they can.
  ///
  /// Tried once for the process, in about a millisecond: a virtual second must take no real time in each way to wait.
  public static var obstacle: String? { systemObstacle }

  /// How it is written in code, for tests that are printed; `nil` where it need not be.
  package var expression: String? { self == .nothing ? ".nothing" : nil }

  /// Why it is not what was asked for; `nil` where it is.
  package var obstacle: String? { self == .everything ? Self.obstacle : nil }

  var isCapturing: Bool { self == .everything && obstacle == nil }

  /// What errors tell the owner of a client to do.
  var remedy: String {
    let ownRemedy = "let the client wait on the network's clock and in child tasks"
    guard let obstacle = Self.obstacle else { return "Leave out `capturing: .nothing`, or \(ownRemedy)." }
    return """
      \(obstacle) Take network.session, network.session(delegate:) or the network's data(for:), and \(ownRemedy).
      """
  }
}
