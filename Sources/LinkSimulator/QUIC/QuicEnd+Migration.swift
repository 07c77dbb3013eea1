/// A QUIC endpoint's reaction to a change of the client's address (RFC 9000, section 9).
extension QuicEnd {
  /// The client switches to another interface, and resets its state for the new path (RFC 9000, section 9.4).
  mutating func moves(at now: Int64) {
    beginPath(at: now)
    challenges(at: now)
  }

  /// The server follows its client to another address, and validates it by PATH_CHALLENGE (RFC 9000, 8.2 and 9.3).
  ///
  /// Until the client answers, the server sends at most three times the bytes that it has received there.
  ///
  /// - Parameter isNewPath: whether more than the port has changed, which resets the path's state (RFC 9000, section
  ///   9.4).
  mutating func follows(isNewPath: Bool, at now: Int64) {
    if isNewPath { beginPath(at: now) }
    distrust()
    challenges(at: now)
  }

  private mutating func beginPath(at now: Int64) {
    forgetProbes(at: now)
    sender.beginPath(at: now)
  }
}

extension QuicSender {
  /// Resets window, round trip and pacing for a new path, and queues unacknowledged data for retransmission.
  mutating func beginPath(at now: Int64) {
    application.forgetAll()
    window = CongestionWindow()
    window.size = stack.initialWindow
    datagram = stack.datagram
    roundTrip = QuicRoundTrip(stack.firstRoundTrip)
    pacer = QuicPacer(stack.pacing)
    (probes, probesDue) = (0, 0)
    begin(at: now)
  }
}
