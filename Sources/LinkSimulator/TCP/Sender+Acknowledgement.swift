/// The results of processing an acknowledgement, as flags.
struct AcknowledgementFlags: OptionSet, Sendable {
  let rawValue: UInt16

  static let advances = AcknowledgementFlags(rawValue: 1)
  static let coversRetransmission = AcknowledgementFlags(rawValue: 2)
  static let selective = AcknowledgementFlags(rawValue: 4)
  /// An original transmission from before the recovery was acknowledged.
  static let coversOriginal = AcknowledgementFlags(rawValue: 8)
  static let duplicate = AcknowledgementFlags(rawValue: 16)
  static let duplicateOfProbe = AcknowledgementFlags(rawValue: 32)
  /// The packet carries data or opens the window, so it is no duplicate acknowledgement.
  static let carriesNews = AcknowledgementFlags(rawValue: 64)
  static let lostRetransmission = AcknowledgementFlags(rawValue: 128)
  static let rearms = AcknowledgementFlags(rawValue: 256)
  /// A whole packet was cumulatively acknowledged (`FLAG_ACKED`).
  static let acknowledges = AcknowledgementFlags(rawValue: 512)
}

/// The sending times from which an acknowledgement measures round trips; negative for none.
private struct Samples {
  var reordered = Int.max
  var firstAcknowledged: Int64 = -1
  var lastAcknowledged: Int64 = -1
  var firstSacked: Int64 = -1
  var lastSacked: Int64 = -1
}

extension Sender {
  /// Processes a packet's acknowledgement (`tcp_ack`), and returns what to retransmit or send.
  mutating func acknowledge(_ packet: borrowing Packet, at now: Int64) -> Repair {
    var flags: AcknowledgementFlags = packet.length > 0 ? .carriesNews : []
    if packet.windowEdge > windowEdge {
      widenWindow(to: packet.windowEdge, acknowledging: packet.acknowledged)
      flags.insert(.carriesNews)
    }
    let number = packet.acknowledged
    guard board.packetsOut > 0, number <= board.next else { return .nothing }
    if number < board.first { return acknowledgeLate(packet, at: now) }
    let priorFirst = board.first
    let priorDelivered = delivered
    let priorLost = lost
    let priorInFlight = board.inFlight
    let priorHighest = max(board.highestSacked, board.first)
    var samples = Samples()
    latest = LatestArrival()
    if packet.blocks.count > 0 {
      tagBlocks(packet.blocks, prior: priorFirst, now: now, &flags, &samples)
    }
    if number > priorFirst {
      flags.insert(.advances)
      expiries = 0
      acknowledgeUp(
        to: number, priorHighest: priorHighest, echo: packet.echo, now: now, &flags, &samples)
    }
    let roundTrip = sample(samples, packet: packet, now: now, &flags)
    if latest.isKnown {
      let since = UInt32(truncatingIfNeeded: delivered) &- latest.delivered
      rack.adjust(delivered: delivered, prior: delivered - Int64(since))
    }
    if probe.isOut { probeAcknowledged(number, flags) }
    var repair = Repair.nothing
    if state != .open || !flags.contains(.carriesNews)
      || !flags.isDisjoint(with: [.selective, .duplicate])
    {
      repair = alert(packet, prior: priorFirst, &flags, now: now)
    } else {
      troubleSince = 0
    }
    if flags.contains(.rearms) { rearm(at: now) }
    let newly = Int(delivered - priorDelivered)
    if setsWindow {
      control(
        newly: newly, newlyLost: Int(lost - priorLost), priorInFlight: priorInFlight, roundTrip,
        at: now)
    } else if isReducing {
      if let size = reduction.window(
        threshold: window.threshold, inFlight: board.inFlight, newlyDelivered: newly,
        newlyLost: Int(lost - priorLost), advances: flags.contains(.advances))
      {
        window.size = size
      }
    } else if flags.contains(.acknowledges) || (reordering.segments > ReorderingDegree.least && newly > 0) {
      grow(newly, at: now)
    }
    if board.packetsOut == 0 { release() }
    return repair
  }

  /// Passes the acknowledgement to an algorithm that sets the window itself (`tcp_rate_gen`, `tcp_cong_control`).
  private mutating func control(
    newly: Int, newlyLost: Int, priorInFlight: Int, _ roundTrip: Int64, at now: Int64
  ) {
    var sample = rates[0].take(
      latest, delivered: delivered, newly: newly, at: now, shortest: estimator.minimum)
    sample.roundTrip = roundTrip
    sample.smoothed = estimator.smoothed
    sample.newlyLost = newlyLost
    sample.lost = lost
    sample.inFlight = board.inFlight
    sample.priorInFlight = priorInFlight
    sample.tick = clock.ticks(at: now)
    sample.state = state
    control[0].acknowledged(sample, &window)
    if control[0].limitsItself { rates[0].limited(delivered: delivered, inFlight: board.inFlight) }
  }

