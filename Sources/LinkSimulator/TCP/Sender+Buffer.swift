extension Sender {
  /// Whether the send buffer is full, so that the kernel has not accepted all written bytes.
  var isBlocked: Bool { buffer.taken < written }

  /// How many bytes have been cumulatively acknowledged.
  var acknowledged: Int64 {
    board.packetsOut > 0 ? board[board.first].end - Int64(board[board.first].length) : sent
  }

  /// Moves written bytes to the send buffer as space permits; returns `false` when there is nothing to send.
  @inline(__always)
  mutating func takeWritten() -> Bool {
    if buffer.taken < written, !buffer.isFull {
      fillBuffer()
    }
    return buffer.taken > sent || buffer.isFull
  }

  /// Lets a waiting application write more, if the buffer has space; returns whether it wrote.
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

  /// Polls the connection for writability, as the application's event loop does.
  mutating func poll() {
    buffer.poll(sent: sent, acknowledged: acknowledged, buffersOut: board.buffersOut)
  }

  /// Grows the send buffer, if the application waits for space.
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

  /// How many unsent bytes must be written so that the kernel can always fill its buffer.
  private var reserve: Int64 { buffer.capacity(window: window.size, reordering: reordering.segments) }

  /// How many more bytes the caller should write: up to 1.5 times the reserve, so that it writes large pieces.
  var room: Int64 { max(0, reserve + reserve / 2 - (written - sent)) }

  /// Whether to ask the caller for more bytes; asks once per write.
  mutating func asksForMore() -> Bool {
    guard askedAt != written, written - sent < reserve else { return false }
    askedAt = written
    return true
  }

  /// Whether the kernel has accepted bytes that are not sent.
  var hasUnsent: Bool { buffer.taken > sent }
}
