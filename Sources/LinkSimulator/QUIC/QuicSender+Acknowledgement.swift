extension QuicSender {
  /// Processes the acknowledgement in a packet (RFC 9002, appendix A.7).
  mutating func acknowledge(_ packet: borrowing Packet, _ level: QuicLevel, at now: Int64) {
    offersReceived = max(offersReceived, packet.windowEdge)
    guard packet.echo >= 0, level >= oldest else { return }
    var outcome = Acknowledged(inFlight: inFlight, bytesInFlight: bytesInFlight, reducedAt: reducedAt)
    if level == .application {
      application.acknowledge(packet, &outcome)
    } else {
      self[level].acknowledge(packet, &outcome)
    }
    // A server that has read a Handshake packet has validated its client's address.
    if level > .initial { isPeerValidated = true }
    guard outcome.latest.isKnown else { return }
    delivered += Int64(outcome.count)
    deliveredLately = Int64(UInt32(truncatingIfNeeded: delivered) &- outcome.latest.delivered)
    if isPeerValidated { probes = 0 }
    (probesDue, waitsSince) = (0, now)
    // The acknowledgement delay refers to the largest packet only (RFC 9002, section 5.1).
    let sample = outcome.isLargestNew ? now - outcome.latest.sentAt : nil
    if let sample {
      roundTrip.add(sample, delay: level == .application ? min(packet.echo, QuicRoundTrip.greatestDelay) : 0)
    }
    let lostBefore = lost
    detectLosses(in: level, at: now)
    let tick = clock.ticks(at: now)
    if setsWindow {
      if level == .application { adopt(outcome, newlyLost: Int(lost - lostBefore), tick: tick, at: now) }
      return
    }
    guard outcome.latest.sentAt > reducedAt else { return }
    if sample != nil, level == .application {
      control[0].measured(
        RoundTripSample(
          delay: stack.adjustsLatest ? roundTrip.adjusted : roundTrip.latest, now: now, tick: tick,
          first: application.largestAcknowledged, next: application.next,
          delivered: delivered, judgesTrains: false),
        &window)
    }
    guard outcome.fresh > 0 else { return }
    if !fills(outcome) {
      control[0].resume(Restart(now: now, tick: tick, idleTicks: 0, isLimited: true))
    } else {
      let count = growth(outcome)
      if count > 0 { control[0].grow(&window, by: count, tick: tick) }
    }
  }

  /// Whether the window limits the sender, so that it may grow.
  ///
  /// A client's was full in this round trip, or its application always had data to send (ngtcp2,
  /// `ngtcp2_cc_cubic_cc_on_ack_recv`).
  private mutating func fills(_ outcome: Acknowledged) -> Bool {
    guard stack.countsBytes else { return isLimited(outcome.bytesInFlight) }
    let fills = wasFull || !outcome.isLimited
    if delivered - deliveredLately >= roundEnd { (roundEnd, wasFull) = (delivered, false) }
    return fills
  }

  /// How many packets to grow by: the acknowledged packets, or their bytes in units of a full datagram.
  private mutating func growth(_ outcome: Acknowledged) -> Int {
    guard stack.countsBytes else { return outcome.fresh }
    rest += outcome.freshBytes
    let count = rest / datagram
    rest -= count * datagram
    return Int(count)
  }

  /// Passes the acknowledgement to an algorithm that sets the window itself.
  private mutating func adopt(_ outcome: Acknowledged, newlyLost: Int, tick: Int64, at now: Int64) {
    var sample = rates[0].take(
      outcome.latest, delivered: delivered, newly: outcome.count, at: now, shortest: roundTrip.minimum)
    sample.roundTrip = now - outcome.latest.sentAt
    sample.smoothed = roundTrip.smoothed
    sample.newlyLost = newlyLost
    sample.lost = lost
    sample.inFlight = inFlight
    sample.priorInFlight = outcome.inFlight
    sample.tick = tick
    sample.state = outcome.latest.sentAt > reducedAt ? .open : .recovery
    control[0].acknowledged(sample, &window)
    if control[0].limitsItself { rates[0].limited(delivered: delivered, inFlight: inFlight) }
  }

  mutating func detectLosses(in level: QuicLevel, at now: Int64) {
    let threshold =
      stack.adaptsThreshold
      ? min(max(Self.packetThreshold, inFlight / 2), Self.greatestThreshold) : Self.packetThreshold
    let delay = roundTrip.lossDelay(adjusts: stack.adjustsLatest)
    guard let losses = change(level, { $0.detectLosses(delay: delay, threshold: threshold, at: now) }) else { return }
    lost += Int64(losses.count)
    if losses.newest >= 0 { reduce(losses, in: level, at: now) }
  }

  /// Reduces the window after losses, unless they were sent before the last reduction (RFC 9002, 7.3.2 and 7.6).
  private mutating func reduce(_ losses: QuicSpace.Losses, in level: QuicLevel, at now: Int64) {
    if losses.newest > reducedAt {
      reducedAt = now
      let before = window.size
      window.threshold = control[0].threshold(after: window)
      if stack.heedsFlight, deliveredLately * 2 < Int64(before) {
        // The sender used less than half of the window (RFC 9438, section 4.6).
        let flight = Int((bytesInFlight + losses.bytes + datagram - 1) / datagram)
        window.threshold = min(window.threshold, max(flight, Int(deliveredLately)))
      }
      window.threshold = max(window.threshold, Self.leastWindow)
      window.credit = 0
      rest = 0
      if !setsWindow { window.size = window.threshold }
    }
    if stack.noticesPersistentCongestion, level == .application, roundTrip.hasSample,
      losses.longest > Self.persistence * roundTrip.probeTimeout(isConfirmed: true)
    {
      window.size = Self.leastWindow
      reducedAt = -1
      control[0].timedOut(now: now, next: application.next, delivered: delivered, lost: lost)
    }
  }
}