  /// Whether an acknowledgement without data acknowledges nothing new and does not open the window.
  func isRepeated(_ packet: borrowing Packet) -> Bool {
    if packet.acknowledged != board.first { return false }
    return packet.windowEdge <= windowEdge
  }

  /// Processes an outdated acknowledgement, of which only the SACK blocks count (`tcp_ack`, `old_ack`).
  private mutating func acknowledgeLate(_ packet: borrowing Packet, at now: Int64) -> Repair {
    guard packet.blocks.count > 0 else { return .nothing }
    // An outdated acknowledgement is no duplicate as RFC 5681 defines it.
    var flags = AcknowledgementFlags.carriesNews
    var samples = Samples()
    tagBlocks(packet.blocks, prior: board.first, now: now, &flags, &samples)
    return alert(packet, prior: board.first, &flags, now: now)
  }

  /// Marks segments as selectively acknowledged (`tcp_sacktag_write_queue`).
  private mutating func tagBlocks(
    _ blocks: SelectiveBlocks, prior: Int, now: Int64, _ flags: inout AcknowledgementFlags,
    _ samples: inout Samples
  ) {
    var index = 0
    if blocks.firstIsDuplicate {
      index = 1
      duplicateArrived(blocks[0], &flags, &samples)
    }
    let highest = max(board.highestSacked, board.first)
    // Process blocks in ascending order, so that gaps between them do not look like reordering.
    var done = Int.min
    for _ in index..<Int(blocks.count) {
      var lowest: SelectiveBlocks.Block?
      for candidate in index..<Int(blocks.count) where blocks[candidate].start > done {
        if lowest.map({ blocks[candidate].start < $0.start }) ?? true { lowest = blocks[candidate] }
      }
      guard let block = lowest else { break }
      done = block.start
      tag(
        from: max(block.start, board.first), to: min(block.end, board.next), now: now, &flags,
        &samples)
    }
    knownBlocks = blocks
    if samples.reordered < highest, state != .loss || undo.isPossible {
      noteReordering(samples.reordered)
    }
    samples.reordered = .max
  }

  private mutating func tag(
    from start: Int, to end: Int, now: Int64, _ flags: inout AcknowledgementFlags,
    _ samples: inout Samples
  ) {
    var number = start
    while number < end {
      // Skip runs that the previous acknowledgement reported; such a run may hold only a part of joined segments.
      var known = number
      for index in 0..<(board.joinedOut == 0 ? Int(knownBlocks.count) : 0)
      where knownBlocks[index].start <= number && number < knownBlocks[index].end
        && !(index == 0 && knownBlocks.firstIsDuplicate)
      {
        known = knownBlocks[index].end
      }
      if known > number {
        number = known
        continue
      }
      if !board[number].has(SentSegment.sacked), holdsAll(of: number, upTo: end) {
        tag(number, now: now, &flags, &samples)
      }
      number += 1
    }
  }

  private mutating func tag(
    _ number: Int, now: Int64, _ flags: inout AcknowledgementFlags, _ samples: inout Samples
  ) {
    var segment = board[number]
    rack.advance(number: number, segment: segment, now: now, minimumRoundTrip: estimator.minimum)
    if segment.has(SentSegment.retransmitted) {
      if segment.has(SentSegment.lost) {
        segment.flags &= ~(SentSegment.lost | SentSegment.retransmitted)
        board.lostOut -= 1
        board.retransmittedOut -= 1
      }
    } else {
      if !segment.has(SentSegment.everRetransmitted) {
        if number < board.highestSacked { samples.reordered = min(samples.reordered, number) }
        if number < high { flags.insert(.coversOriginal) }
        if samples.firstSacked < 0 { samples.firstSacked = segment.sentAt }
        samples.lastSacked = segment.sentAt
      }
      if segment.has(SentSegment.lost) {
        segment.flags &= ~SentSegment.lost
        board.lostOut -= 1
      }
    }
    segment.flags |= SentSegment.sacked
    board[number] = segment
    board.cutBuffer(around: number)
    board.sackedOut += 1
    board.highestSacked = max(board.highestSacked, number + 1)
    delivered += 1
    latest.take(number, segment)
    flags.insert(.selective)
  }

  /// Processes a D-SACK: the receiver got a segment twice (`tcp_check_dsack`).
  private mutating func duplicateArrived(
    _ block: SelectiveBlocks.Block, _ flags: inout AcknowledgementFlags, _ samples: inout Samples
  ) {
    flags.insert(.duplicate)
    duplicatesSeen += 1
    guard duplicatesSeen <= retransmissions else { return }
    if probe.end == block.end {
      flags.insert(.duplicateOfProbe)
    } else if reordering.isSeen {
      rack.duplicateArrived()
    }
    undo.arrivedTwice(upTo: block.end)
    // The original was only overtaken by its retransmission (`tcp_sacktag_one`).
    if block.start >= board.first, block.start < board.next,
      board[block.start].has(SentSegment.sacked),
      board[block.start].has(SentSegment.everRetransmitted)
    {
      samples.reordered = min(samples.reordered, block.start)
    }
  }

