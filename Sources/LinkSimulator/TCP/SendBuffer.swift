/// How much of what the application has written the kernel has taken: the send buffer and its growth.
///
/// Matters while a hole keeps the oldest segment in the buffer: when nothing more fits, the sender runs dry although
/// the congestion window is open. The buffer holds twice the congestion window (BBR: three times), takes data in pieces of many segments,
/// and wakes a waiting application once a third of it is free (net/ipv4/tcp_input.c: `tcp_sndbuf_expand`, `tcp_new_space`;
/// net/ipv4/tcp_output.c: `tcp_event_new_data_sent`; net/ipv4/tcp.c: `tcp_sendmsg_locked`, `tcp_poll`; net/core/stream.c:
/// `sk_stream_write_space`). A woken application first fills up
/// the last piece, and when nothing else waits to be sent, a burst of it leaves at once (`tcp_push_one`).
struct SendBuffer: Sendable {
  /// The memory that a segment occupies at worst: 2 KiB of data and the kernel's record (`tcp_sndbuf_expand`).
  private static let segmentMemory: Int64 = 2_304
  /// The memory that each buffer of data occupies beside the data (`skb->truesize` less its length).
  private static let overhead: Int64 = 832
  /// The greatest size (tcp_wmem[2]).
  private static let maximum: Int64 = 4_194_304
  /// The greatest piece (GSO_LEGACY_MAX_SIZE less the headers).
  private static let greatestPiece: Int64 = 65_215

  /// How many bytes were taken so far.
  private(set) var taken: Int64 = 0
  /// Whether the application waits for room.
  private(set) var isFull = false
  /// Whether somebody waits for room: the application, or the event loop that it runs in.
  private(set) var isAwaited = false
  /// Whether the last fill sends a burst without waiting for room for a whole one.
  private(set) var pushesOne = false
  /// Where the last piece begins.
  private var pieceStart: Int64 = 0
  private var size: Int64
  /// How many windows it has room for.
  private let windows: Int64
  private var piece = Self.wholeSegments(in: ReceiveWindow.initial / 2)

  init(windows: Int64) {
    self.windows = windows
    size = windows * Int64(CongestionWindow.initial) * Self.segmentMemory
  }

  /// The receiver offers this much; half of the greatest offer bounds a piece (`tcp_bound_to_half_wnd`).
  mutating func offered(_ window: Int64) {
    if window >> 1 >= piece + Int64(Packet.maximumPayload),
      piece < Self.wholeSegments(in: Self.greatestPiece)
    {
      piece = Self.wholeSegments(in: min(window >> 1, Self.greatestPiece))
    }
  }

  /// Takes what fits of the bytes up to `written`, of which `sent` were sent and `acknowledged` have arrived.
  ///
  /// The segments that the window has `room` for leave while the application writes, and make room in the last piece:
  /// a kernel with ten segments in flight was seen to hold one piece more.
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
      // The piece is full, and it is the one whose turn it is to be sent.
      if pieceStart <= before, taken - max(sent, pieceStart) == piece { pushesOne = true }
    }
    isFull = false
  }

  /// The event loop of the application looks at the connection since data has come: it waits where there is no room
  /// (`tcp_poll`).
  mutating func poll(sent: Int64, acknowledged: Int64, buffersOut: Int) {
    if taken > acknowledged, !hasRoom(sent: sent, acknowledged: acknowledged, buffersOut: buffersOut) {
      isAwaited = true
    }
  }

  /// Nobody waits for room any more.
  mutating func wake() { isAwaited = false }

  /// A burst was sent while somebody waits: a buffer that limits before the window does is too small
  /// (`tcp_check_space`, `tcp_should_expand_sndbuf`).
  @inline(__always)
  mutating func grow(inFlight: Int, window: Int, reordering: Int) {
    guard inFlight < window else { return }
    let segments = Int64(max(CongestionWindow.initial, window, reordering + 1))
    size = max(size, min(windows * segments * Self.segmentMemory, Self.maximum))
  }

  /// Whether an application that waits may write again, once an acknowledgement was taken and what it allows was sent.
  func hasRoom(sent: Int64, acknowledged: Int64, buffersOut: Int) -> Bool {
    let memory = memory(sent: sent, acknowledged: acknowledged, buffersOut: buffersOut)
    return size - memory >= memory >> 1
  }

  /// The burst was sent, or could not be.
  mutating func pushed() {
    pushesOne = false
  }

  /// The most that it can take at once: when all in flight is acknowledged, by which the window at most doubles.
  func capacity(window: Int, reordering: Int) -> Int64 {
    let segments = Int64(max(CongestionWindow.initial, 2 * window, reordering + 1))
    return max(size, min(windows * segments * Self.segmentMemory, Self.maximum)) + Self.greatestPiece
  }

  /// Forgets what was taken but not sent.
  mutating func discard(beyond sent: Int64) {
    taken = sent
    pieceStart = min(pieceStart, sent)
    isFull = false
  }

  /// The memory that the data occupies.
  private func memory(sent: Int64, acknowledged: Int64, buffersOut: Int) -> Int64 {
    let buffers = Int64(buffersOut) + (taken - sent + piece - 1) / piece
    return taken - acknowledged + buffers * Self.overhead
  }

  private static func wholeSegments(in bytes: Int64) -> Int64 {
    max(1, bytes / Int64(Packet.maximumPayload)) * Int64(Packet.maximumPayload)
  }
}
