extension Sender {
  /// Processes an unusual acknowledgement: detects losses and changes the state (`tcp_fastretrans_alert`).
  mutating func alert(
    _ packet: borrowing Packet, prior: Int, _ flags: inout AcknowledgementFlags, now: Int64
  ) -> Repair {
    let echo = packet.echo
    if state == .open {
      troubleSince = 0
    } else if state == .recovery && board.first >= high {
      if tryUndo(echo: echo) {
        rack.hasAdvanced = true
      } else {
        rack.recoveryEnded()
      }
      if undo.isPossible { endReduction() }
      state = .open
      troubleSince = 0
    }
    switch state {
    case .recovery:
      if flags.contains(.advances), undo.isPossible, isDelayed(echo) {
        noteReordering(prior)
        if board.retransmittedOut > 0 { return .nothing }
        // The acknowledged segments were sent before the first retransmission: they were reordered, not lost.
        undo(unmarking: true)
        keepOpen()
        if !hasRetransmission { troubleSince = 0 }
      } else if undo.isProven {
        undoByDuplicates()
        keepOpen()
      }
      lookForLosses(&flags, now: now)
      if state != .recovery {
        guard board.lostOut > 0 else { return .nothing }
        enterRecovery()
      }
    case .loss:
      let repair = processLoss(
        flags, echo: echo, isDuplicate: flags.isDisjoint(with: [.carriesNews, .duplicate]))
      lookForLosses(&flags, now: now)
      guard state == .open || flags.contains(.lostRetransmission) else { return repair }
      return decideRecovery(flags)
    default:
      if undo.isProven { undoByDuplicates() }
      lookForLosses(&flags, now: now)
      return decideRecovery(flags)
    }
    return .lostSegments
  }

  /// Enters recovery if a segment is marked as lost; otherwise updates open and disorder states.
  private mutating func decideRecovery(_ flags: AcknowledgementFlags) -> Repair {
    guard board.lostOut > 0 else {
      if !hasRetransmission { troubleSince = 0 }
      keepOpen()
      return .nothing
    }
    enterRecovery()
    return .lostSegments
  }

  /// Enters recovery after acknowledgements have shown a loss (`tcp_enter_recovery`).
  mutating func enterRecovery() {
    if !hasRetransmission { troubleSince = 0 }
    markUndo()
    undo.threshold = window.currentThreshold(inReduction: false)
    beginReduction()
    state = .recovery
  }

  /// Begins a reduction of the congestion window (`tcp_init_cwnd_reduction`).
  mutating func beginReduction() {
    high = board.next
    probe.forget()
    window.credit = 0
    undo.window = window.size
    reduction = Reduction(from: window.size)
    window.threshold = control[0].threshold(after: window)
  }

  /// Ends a reduction of the congestion window: it becomes the threshold (`tcp_end_cwnd_reduction`).
  mutating func endReduction() {
    if window.threshold < .max, !setsWindow { window.size = window.threshold }
  }

  mutating func markUndo() {
    // Earlier retransmissions may be acknowledged as well.
    undo.mark(at: board.first, copies: board.retransmittedOut + (probe.isCopyOut ? 1 : 0))
  }

  /// Whether a retransmission may be in flight, judged by the oldest segment (`tcp_any_retrans_done`).
  private var hasRetransmission: Bool {
    board.retransmittedOut > 0
      || (board.packetsOut > 0 && board[board.first].has(SentSegment.everRetransmitted))
  }

  /// Sets the state to disorder while segments are missing, otherwise to open (`tcp_try_keep_open`).
  mutating func keepOpen() {
    let next: State = board.sackedOut + board.lostOut > 0 || hasRetransmission ? .disorder : .open
    if state != next {
      state = next
      high = board.next
    }
  }

  /// Whether the echoed timestamp precedes the first retransmission, so an original arrived (Eifel, RFC 3522).
  private func isDelayed(_ echo: Int64) -> Bool {
    troubleSince > 0 && echo >= 0
      && clock.milliseconds(at: echo) < clock.milliseconds(at: troubleSince)
  }

  /// Undoes a reduction if it proved spurious (`tcp_may_undo`).
  private mutating func tryUndo(echo: Int64) -> Bool {
    guard undo.isPossible, undo.isProven || isDelayed(echo) else { return false }
    undo(unmarking: false)
    return true
  }

  /// Undoes a reduction of the congestion window (`tcp_undo_cwnd_reduction`).
  private mutating func undo(unmarking: Bool) {
    if unmarking {
      for number in board.first..<board.next where board[number].has(SentSegment.lost) {
        board[number].flags &= ~SentSegment.lost
      }
      board.lostOut = 0
      repairHint = board.first
      rack.cursor = board.first
    }
    control[0].undo(&window, to: undo.window)
    window.threshold = max(window.threshold, undo.threshold)
    undo.end()
    rack.hasAdvanced = true
  }

  /// Undoes a reduction after D-SACKs for all retransmissions (`tcp_try_undo_dsack`).
  private mutating func undoByDuplicates() {
    undo(unmarking: false)
    rack.keepWindow()
  }

