/// A QUIC sender's timer: losses by time, probes, and pauses of pacing (RFC 9002, section 6).
extension QuicSender {
  /// Requests a PING probe, to check that the peer is alive (RFC 9000, section 19.2).
  mutating func ping() { (probesDue, probeLevel) = (1, .application) }

  /// When the timer must fire next; `.max` for never.
  ///
  /// - Parameters:
  ///   - isConfirmed: whether the handshake is confirmed; before, no application data is probed (RFC 9002, section 6.2.1).
  ///   - canHandshake: whether a client has the Handshake keys.
  mutating func deadline(isConfirmed: Bool, canHandshake: Bool) -> Int64 {
    let loss = lossTime
    if loss < .max { return min(loss, resumesAt) }
    return min(nextProbe(isConfirmed: isConfirmed, canHandshake: canHandshake).time, resumesAt)
  }

  /// When the timer must fire next, after the handshake; `.max` for never.
  @inline(__always)
  var confirmedDeadline: Int64 {
    min(application.lossTime < .max ? application.lossTime : confirmedProbe, resumesAt)
  }

  /// When a probe of application data is due, after the handshake; `.max` for never.
  @inline(__always)
  private var confirmedProbe: Int64 {
    guard application.inFlight > 0 else { return .max }
    return application.lastAsked.saturatingAdd(doubled(roundTrip.probeTimeout(isConfirmed: true)))
  }

  /// A probe timeout, doubled for each unanswered probe, at most twenty times: longer ones never fire.
  @inline(__always)
  private func doubled(_ timeout: Int64) -> Int64 {
    let exponent = min(probes, 20)
    return timeout > Int64.max &>> exponent ? .max : timeout &<< exponent
  }

  /// When and in which space a probe is due; the timeout doubles with each unanswered probe (RFC 9002, section 6.2.1).
  ///
  /// Mutating, so that the call does not copy the sender.
  private mutating func nextProbe(isConfirmed: Bool, canHandshake: Bool) -> (time: Int64, level: QuicLevel) {
    var next = (time: Int64.max, level: QuicLevel.application)
    if oldest < .application {
      let timeout = doubled(roundTrip.probeTimeout(isConfirmed: false))
      for level in [QuicLevel.initial, .handshake] where level >= oldest && self[level].inFlight > 0 {
        let time = self[level].lastAsked.saturatingAdd(timeout)
        if time < next.time { next = (time, level) }
      }
      if next.time == .max, !isPeerValidated {
        // A server may wait for permission to send more (RFC 9002, section 6.2.2.1).
        return (waitsSince.saturatingAdd(timeout), canHandshake ? .handshake : .initial)
      }
    }
    if isConfirmed {
      let time = confirmedProbe
      if time < next.time { next = (time, .application) }
    }
    return next
  }

  /// Handles the timer: detects losses, or schedules probes and returns true.
  mutating func timerFired(isConfirmed: Bool, canHandshake: Bool, at now: Int64) -> Bool {
    let loss = lossTime
    if loss <= now {
      for level in [QuicLevel.initial, .handshake, .application] where level >= oldest && self[level].lossTime <= now {
        detectLosses(in: level, at: now)
      }
      return false
    }
    guard loss == .max else { return false }
    let next = nextProbe(isConfirmed: isConfirmed, canHandshake: canHandshake)
    guard next.time <= now else { return false }
    probes += 1
    waitsSince = now
    // RFC 9002, section 6.2.4: one or two. A client sends one until it has all of the server's handshake (ngtcp2).
    probesDue = stack.isClient && self[next.level].sent == 0 || next.level == .initial && stack.isClient ? 1 : 2
    probeLevel = next.level
    return true
  }
}
