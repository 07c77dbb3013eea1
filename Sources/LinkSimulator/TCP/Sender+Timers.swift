extension Sender {
  /// How long retransmission continues: fifteen doubling timeouts from 200 ms, up to 120 s (tcp_retries2).
  static let endurance: Int64 = 924_600_000_000

  /// The margin of timers that wait for other packets: 2 ms (TCP_TIMEOUT_MIN_US since Linux 6.7; before, two ticks).
  static let margin: Int64 = 2_000_000

  /// What the endpoint must do after a timer has expired.
  enum Expiry {
    case nothing
    /// Retransmit this segment, then other lost ones.
    case retransmit(Int)
    /// Send a new segment as a probe, even if the window is full.
    case probeNew
    /// Retransmit this segment as a probe.
    case probe(Int)
    /// Retransmit lost segments.
    case repair
    case giveUp
  }

  /// Arms the sender's single timer for this purpose.
  mutating func arm(_ kind: Timer, after length: Int64, at now: Int64) {
    timer = kind
    // A segment held back by pacing is not late (`tcp_pacing_delay`).
    let held =
      paces && kind != .reordering
      ? (max(control[0].departure, now) - now) / TickClock.tick * TickClock.tick : 0
    deadline = clock.expiry(after: length + held, from: now)
  }

  /// Arms the retransmission timer for a full timeout.
  mutating func armRetransmission(at now: Int64) {
    arm(.retransmission, after: estimator.timeout, at: now)
  }

  /// Arms the timer again after progress (`tcp_set_xmit_timer`).
  mutating func rearm(at now: Int64) {
    if board.packetsOut == 0 {
      timer = .none
      deadline = .max
    } else if !armProbe(at: now, advancing: true) {
      rearmRetransmission(at: now)
    }
  }

  /// Arms the retransmission timer, less the time already spent in another timer (`tcp_rearm_rto`).
  mutating func rearmRetransmission(at now: Int64) {
    if timer == .probe || timer == .reordering {
      arm(
        .retransmission, after: max(1, board[board.first].sentAt + estimator.timeout - now), at: now
      )
    } else {
      armRetransmission(at: now)
    }
  }

  /// Arms a tail loss probe if one is allowed (RFC 8985, section 7; `tcp_schedule_loss_probe`).
  mutating func armProbe(at now: Int64, advancing: Bool) -> Bool {
    guard board.packetsOut > 0, state == .open else { return false }
    var length = RoundTripEstimator.initialTimeout
    if estimator.hasSample {
      length = 2 * estimator.smoothed
      // A single segment may be waiting for a delayed acknowledgement.
      length += board.packetsOut == 1 ? RoundTripEstimator.minimum : Self.margin
    }
    let untilTimeout =
      advancing ? estimator.timeout : board[board.first].sentAt + estimator.timeout - now
    if untilTimeout > 0 { length = min(length, untilTimeout) }
    arm(.probe, after: length, at: now)
    return true
  }

  mutating func timerFired(at now: Int64) -> Expiry {
    let kind = timer
    guard board.packetsOut > 0 else {
      timer = .none
      deadline = .max
      return .nothing
    }
    switch kind {
    case .none: return .nothing
    case .probe: return probeTimerFired(at: now)
    case .reordering: return reorderingTimerFired(at: now)
    case .retransmission: return retransmissionTimerFired(at: now)
    }
  }

  private mutating func probeTimerFired(at now: Int64) -> Expiry {
    // At most one probe at a time.
    if !probe.isOut {
      let isNew = hasUnsent && sent + min(written - sent, Int64(Packet.maximumPayload)) <= windowEdge
      probe.isCopy = !isNew
      if isNew { return .probeNew }
      return .probe(joinedHead(of: board.next - 1))
    }
    rearmRetransmission(at: now)
    return .nothing
  }

  /// Records a sent probe, and arms the retransmission timer.
  mutating func probeSent(at now: Int64) {
    probe.sent(upTo: board.next)
    armRetransmission(at: now)
  }

  /// Processes an acknowledgement while a probe is out (`tcp_process_tlp_ack`).
  mutating func probeAcknowledged(_ number: Int, _ flags: AcknowledgementFlags) {
    guard probe.showsLoss(number, flags) else { return }
    beginReduction()
    endReduction()
    keepOpen()
  }

  private mutating func reorderingTimerFired(at now: Int64) -> Expiry {
    let inFlight = board.inFlight
    let lostBefore = lost
    _ = detectLosses(now: now)
    var expiry = Expiry.nothing
    if board.inFlight != inFlight {
      if state != .recovery {
        enterRecovery()
        if !setsWindow,
          let size = reduction.window(
            threshold: window.threshold, inFlight: board.inFlight, newlyDelivered: 1,
            newlyLost: Int(lost - lostBefore), advances: false)
        {
          window.size = size
        }
      }
      expiry = .repair
    }
    rearmRetransmission(at: now)
    return expiry
  }

  private mutating func retransmissionTimerFired(at now: Int64) -> Expiry {
    if troubleSince > 0, now - troubleSince >= Self.endurance { return .giveUp }
    enterLoss(at: now)
    expiries += 1
    return .retransmit(board.first)
  }

  /// Doubles the timeout after a retransmission by timeout (RFC 6298, section 5.5).
  mutating func backOff(at now: Int64) {
    estimator.backOff()
    armRetransmission(at: now)
  }

  /// Enters the loss state after a timeout (RFC 5681, section 3.1, equation 4; `tcp_enter_loss`).
  private mutating func enterLoss(at now: Int64) {
    let isNew = state != .recovery && state != .loss
    // A recently sent segment may still arrive (RFC 8985, section 6.3).
    for number in board.first..<board.next where !board[number].has(SentSegment.sacked) {
      if number == board.first || rack.roundTrip <= now - board[number].sentAt { markLost(number) }
    }
    if isNew || high <= board.first || (state == .loss && expiries == 0) {
      undo.threshold = window.currentThreshold(inReduction: isReducing)
      undo.window = window.size
      window.threshold = control[0].threshold(after: window)
      markUndo()
    }
    window.size = board.inFlight + 1
    window.credit = 0
    if state == .open || state == .disorder, board.sackedOut >= 3 {
      reordering.reset()
    }
    state = .loss
    control[0].timedOut(now: now, next: board.next, delivered: delivered, lost: lost)
    high = board.next
    probe.forget()
    suspectsSpuriousTimeout = isNew || expiries > 0
  }
}