  /// Processes an acknowledgement after a retransmission timeout (`tcp_process_loss`; F-RTO, RFC 5682, section 3.1).
  private mutating func processLoss(_ flags: AcknowledgementFlags, echo: Int64, isDuplicate: Bool)
    -> Repair
  {
    let recovered = board.first >= high
    if flags.contains(.advances), tryUndoLoss(isCertain: false, echo: echo) { return .nothing }
    if suspectsSpuriousTimeout {
      // An original transmission has arrived, so not all segments were lost.
      if flags.contains(.coversOriginal), tryUndoLoss(isCertain: true, echo: echo) {
        return .nothing
      }
      if board.next > high {
        if flags.contains(.selective) || isDuplicate { suspectsSpuriousTimeout = false }
      } else if flags.contains(.advances), !recovered {
        high = board.next
        if hasUnsent, windowEdge > sent { return .newSegments }
        suspectsSpuriousTimeout = false
      }
    }
    if recovered {
      if !tryUndo(echo: echo) { rack.recoveryEnded() }
      state = .open
      troubleSince = 0
      return .nothing
    }
    return .lostSegments
  }

  private mutating func tryUndoLoss(isCertain: Bool, echo: Int64) -> Bool {
    guard isCertain || (undo.isPossible && (undo.isProven || isDelayed(echo))) else {
      return false
    }
    undo(unmarking: true)
    state = .open
    troubleSince = 0
    return true
  }

  /// Detects losses after an acknowledgement (`tcp_identify_packet_loss`, `tcp_rack_mark_lost`).
  private mutating func lookForLosses(_ flags: inout AcknowledgementFlags, now: Int64) {
    guard rack.hasAdvanced else { return }
    rack.hasAdvanced = false
    let copies = board.retransmittedOut
    let wait = detectLosses(now: now)
    if wait > 0 {
      arm(.reordering, after: wait + Self.margin, at: now)
      flags.remove(.rearms)
    }
    if board.retransmittedOut < copies { flags.insert(.lostRetransmission) }
  }

  /// Marks overdue segments as lost; returns how long to wait for the others (`tcp_rack_detect_loss`).
  mutating func detectLosses(now: Int64) -> Int64 {
    let isAggressive = state == .recovery || state == .loss || board.sackedOut >= reordering.segments
    let slack = rack.reorderingWindow(
      hasSeenReordering: reordering.isSeen, isAggressive: isAggressive,
      minimumRoundTrip: estimator.minimum,
      smoothed: estimator.smoothed)
    let patience = rack.roundTrip + slack - now
    var longest: Int64 = 0
    rack.cursor = max(rack.cursor, board.first)
    var number = rack.cursor
    var isSettled = true
    while number < board.next {
      let segment = board[number]
      if segment.flags & ~SentSegment.marks == 0 {
        guard rack.isSentAfter(number, sentAt: segment.sentAt) else { break }
        let wait = patience + segment.sentAt
        if wait <= 0 {
          markLost(number)
        } else {
          longest = max(longest, wait)
          isSettled = false
        }
      }
      number += 1
      if isSettled { rack.cursor = number }
    }
    return max(longest, detectLostCopies(patience: patience))
  }

  private mutating func detectLostCopies(patience: Int64) -> Int64 {
    var longest: Int64 = 0
    var settled: Int?
    var index = 0
    while index < rack.resent.count {
      let entry = rack.resent[index]
      if entry.number >= board.first, board[entry.number].sentAt == entry.sentAt,
        !board[entry.number].has(SentSegment.sacked)
      {
        guard rack.isSentAfter(entry.number, sentAt: entry.sentAt) else { break }
        let segment = board[entry.number]
        if !segment.has(SentSegment.lost) || segment.has(SentSegment.retransmitted) {
          let wait = patience + entry.sentAt
          if wait <= 0 {
            markLost(entry.number)
          } else {
            longest = max(longest, wait)
            settled = settled ?? index
          }
        }
      }
      index += 1
    }
    rack.resent.removeFirst(settled ?? index)
    return longest
  }

  /// Marks a segment, or its retransmission in flight, as lost (`tcp_mark_skb_lost`).
  mutating func markLost(_ number: Int) {
    let segment = board[number]
    if segment.flags & (SentSegment.sacked | SentSegment.joined) != 0 { return }
    if segment.has(SentSegment.lost) {
      guard segment.has(SentSegment.retransmitted) else { return }
      board[number].flags &= ~SentSegment.retransmitted
      board.retransmittedOut -= 1
    } else {
      board[number].flags |= SentSegment.lost
      board.lostOut += 1
    }
    lost += 1
    repairHint = min(repairHint, number)
  }

  /// Records that a segment arrived after later-sent ones (`tcp_check_sack_reordering`).
  mutating func noteReordering(_ lowest: Int) {
    // The kernel measures from the start of the highest SACKed segment, or else from the expected segment.
    let highest = board.sackedOut > 0 ? board.highestSacked - 1 : board.first
    let distance = highest - lowest
    guard distance > 0 else { return }
    reordering.note(distance)
  }
}
