/// The speed of a network's time, compared with the real clock.
public enum Pace: Hashable, Sendable {
  /// Network time runs as fast as real time.
  case realTime
  /// Network time runs faster (above 1) or slower (below 1) by this factor, from a millionth to a million.
  ///
  /// With any other factor, every request fails with a ``NetworkSetupError``. Network time ends after 146 years, as if
  /// the network were invalidated; at a factor of a million that is after 77 minutes.
  case scaled(Double)
  /// Network time jumps to the next event when everything before it is done; the network never waits.
  ///
  /// Time stands still while a transport works on an answer, and while a client has output to take. No request waits
  /// for ever, though. After the network's patience in real time, requests that wait for a server fail with `timedOut`
  /// and the reason. A client that does not take its output then no longer delays others. So a stub's handler must not
  /// wait for its own network or clock, except in a ``Simulation``. The network does not see a client's other activity,
  /// such as sleeping, so their order is not deterministic.
  case immediate

  var problem: String? {
    guard case .scaled(let factor) = self, !(1e-6...1e6).contains(factor) else { return nil }
    return
      "\(factor) is not a pace: write a factor from 0.000001 to 1000000, or .immediate for a network that never waits."
  }

  /// Creates the time source for this pace; an unusable pace gets any time source, because all requests fail.
  func makeTimeSource(patience: Duration) -> any TimeSource {
    switch self {
    case .realTime: ClockTime(factor: 1)
    case .scaled(let factor): ClockTime(factor: problem == nil ? factor : 1)
    case .immediate: JumpingTime(patience: patience)
    }
  }
}
