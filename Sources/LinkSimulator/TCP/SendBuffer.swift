/// The kernel's send buffer: how much of the application's data it has accepted, and how it grows.
///
/// It matters while a hole keeps the oldest segment in the buffer: a full buffer then stops the sender, although the
/// congestion window is open. The buffer holds twice the congestion window (BBR: three times) and takes data in pieces
/// of many segments. It wakes a waiting application when a third is free. A woken application first fills the last
/// piece. If nothing else is unsent, a burst of it leaves at once (`tcp_push_one`). Sources: tcp_input.c:
/// `tcp_sndbuf_expand`, `tcp_new_space`; tcp_output.c: `tcp_event_new_data_sent`; tcp.c: `tcp_sendmsg_locked`,
/// `tcp_poll`; stream.c: `sk_stream_write_space`.
struct SendBuffer: Sendable {
  /// The memory of a segment in the worst case: 2 KiB of data and the kernel's metadata (`tcp_sndbuf_expand`).
  private static let segmentMemory: Int64 = 2_304
  /// The memory of a kernel buffer beyond its data, in bytes (`skb->truesize` less its length).
  private static let overhead: Int64 = 832
  /// The largest send buffer in bytes (tcp_wmem[2]).
  private static let maximum: Int64 = 4_194_304
  /// The largest piece in bytes (GSO_LEGACY_MAX_SIZE less the headers).
  private static let greatestPiece: Int64 = 65_215

  /// How many bytes the kernel has accepted so far.
  private(set) var taken: Int64 = 0
  /// Whether the buffer is full and the application waits.
  private(set) var isFull = false
  /// Whether the application, or its event loop, waits for free space.
  private(set) var isAwaited = false
  /// Whether the last fill may send a burst that is not full.
  private(set) var pushesOne = false
  /// The offset at which the last piece begins.
  private var pieceStart: Int64 = 0
  private var size: Int64
  private let windows: Int64
  private var piece = Self.wholeSegments(in: ReceiveWindow.initial / 2)

  init(windows: Int64) {
    self.windows = windows
    size = windows * Int64(CongestionWindow.initial) * Self.segmentMemory
  }

  /// Grows the piece size with the receiver's offer, up to half of it (`tcp_bound_to_half_wnd`).
  mutating func offered(_ window: Int64) {
    if window >> 1 >= piece + Int64(Packet.maximumPayload),
      piece < Self.wholeSegments(in: Self.greatestPiece)
    {
      piece = Self.wholeSegments(in: min(window >> 1, Self.greatestPiece))
    }
  }

  /// Accepts the bytes up to `written` that fit.
  ///
  /// Segments within the window's `room` leave while the application writes, which frees space in the last piece. A
  /// kernel with ten segments in flight was observed to hold one more piece.
  mutating func fill(
    written: Int64, sent before: Int64, acknowledged: Int64, buffersOut: Int, burst: Int, room: Int
  ) {
    let segment = Int64(Packet.maximumPayload)
    let quota = Int64(max(0, min(room, 1 << 24)))
    while taken < written {
      let leaving = min(taken - before, quota * segment)
      let sent = before + leaving
      let buffersOut = buffersOut + Int((leaving + segment - 1) / segment + Int64(burst) - 1) / burst
      var held = taken - max(sent, pieceStart)
      if held <= 0 || held >= piece {
        guard memory(sent: sent, acknowledged: acknowledged, buffersOut: buffersOut) < size else {
          isFull = true
          isAwaited = true
          return
        }
        pieceStart = taken
        held = 0
      }
      taken = min(written, taken + piece - held)
      // The piece is full, and is the next to be sent.
      if pieceStart <= before, taken - max(sent, pieceStart) == piece { pushesOne = true }
    }
    isFull = false
  }

  /// Makes the event loop wait for space if there is none when it polls the connection (`tcp_poll`).
  mutating func poll(sent: Int64, acknowledged: Int64, buffersOut: Int) {
    if taken > acknowledged, !hasRoom(sent: sent, acknowledged: acknowledged, buffersOut: buffersOut) {
      isAwaited = true
    }
  }

  mutating func wake() { isAwaited = false }

  /// Grows a buffer that limits the sender before the window does (`tcp_check_space`, `tcp_should_expand_sndbuf`).
  @inline(__always)
  mutating func grow(inFlight: Int, window: Int, reordering: Int) {
    guard inFlight < window else { return }
    let segments = Int64(max(CongestionWindow.initial, window, reordering + 1))
    size = max(size, min(windows * segments * Self.segmentMemory, Self.maximum))
  }

  /// Whether a waiting application may write again: a third of the buffer is free.
  func hasRoom(sent: Int64, acknowledged: Int64, buffersOut: Int) -> Bool {
    let memory = memory(sent: sent, acknowledged: acknowledged, buffersOut: buffersOut)
    return size - memory >= memory >> 1
  }

  /// Clears the permission to send a partial burst, after the attempt.
  mutating func pushed() {
    pushesOne = false
  }

  /// The most bytes that the buffer may accept at once: after acknowledgements that double the window.
  func capacity(window: Int, reordering: Int) -> Int64 {
    let segments = Int64(max(CongestionWindow.initial, 2 * window, reordering + 1))
    return max(size, min(windows * segments * Self.segmentMemory, Self.maximum)) + Self.greatestPiece
  }

  mutating func discard(beyond sent: Int64) {
    taken = sent
    pieceStart = min(pieceStart, sent)
    isFull = false
  }

  /// The memory in bytes that the buffered data uses.
  private func memory(sent: Int64, acknowledged: Int64, buffersOut: Int) -> Int64 {
    let buffers = Int64(buffersOut) + (taken - sent + piece - 1) / piece
    return taken - acknowledged + buffers * Self.overhead
  }

  private static func wholeSegments(in bytes: Int64) -> Int64 {
    max(1, bytes / Int64(Packet.maximumPayload)) * Int64(Packet.maximumPayload)
  }
}
