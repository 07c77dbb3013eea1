extension QuicSender {
  /// Takes what a packet from the other side acknowledges (RFC 9002, appendix A.7).
  mutating func acknowledge(_ packet: borrowing Packet, isConfirmed: Bool, at now: Int64) {
    edge = max(edge, packet.windowEdge)
    guard packet.echo >= 0 else { return }
    var outcome = Acknowledged(priorInFlight: inFlight)
    settle(0..<packet.acknowledged, &outcome)
    for place in 0..<Int(packet.blocks.count) {
      let block = packet.blocks[place]
      settle(block.start..<block.end, &outcome)
    }
    let blocks = packet.blocks
    let largest = max(packet.acknowledged, blocks.count > 0 ? blocks[0].end : 0) - 1
    let isNew = largest > largestAcknowledged
    largestAcknowledged = max(largestAcknowledged, largest)
    guard outcome.count > 0 else {
      if isNew { detectLosses(at: now) }
      return
    }
    probes = 0
    probesDue = 0
    // The delay is that of the largest packet alone (RFC 9002, section 5.1).
    let sample = outcome.largest == largest ? now - outcome.sentAt : nil
    if let sample { roundTrip.add(sample, delay: isConfirmed ? min(packet.echo, QuicRoundTrip.greatestDelay) : 0) }
    trim()
    let lostBefore = lost
    detectLosses(at: now)
    let tick = clock.ticks(at: now)
    if setsWindow {
      adopt(outcome, newlyLost: Int(lost - lostBefore), tick: tick, at: now)
      return
    }
    if outcome.sentAt > reducedAt {
      if let sample {
        control[0].measured(
          RoundTripSample(
            delay: sample, now: now, tick: tick, first: largestAcknowledged, next: next, delivered: delivered,
            judgesTrains: false),
          &window)
      }
      if !isLimited(outcome.priorInFlight) {
        control[0].resume(Restart(now: now, tick: tick, idleTicks: 0, isLimited: true))
      } else if outcome.fresh > 0 {
        control[0].grow(&window, by: outcome.fresh, tick: tick)
      }
    }
  }

  /// What an acknowledgement has brought.
  private struct Acknowledged {
    let priorInFlight: Int
    var count = 0
    /// How many of them were sent after the last reduction.
    var fresh = 0
    var largest = -1
    var sentAt: Int64 = 0
    var latest = LatestArrival()
  }

  private mutating func settle(_ numbers: Range<Int>, _ outcome: inout Acknowledged) {
    var number = max(numbers.lowerBound, first)
    while number < min(numbers.upperBound, next) {
      defer { number += 1 }
      let packet = packets[number - first]
      guard packet.state == .out else { continue }
      packets[number - first].state = .settled
      inFlight -= 1
      delivered += 1
      outcome.count += 1
      if packet.sentAt > reducedAt { outcome.fresh += 1 }
      arrived.insert(packet.range)
      if number > outcome.largest { (outcome.largest, outcome.sentAt) = (number, packet.sentAt) }
      if setsWindow {
        outcome.latest.take(number, sentAt: packet.sentAt, delivered: UInt32(truncatingIfNeeded: delivered))
      }
    }
  }

  /// An algorithm that sets the window by itself learns what has arrived.
  private mutating func adopt(_ outcome: Acknowledged, newlyLost: Int, tick: Int64, at now: Int64) {
    var sample = rates[0].take(
      outcome.latest, delivered: delivered, newly: outcome.count, at: now, shortest: roundTrip.minimum)
    sample.roundTrip = now - outcome.sentAt
    sample.smoothed = roundTrip.smoothed
    sample.newlyLost = newlyLost
    sample.lost = lost
    sample.inFlight = inFlight
    sample.priorInFlight = outcome.priorInFlight
    sample.tick = tick
    sample.state = outcome.sentAt > reducedAt ? .open : .recovery
    control[0].acknowledged(sample, &window)
    if control[0].limitsItself { rates[0].limited(delivered: delivered, inFlight: inFlight) }
  }

  mutating func trim() {
    while let packet = packets.first, packet.state != .out {
      packets.removeFirst()
      first += 1
    }
  }

  // MARK: Losses

  /// Finds what is lost, and when the next packet will be (RFC 9002, section 6.1 and appendix A.10).
  private mutating func detectLosses(at now: Int64) {
    lossTime = .max
    let delay = roundTrip.lossDelay
    var newest: Int64?
    var oldest: Int64?
    var number = first
    while number < min(largestAcknowledged, next) {
      defer { number += 1 }
      let packet = packets[number - first]
      guard packet.state == .out else {
        continue
      }
      guard largestAcknowledged - number >= Self.packetThreshold || packet.sentAt + delay <= now else {
        lossTime = min(lossTime, packet.sentAt + delay)
        continue
      }
      packets[number - first].state = .lost
      inFlight -= 1
      lost += 1
      // A probe of the path says nothing of congestion (RFC 9000, section 14.4).
      guard !packet.range.isEmpty else { continue }
      lostRanges.append(packet.range)
      oldest = oldest ?? packet.sentAt
      newest = packet.sentAt
    }
    trim()
    guard let newest, let oldest else { return }
    reduce(newest: newest, oldest: oldest, at: now)
  }

  /// Reduces the window once for what was sent before (RFC 9002, sections 7.3.2 and 7.6).
  private mutating func reduce(newest: Int64, oldest: Int64, at now: Int64) {
    if newest > reducedAt {
      reducedAt = now
      window.threshold = max(control[0].threshold(after: window), Self.leastWindow)
      window.credit = 0
      if !setsWindow { window.size = window.threshold }
    }
    if breaksDown, roundTrip.hasSample, newest - oldest > Self.persistence * roundTrip.probeTimeout(isConfirmed: true) {
      window.size = Self.leastWindow
      reducedAt = -1
      control[0].timedOut(now: now, next: next, delivered: delivered, lost: lost)
    }
  }

  // MARK: Timers

  /// The other end is to show that it is there (RFC 9000, section 19.2).
  mutating func ping() { probesDue = 1 }

  /// When the sender wants to run; `.max` when never.
  ///
  /// - Parameter mustProbe: whether it asks even where nothing is out: a client whose server may be waiting for leave to
  ///   send more (RFC 9002, section 6.2.2.1).
  func deadline(isConfirmed: Bool, mustProbe: Bool) -> Int64 {
    if lossTime < .max { return min(lossTime, resumesAt) }
    guard inFlight > 0 || mustProbe else { return resumesAt }
    return min(resumesAt, probeTime(isConfirmed: isConfirmed))
  }

  /// When a probe is due; twice as late after each one without an answer (RFC 9002, section 6.2.1).
  private func probeTime(isConfirmed: Bool) -> Int64 {
    lastAsked.saturatingAdd(roundTrip.probeTimeout(isConfirmed: isConfirmed) << Int64(min(probes, 20)))
  }

  /// The timer has run out; whether probes are due.
  mutating func timerFired(isConfirmed: Bool, mustProbe: Bool, at now: Int64) -> Bool {
    if lossTime <= now {
      detectLosses(at: now)
      return false
    }
    guard lossTime == .max, inFlight > 0 || mustProbe, probeTime(isConfirmed: isConfirmed) <= now else { return false }
    probes += 1
    // RFC 9002, section 6.2.4: one or two.
    probesDue = 2
    return true
  }
}
