/// The frames that an HTTP/2 server has made and not yet written, as nginx 1.22 holds them (`src/http/v2`).
///
/// Frames of data leave in the order in which they were made. Heads overtake them, but not the frame that is being
/// written (`ngx_http_v2_queue_frame`, `ngx_http_v2_queue_blocked_frame`).
struct OutputQueue: Sendable {
  /// How many buffers a response has, and how many bytes each holds (`output_buffers`).
  static let buffers = 2
  static let bufferSize: Int64 = 32_768
  /// The payload of a full frame (`http2_chunk_size`); both sides may agree on up to 16 MiB (RFC 9113, 4.2).
  static let frameSize: Int64 = 8_192
  /// The head of a frame (RFC 9113, section 4.1).
  static let frameHead: Int64 = 9

  /// A frame, and what its end means.
  struct Frame: Sendable {
    var stream: StreamHandle
    /// The bytes that are not written yet, with the frame's head.
    var left: Int64
    /// How many of them are the frame's head.
    var head = OutputQueue.frameHead
    /// Whether the response ends with it, or is cut off.
    var isLast = false
    var isCut = false
    /// Whether a buffer of the response is free after it.
    var endsBuffer = false

    /// Whether nothing is held back after it, to fill up a record.
    var flushes: Bool { isLast || isCut || endsBuffer }
  }

  /// A stretch of a frame that goes into a record.
  struct Piece: Sendable {
    var frame: Frame
    var payload: Int64
    var framing: Int64
    /// Whether the frame ends with it.
    var isEnd: Bool { frame.left == 0 }
  }

  /// The frame that is being written, heads, and data.
  private var current: Frame?
  private var heads = Queue<Frame>()
  private var data = Queue<Frame>()
  /// The stretches of the record that is being filled, and how many bytes they have.
  private(set) var record: [Piece] = []
  private(set) var recordSize: Int64 = 0
  /// Whether the record is to be written as it is.
  private(set) var flushes = false
  /// How much of the buffer for records is taken by one that the kernel has not taken as a whole.
  ///
  /// The next record has the rest of the buffer only (`ngx_ssl_send_chain`).
  private var held: Int64 = 0

  var isEmpty: Bool { current == nil && heads.isEmpty && data.isEmpty }

  mutating func append(head frame: Frame) { heads.append(frame) }
  mutating func append(_ frame: Frame) { data.append(frame) }

  /// The kernel takes no more: nothing may overtake the frame whose turn it is.
  mutating func block() {
    if current == nil { current = heads.popFirst() ?? data.popFirst() }
  }

  /// The stream of the frame whose turn it is.
  var next: StreamHandle? { (current ?? heads.first ?? data.first)?.stream }

  /// Forgets the frame whose turn it is.
  mutating func dropNext() {
    block()
    current = nil
  }

  /// Puts up to `limit` bytes of the frame whose turn it is into the record.
  mutating func fill(upTo limit: Int64) -> Piece? {
    block()
    guard var frame = current else { return nil }
    let count = min(frame.left, limit - recordSize)
    let framing = min(frame.head, count)
    frame.left -= count
    frame.head -= framing
    current = frame.left == 0 ? nil : frame
    if frame.left == 0, frame.flushes { flushes = true }
    let piece = Piece(frame: frame, payload: count - framing, framing: framing)
    record.append(piece)
    recordSize += count
    return piece
  }

  /// How large a record of at most `greatest` bytes may become now that the kernel takes more.
  mutating func room(upTo greatest: Int64) -> Int64 {
    if held >= greatest || isEmpty { held = 0 }
    return greatest - held
  }

  /// The record is written; the kernel has taken it, or not all of it.
  mutating func recordWritten(isTaken: Bool) {
    held = isTaken ? 0 : held + recordSize
    record.removeAll(keepingCapacity: true)
    recordSize = 0
    flushes = false
  }
}
