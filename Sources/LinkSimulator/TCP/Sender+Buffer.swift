/// What the kernel takes of the bytes that an application writes, and how many it asks for.
extension Sender {
  /// Whether the kernel has not taken all that was written: its send buffer is full.
  var isBlocked: Bool { buffer.taken < written }

  /// How many bytes are known to have arrived in order.
  var acknowledged: Int64 {
    board.packetsOut > 0 ? board[board.first].end - Int64(board[board.first].length) : sent
  }

  /// Takes what the send buffer has room for; `false` when there is nothing to send.
  @inline(__always)
  mutating func takeWritten() -> Bool {
    if buffer.taken < written, !buffer.isFull {
      fillBuffer()
    }
    return buffer.taken > sent || buffer.isFull
  }

  /// Lets an application that waits for room write more; `true` when it has.
  @inline(__always)
  mutating func refill() -> Bool {
    guard buffer.isAwaited else { return false }
    growBuffer()
    guard buffer.hasRoom(sent: sent, acknowledged: acknowledged, buffersOut: board.buffersOut) else { return false }
    buffer.wake()
    guard buffer.isFull else { return false }
    fillBuffer()
    return true
  }

  /// The event loop of the application looks at the connection.
  mutating func poll() {
    buffer.poll(sent: sent, acknowledged: acknowledged, buffersOut: board.buffersOut)
  }

  /// Lets a buffer grow for whose room somebody waits, after each burst.
  @inline(__always)
  mutating func growBuffer() {
    buffer.grow(inFlight: board.inFlight, window: window.size, reordering: reordering.segments)
  }

  private mutating func fillBuffer() {
    if setsWindow, buffer.taken - sent < Int64(Packet.maximumPayload), board.inFlight < window.size,
      board.lostOut <= board.retransmittedOut
    {
      rates[0].limited(delivered: delivered, inFlight: board.inFlight)
    }
    let offered = max(0, windowEdge - sent) / Int64(Packet.maximumPayload)
    buffer.fill(
      written: written, sent: sent, acknowledged: acknowledged, buffersOut: board.buffersOut, burst: burst,
      room: min(window.size - board.inFlight, Int(min(offered, 1 << 24))))
  }

  /// How many bytes should have been written beyond those that were sent, so that the kernel finds what it has room for.
  private var reserve: Int64 { buffer.capacity(window: window.size, reordering: reordering.segments) }

  /// How many more bytes are of use: half as many again as the reserve, so that each piece is a large one.
  var room: Int64 { max(0, reserve + reserve / 2 - (written - sent)) }

  /// Whether the reserve is touched, and nobody has been told since the last bytes were written.
  mutating func asksForMore() -> Bool {
    guard askedAt != written, written - sent < reserve else { return false }
    askedAt = written
    return true
  }

  /// Whether bytes wait that the kernel has taken.
  var hasUnsent: Bool { buffer.taken > sent }
}
