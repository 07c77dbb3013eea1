/// The frames that an HTTP/2 server has built but not written yet, as in nginx 1.22 (`src/http/v2`).
///
/// DATA frames leave in the order of building. HEADERS frames overtake them, except the frame that is being written
/// (`ngx_http_v2_queue_frame`, `ngx_http_v2_queue_blocked_frame`).
struct OutputQueue: Sendable {
  /// The number of buffers of a response; `bufferSize` is the bytes of each (`output_buffers`).
  static let buffers = 2
  static let bufferSize: Int64 = 32_768
  /// The payload of a full frame (`http2_chunk_size`); peers may agree on up to 16 MiB (RFC 9113, 4.2).
  static let frameSize: Int64 = 8_192
  /// The bytes of a frame's header (RFC 9113, section 4.1).
  static let frameHead: Int64 = 9

  /// A frame, with flags for what happens at its end.
  struct Frame: Sendable {
    var stream: StreamHandle
    /// The unwritten bytes of the frame, including its header.
    var left: Int64
    /// How many of the unwritten bytes belong to the header.
    var head = OutputQueue.frameHead
    /// Whether the response ends with this frame; `isCut` marks an end before its time.
    var isLast = false
    var isCut = false
    /// Whether writing this frame frees a buffer of the response.
    var endsBuffer = false

    /// Whether the TLS record is written after this frame, even if the record is not full.
    var flushes: Bool { isLast || isCut || endsBuffer }
  }

  /// The part of a frame that goes into one TLS record.
  struct Piece: Sendable {
    var frame: Frame
    var payload: Int64
    var framing: Int64
    var isEnd: Bool { frame.left == 0 }
  }

  /// The frame being written; further frames wait in `heads` and `data`.
  private var current: Frame?
  private var heads = Queue<Frame>()
  private var data = Queue<Frame>()
  /// The pieces of the record being filled; `recordSize` is their sum in bytes.
  private(set) var record: [Piece] = []
  private(set) var recordSize: Int64 = 0
  /// Whether the record must be written even if it is not full.
  private(set) var flushes = false
  /// Bytes of the record buffer that a partly accepted record still occupies (`ngx_ssl_send_chain`).
  private var held: Int64 = 0

  var isEmpty: Bool { current == nil && heads.isEmpty && data.isEmpty }

  mutating func append(head frame: Frame) { heads.append(frame) }
  mutating func append(_ frame: Frame) { data.append(frame) }

  /// Fixes the next frame after the kernel's send buffer has filled: HEADERS may not overtake it any more.
  mutating func block() {
    if current == nil { current = heads.popFirst() ?? data.popFirst() }
  }

  var next: StreamHandle? { (current ?? heads.first ?? data.first)?.stream }

  mutating func dropNext() {
    block()
    current = nil
  }

  /// Moves up to `limit` bytes of the next frame into the record.
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

  /// The largest size of the next record, at most `greatest`, when the kernel accepts data again.
  mutating func room(upTo greatest: Int64) -> Int64 {
    if held >= greatest || isEmpty { held = 0 }
    return greatest - held
  }

  mutating func releaseAll() {
    heads.release()
    data.release()
    if record.isEmpty { record = [] }
  }

  /// Empties the record after writing it; `isTaken` says whether the kernel accepted all of it.
  mutating func recordWritten(isTaken: Bool) {
    held = isTaken ? 0 : held + recordSize
    record.removeAll(keepingCapacity: true)
    recordSize = 0
    flushes = false
  }
}
