/// The meaning of one direction's bytes: to which request they belong, and what happens when they have been read.
struct FramingQueue: Sendable {
  /// A contiguous run of bytes with one meaning.
  struct Chunk: Sendable {
    enum Kind: UInt8 {
      case payload
      case clientHello
      case serverFlight
      /// The alert by which the server refuses the TLS handshake.
      case alert
      /// The client's Finished, which ends its part of the TLS handshake.
      case finished
      /// The SETTINGS of HTTP/2, which the peer acknowledges.
      case settings
      /// Bytes without an effect on their reader: session tickets, acknowledgements of SETTINGS.
      case filler
      /// HANDSHAKE_DONE, by which a QUIC server confirms the handshake.
      case handshakeDone
      /// The server's reset of the connection, or its FIN (`fin`), even with requests on it.
      case reset
      case fin
      /// The server's GOAWAY: it accepts no more requests on the connection (HTTP/2).
      case goAway
      /// The reset of one stream; the connection stays open.
      case cancellation
    }

    var kind: Kind
    /// Whether the request or response ends with this chunk.
    var isLast: Bool
    var stream: StreamHandle
    /// How many bytes of framing precede the payload.
    var framing: Int32
    /// The direction's byte count at the chunk's end.
    var end: Int64
    /// How many bytes must have arrived before the chunk is readable: up to the end of its TLS record.
    ///
    /// QUIC has no such records and reads chunks out of order. There it is the offset of the chunk's next unread byte.
    var opensAt: Int64

    /// Records that QUIC bytes were read, of which `framing` were no payload.
    @inline(__always)
    mutating func wasRead(to end: Int64, _ framing: Int64) {
      opensAt = end
      self.framing -= Int32(framing)
    }
  }

  /// A part of a chunk that has been read.
  struct Portion {
    var chunk: Chunk
    /// The portion's size with framing; `payload` is its size without.
    var count: Int64
    var payload: Int64
    var isWhole: Bool
    var isLast: Bool { isWhole && chunk.isLast }
  }

  private var chunks = Queue<Chunk>()
  private var written: Int64 = 0
  private var position: Int64 = 0
  /// The end of the TLS record being appended; 0 outside a record.
  private var recordEnd: Int64 = 0
  /// The ends of requests that have not been announced yet.
  private var announcements: [(end: Int64, stream: StreamHandle)] = []
  /// The streams with bytes to send, in turn; used only for framed connections.
  var ready = Queue<StreamHandle>()
  /// Whether to announce that a request has been sent completely.
  private let announcesEnds: Bool
  /// Whether chunks are read in their order, as over TCP.
  private let isOrdered: Bool

  init(announcesEnds: Bool, isOrdered: Bool = true) {
    self.announcesEnds = announcesEnds
    self.isOrdered = isOrdered
  }

  /// Appends bytes; returns their number with framing.
  @inline(__always)
  mutating func append(
    _ kind: Chunk.Kind, _ count: Int64, framing: Int32, stream: StreamHandle, isLast: Bool
  ) -> Int64 {
    let total = count + Int64(framing)
    let start = written
    written = start.saturatingAdd(total)
    if isOrdered, let last = chunks.last, framing == 0, kind == .payload, last.kind == .payload,
      last.stream == stream,
      !last.isLast, last.opensAt == recordEnd
    {
      chunks[chunks.count - 1].end = written
      chunks[chunks.count - 1].isLast = isLast
    } else {
      chunks.append(
        Chunk(
          kind: kind, isLast: isLast, stream: stream, framing: framing, end: written,
          opensAt: isOrdered ? recordEnd : start))
    }
    if isLast, announcesEnds { announcements.append((written, stream)) }
    return total
  }

  /// Starts a record of `size` bytes, which the receiver reads only as a whole.
  mutating func beginRecord(of size: Int64) { recordEnd = written.saturatingAdd(size) }
  mutating func endRecord() { recordEnd = 0 }

  @inline(__always)
  var hasAnnouncements: Bool { !announcements.isEmpty }

  /// Takes the next stream whose request has been sent completely.
  mutating func takeAnnouncement(sent: Int64) -> StreamHandle? {
    guard let next = announcements.first, next.end <= sent else { return nil }
    announcements.removeFirst()
    return next.stream
  }

  /// Reads bytes that arrived in order, up to `limit` or the end of a chunk.
  @inline(__always)
  mutating func read(to limit: Int64) -> Portion? {
    guard let chunk = chunks.first, position < limit, chunk.opensAt <= limit else { return nil }
    let end = min(chunk.end, limit)
    let count = end - position
    let framing = min(Int64(chunk.framing), count)
    position = end
    let isWhole = end == chunk.end
    if isWhole {
      chunks.removeFirst()
    } else {
      chunks[0].framing -= Int32(framing)
    }
    return Portion(chunk: chunk, count: count, payload: count - framing, isWhole: isWhole)
  }

  /// The oldest QUIC byte that has not been read; `nil` if all were.
  @inline(__always)
  var oldestUnread: Int64? { chunks.isEmpty ? nil : chunks[0].opensAt }

  /// Reads QUIC bytes that have arrived, of any stream whose earlier bytes were read (RFC 9000, section 2.2).
  mutating func read(arrived: NumberRanges) -> Portion? {
    // Streams with a gap in their received bytes. Most chunks belong to the stream of the chunk before.
    var incomplete: [StreamHandle] = []
    var latest = StreamHandle.none
    let last = arrived.last
    for place in 0..<chunks.count {
      let chunk = chunks[place]
      // No bytes of this chunk or a later one have arrived.
      if chunk.opensAt >= last { return nil }
      if !incomplete.isEmpty, chunk.stream == latest || incomplete.contains(chunk.stream) { continue }
      if chunk.opensAt >= chunk.end { continue }
      let end = arrived.end(from: chunk.opensAt)
      // The connection's end is read only after all other bytes.
      guard end > chunk.opensAt, place == 0 || (chunk.kind != .reset && chunk.kind != .fin) else {
        incomplete.append(chunk.stream)
        latest = chunk.stream
        continue
      }
      return read(place, to: end)
    }
    return nil
  }

  /// Reads a QUIC chunk up to `limit`, the end of its received bytes, and removes chunks that were read completely.
  @inline(__always)
  mutating func read(_ place: Int, to limit: Int64) -> Portion {
    let chunk = chunks[place]
    let end = min(chunk.end, limit)
    let count = end - chunk.opensAt
    let framing = min(Int64(chunk.framing), count)
    chunks[place].wasRead(to: end, framing)
    if end == chunk.end {
      while let first = chunks.first, first.opensAt == first.end {
        chunks.removeFirst()
        position = first.end
      }
    }
    return Portion(chunk: chunk, count: count, payload: count - framing, isWhole: end == chunk.end)
  }

  mutating func releaseAll() {
    chunks.release()
    ready.release()
    if announcements.isEmpty { announcements = [] }
  }

  mutating func discard(beyond sent: Int64) {
    written = max(sent, position)
    while let last = chunks.last, last.end > written {
      let start = chunks.count > 1 ? chunks[chunks.count - 2].end : position
      if start >= written {
        chunks.removeLast()
      } else {
        chunks[chunks.count - 1].end = written
        chunks[chunks.count - 1].isLast = false
      }
    }
    announcements.removeAll { $0.end > sent }
  }
}
