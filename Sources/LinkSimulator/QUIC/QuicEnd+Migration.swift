/// What an end does when the client's address changes (RFC 9000, section 9).
extension QuicEnd {
  /// The client goes on over another interface: the path is a new one, of which nothing is known (RFC 9000, section 9.4).
  mutating func moves(at now: Int64) {
    beginPath(at: now)
    challenges(at: now)
  }

  /// The server hears its client from another address, and asks there by PATH_CHALLENGE (RFC 9000, sections 8.2 and 9.3).
  ///
  /// Until it has an answer it sends there three times what has come from there.
  ///
  /// - Parameter isNewPath: whether more than the port is another one (RFC 9000, section 9.4).
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
  /// What was sent over the old path does not count any more, and what was out is sent again.
  mutating func beginPath(at now: Int64) {
    application.forgetAll()
    window = CongestionWindow()
    window.size = stack.initialWindow
    datagram = stack.datagram
    roundTrip = QuicRoundTrip(stack.firstRoundTrip)
    pacer = QuicPacer(stack.pacing)
    probes = QuicProbes()
    begin(at: now)
  }
}