  /// Processes a cumulative acknowledgement (`tcp_clean_rtx_queue`).
  @inline(__always)
  private mutating func acknowledgeUp(
    to number: Int, priorHighest: Int, echo: Int64, now: Int64, _ flags: inout AcknowledgementFlags,
    _ samples: inout Samples
  ) {
    // Segments without a retransmission were sent in order.
    var newest = -1
    let whole = board.joinedOut > 0 && number < board.next ? joinedHead(of: number) : number
    if whole > board.first { flags.formUnion([.acknowledges, .carriesNews, .rearms]) }
    while board.first < whole {
      let segment = board[board.first]
      board.buffersOut -= Int(segment.flags / SentSegment.endsBuffer & 1)
      if segment.flags & ~SentSegment.marks == 0 {
        if samples.firstAcknowledged < 0 {
          samples.firstAcknowledged = segment.sentAt
          samples.reordered = board.first
        }
        samples.lastAcknowledged = segment.sentAt
        if board.first < high { flags.insert(.coversOriginal) }
        delivered += 1
        newest = board.first
        rack.advance(
          number: board.first, segment: segment, now: now, minimumRoundTrip: estimator.minimum)
      } else if segment.has(SentSegment.joined) {
        board.joinedOut -= 1
      } else {
        forget(segment, echo: echo, now: now, &flags, &samples)
      }
      board.first += 1
    }
    if newest >= 0 { latest.take(newest, board[newest]) }
    if samples.reordered < priorHighest { noteReordering(samples.reordered) }
    if whole < number { trim(to: number) }
  }

  private mutating func forget(
    _ segment: SentSegment, echo: Int64, now: Int64, _ flags: inout AcknowledgementFlags,
    _ samples: inout Samples
  ) {
    if segment.has(SentSegment.everRetransmitted) {
      if segment.has(SentSegment.retransmitted) { board.retransmittedOut -= 1 }
      flags.insert(.coversRetransmission)
    } else if !segment.has(SentSegment.sacked) {
      if samples.firstAcknowledged < 0 { samples.firstAcknowledged = segment.sentAt }
      samples.lastAcknowledged = segment.sentAt
      samples.reordered = min(samples.reordered, board.first)
      if board.first < high { flags.insert(.coversOriginal) }
    }
    if segment.has(SentSegment.sacked) {
      board.sackedOut -= 1
    } else {
      delivered += 1
      latest.take(board.first, segment)
      if !isNeedless(segment, echo: echo) {
        rack.advance(
          number: board.first, segment: segment, now: now, minimumRoundTrip: estimator.minimum)
      }
    }
    if segment.has(SentSegment.lost) { board.lostOut -= 1 }
  }

  /// Whether the echoed timestamp precedes the retransmission, so the original arrived (`tcp_skb_spurious_retrans`).
  private func isNeedless(_ segment: SentSegment, echo: Int64) -> Bool {
    segment.has(SentSegment.everRetransmitted) && echo >= 0
      && clock.milliseconds(at: echo) < clock.milliseconds(at: segment.sentAt)
  }

  /// Takes round-trip samples and returns the newest (`tcp_ack_update_rtt`; Karn's rule, RFC 6298, section 3).
  @inline(__always)
  private mutating func sample(
    _ samples: Samples, packet: borrowing Packet, now: Int64, _ flags: inout AcknowledgementFlags
  ) -> Int64 {
    var roundTrip: Int64 = -1
    var newest: Int64 = -1
    if samples.firstAcknowledged >= 0, !flags.contains(.coversRetransmission) {
      roundTrip = now - samples.firstAcknowledged
      newest = now - samples.lastAcknowledged
    }
    if samples.firstSacked >= 0 {
      newest = now - samples.lastSacked
      if roundTrip < 0 { roundTrip = now - samples.firstSacked }
    }
    if roundTrip < 0, flags.contains(.acknowledges), packet.echo >= 0 {
      roundTrip =
        max(1, clock.milliseconds(at: now) - clock.milliseconds(at: packet.echo)) * 1_000_000
      newest = roundTrip
    }
    if roundTrip >= 0 {
      estimator.addMinimum(newest)
      estimator.add(roundTrip, acknowledged: board.first, next: board.next)
    }
    // The path works if a SACKed segment was sent before the last transmission of the oldest one: restart the timer.
    if !flags.contains(.acknowledges), samples.firstSacked >= 0, board.packetsOut > 0,
      samples.firstSacked < board[board.first].sentAt
    {
      flags.insert(.rearms)
    }
    if newest >= 0 {
      control[0].measured(
        RoundTripSample(
          delay: newest, now: now, tick: clock.ticks(at: now), first: board.first, next: board.next,
          delivered: delivered), &window)
    }
    return newest
  }
}
