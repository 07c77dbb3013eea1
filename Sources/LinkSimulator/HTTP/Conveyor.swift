/// The meaning of the bytes of one direction of a connection: which belong to which request, and what their end is.
struct Conveyor: Sendable {
  /// A run of bytes with one meaning.
  struct Chunk: Sendable {
    enum Kind: UInt8 {
      case payload
      case clientHello
      case serverFlight
      /// The server refuses the TLS handshake.
      case alert
      /// The client's part of the TLS handshake is over.
      case finished
      /// The settings of HTTP/2, which the other side acknowledges.
      case settings
      /// Bytes that nobody waits for: tickets, acknowledged settings.
      case filler
      /// The server of QUIC confirms the handshake.
      case handshakeDone
      /// The server resets the connection, or closes it in good order, whatever is on it.
      case reset
      case farewell
      /// The server takes in no more requests (HTTP/2).
      case goAway
      /// One end gives a request up, and the connection stands (HTTP/2).
      case cancellation
    }

    var kind: Kind
    /// Whether the request or response ends with it.
    var isLast: Bool
    var stream: StreamHandle
    /// How many bytes of framing come before the payload.
    var framing: Int32
    /// The number of bytes of the direction up to its end.
    var end: Int64
    /// How many bytes must have arrived before any of it can be read: up to the end of its record.
    var opensAt: Int64
  }

  /// A stretch of bytes with one meaning, as it was read.
  struct Portion {
    var chunk: Chunk
    /// How many bytes it has with and without framing.
    var count: Int64
    var payload: Int64
    /// Whether the chunk was read to its end.
    var isWhole: Bool
    var isLast: Bool { isWhole && chunk.isLast }
  }

  private var chunks = Queue<Chunk>()
  /// Where bytes may be read out of their order: the next one to read of each chunk.
  private var unread = Queue<Int64>()
  private let isOrdered: Bool
  private var written: Int64 = 0
  private var position: Int64 = 0
  /// The end of the record that is being put on it; 0 where bytes are read as they arrive.
  private var recordEnd: Int64 = 0
  /// Whether it is announced when a request has been sent to its end.
  private let announcesEnds: Bool
  /// The ends that are still to be announced.
  private var announcements: [(end: Int64, stream: StreamHandle)] = []
  /// Streams with something to send, in turn; only where bytes travel in frames.
  var ready = Queue<StreamHandle>()

  init(announcesEnds: Bool, isOrdered: Bool = true) {
    self.announcesEnds = announcesEnds
    self.isOrdered = isOrdered
  }

  /// Puts bytes on the conveyor; says how many there are with their framing.
  @inline(__always)
  mutating func append(
    _ kind: Chunk.Kind, _ count: Int64, framing: Int32, stream: StreamHandle, isLast: Bool
  ) -> Int64 {
    let total = count + Int64(framing)
    if !isOrdered { unread.append(written) }
    written = written.saturatingAdd(total)
    if isOrdered, let last = chunks.last, framing == 0, kind == .payload, last.kind == .payload,
      last.stream == stream,
      !last.isLast, last.opensAt == recordEnd
    {
      chunks[chunks.count - 1].end = written
      chunks[chunks.count - 1].isLast = isLast
    } else {
      chunks.append(
        Chunk(kind: kind, isLast: isLast, stream: stream, framing: framing, end: written, opensAt: recordEnd))
    }
    if isLast, announcesEnds { announcements.append((written, stream)) }
    return total
  }

  /// What follows is a record of so many bytes, which is read as a whole or not at all.
  mutating func beginRecord(of size: Int64) { recordEnd = written.saturatingAdd(size) }
  mutating func endRecord() { recordEnd = 0 }

  /// The stream whose request has been sent to its end by now, once.
  mutating func takeAnnouncement(sent: Int64) -> StreamHandle? {
    guard let next = announcements.first, next.end <= sent else { return nil }
    announcements.removeFirst()
    return next.stream
  }

  /// Reads on to `limit`, at most to the end of a chunk.
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

  /// Reads a stretch that has arrived, of any stream whose bytes before it were read (RFC 9000, section 2.2).
  mutating func read(arrived: NumberRanges) -> Portion? {
    // Streams of which something is missing.
    var incomplete: [StreamHandle] = []
    let last = arrived.stretches.last?.upperBound ?? 0
    for place in 0..<chunks.count where unread[place] < chunks[place].end {
      // Nothing from here on has arrived.
      if unread[place] >= last { return nil }
      let chunk = chunks[place]
      guard !incomplete.contains(chunk.stream) else { continue }
      let end = min(chunk.end, arrived.end(from: unread[place]))
      let count = end - unread[place]
      // The end of the connection comes after all of it.
      guard count > 0, place == 0 || (chunk.kind != .reset && chunk.kind != .farewell) else {
        incomplete.append(chunk.stream)
        continue
      }
      let framing = min(Int64(chunk.framing), count)
      unread[place] = end
      chunks[place].framing -= Int32(framing)
      while let first = chunks.first, unread.first == first.end {
        chunks.removeFirst()
        unread.removeFirst()
        position = first.end
      }
      return Portion(chunk: chunk, count: count, payload: count - framing, isWhole: end == chunk.end)
    }
    return nil
  }

  /// Takes back what was not sent.
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
