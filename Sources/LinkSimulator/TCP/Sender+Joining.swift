/// Small segments are joined into one packet on retransmission (tcp_output.c: `tcp_retrans_try_collapse`).
///
/// They remain one segment from then on. So one packet retransmits all of a client's small requests lost in an outage.
/// An acknowledgement of only some of them makes no progress.
extension Sender {
  /// Joins following small segments to one being retransmitted, while they fit into a packet; returns their number.
  mutating func join(to number: Int) -> Int16 {
    var end = joinedEnd(of: number)
    while end < board.next, canJoin(end, to: number) {
      let segment = board[end]
      if segment.has(SentSegment.lost) { board.lostOut -= 1 }
      if segment.has(SentSegment.retransmitted) { board.retransmittedOut -= 1 }
      board[number].end = segment.end
      board[number].length += segment.length
      board[number].flags |= segment.flags & (SentSegment.everRetransmitted | SentSegment.pushes)
      board[end].flags = SentSegment.joined
      // The stored state of the joined segment is no longer valid.
      board[end].sentAt = 0
      board.joinedOut += 1
      board.buffersOut -= 1
      end += 1
    }
    return Int16(end - number - 1)
  }

  /// Whether a segment, alone in its buffer and not received, may be joined to an earlier one (`tcp_can_collapse`).
  private func canJoin(_ next: Int, to number: Int) -> Bool {
    let segment = board[next]
    let before = board[next - 1]
    guard before.has(SentSegment.endsBuffer) || before.has(SentSegment.joined), segment.has(SentSegment.endsBuffer)
    else {
      return false
    }
    return !segment.has(SentSegment.sacked) && segment.end <= windowEdge
      && Int(board[number].length) + Int(segment.length) <= Packet.maximumPayload
  }

  /// The segment after the last segment that is joined to this segment.
  private func joinedEnd(of number: Int) -> Int {
    var end = number + 1
    while end < board.next, board[end].has(SentSegment.joined) { end += 1 }
    return end
  }

  /// The first segment of the packet in which this one was joined to others; without joining, the segment itself.
  func joinedHead(of number: Int) -> Int {
    var head = number
    while board[head].has(SentSegment.joined) { head -= 1 }
    return head
  }

  /// Whether a SACK block up to `end` covers a segment and all segments joined to it; otherwise it counts as missing.
  func holdsAll(of number: Int, upTo end: Int) -> Bool {
    board.joinedOut == 0 || (!board[number].has(SentSegment.joined) && joinedEnd(of: number) <= end)
  }

  /// Removes the acknowledged beginning of the oldest segment (`tcp_trim_head`).
  mutating func trim(to number: Int) {
    let head = board.first
    var rest = board[head]
    rest.length = Int16(rest.end - board[number].end) + board[number].length
    board[number] = rest
    board.first = number
    board.joinedOut -= number - head
    for place in 0..<rack.resent.count where rack.resent[place].number == head { rack.resent[place].number = number }
    if setsWindow { rates[0].move(head, to: number) }
  }
}
