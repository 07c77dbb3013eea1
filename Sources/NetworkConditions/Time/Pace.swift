/// How the network's own time runs against the clock on the wall.
public enum Pace: Hashable, Sendable {
  /// One second of the network's is one second.
  case realTime
  /// The network's time runs faster (above 1) or slower (below 1) by this factor, from a millionth to a million.
  ///
  /// With any other every request fails at once with a ``NetworkSetupError``. At a million, a network's time is over after 77 minutes: it
  /// counts to 146 years, and ends as if it were invalidated.
  case scaled(Double)
  /// The network waits for nothing: its time jumps to the next event as soon as everything before it is done.
  ///
  /// Time stands still while a transport works on an answer and while a client has output to take, but no request waits
  /// for ever: when nothing has moved for the network's patience in real time, the requests that wait for a server fail with
  /// `timedOut` and say so, and a client that does not take its output keeps no other waiting. A stub's handler that
  /// awaits its own network or its clock is such a case; in a ``Simulation`` it may. The network does not see the
  /// client's own activity in the meantime, such as sleeping: a client that races with the network races with it.
  case immediate

  /// Why no network can run at it; `nil` when one can.
  var problem: String? {
    guard case .scaled(let factor) = self, !(1e-6...1e6).contains(factor) else { return nil }
    return
      "\(factor) is no pace: write a factor from 0.000001 to 1000000, or .immediate for a network that waits for nothing."
  }

  /// Creates the owner of the time of a network that runs at it; at one that is none, a network's requests all fail.
  func makeTimeSource(patience: Duration) -> any TimeSource {
    switch self {
    case .realTime: ClockTime(factor: 1)
    case .scaled(let factor): ClockTime(factor: problem == nil ? factor : 1)
    case .immediate: JumpingTime(patience: patience)
    }
  }
}
