/// Small segments that are sent again travel in one packet (net/ipv4/tcp_output.c: `tcp_retrans_try_collapse`).
///
/// They stay one segment from then on. So a client whose requests were all lost in an outage needs one packet for them, and
/// an acknowledgement of some of them is no progress until it has all.
extension Sender {
  /// Joins small segments to one that is about to be sent again, as long as all fit into one packet; says how many are
  /// part of it.
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
      // Nothing that was noted when it was sent is about it any more.
      board[end].sentAt = 0
      board.joinedOut += 1
      board.buffersOut -= 1
      end += 1
    }
    return Int16(end - number - 1)
  }

  /// Whether a segment may become part of one before it: it stands in a buffer of its own, and has not arrived
  /// (`tcp_can_collapse`).
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

  /// The segment after the last one that is part of this one.
  private func joinedEnd(of number: Int) -> Int {
    var end = number + 1
    while end < board.next, board[end].has(SentSegment.joined) { end += 1 }
    return end
  }

  /// The segment that this one is part of, or itself.
  func joinedHead(of number: Int) -> Int {
    var head = number
    while board[head].has(SentSegment.joined) { head -= 1 }
    return head
  }

  /// Whether a stretch that ends there holds a segment with all that is part of it: only as a whole it has arrived.
  func holdsAll(of number: Int, upTo end: Int) -> Bool {
    board.joinedOut == 0 || (!board[number].has(SentSegment.joined) && joinedEnd(of: number) <= end)
  }

  /// Takes away the acknowledged beginning of the oldest segment (`tcp_trim_head`).
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
