/// How much of a client's waiting and spawning a ``Simulation`` takes over.
///
/// On Linux it is everything, without changes to the client: threads, queues, tasks, timers, sleeps, locks, clocks and
/// random numbers. Elsewhere it is nothing: let the client use the network's clock, and wait in child tasks.
public enum CaptureMode: Sendable {
  /// Captures the whole client, if the process allows it; otherwise the same as ``nothing``.
  case everything
  /// Captures only waits for the network and its clock; the system's clocks keep real time.
  case nothing

  /// The reason why clients cannot be captured in this process; `nil` if they can.
  ///
  /// It is tested once for the process, in about a millisecond: in every kind of wait, a virtual second must take no
  /// real time.
  public static var obstacle: String? { systemObstacle }

  /// The mode as code, for printed tests; `nil` for the default.
  package var expression: String? { self == .nothing ? ".nothing" : nil }

  package var obstacle: String? { self == .everything ? Self.obstacle : nil }

  var isCapturing: Bool { self == .everything && obstacle == nil }

  /// The advice that errors give, such as to use the network's clock.
  var remedy: String {
    let ownRemedy = "let the client wait on the network's clock and in child tasks"
    guard let obstacle = Self.obstacle else { return "Leave out `capturing: .nothing`, or \(ownRemedy)." }
    return """
      \(obstacle) Use network.session, network.session(delegate:) or the network's data(for:), and \(ownRemedy).
      """
  }
}
