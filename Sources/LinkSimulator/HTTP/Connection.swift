/// A TCP connection between the client and a server, apart from its two ends.
struct Connection: Sendable {
  /// A TLS record has 16 KiB at most (RFC 8446, section 5.1).
  static let recordSize: Int64 = 16_384
  /// Head, content type and tag of a TLS 1.3 record (RFC 8446, section 5.2).
  private static let recordOverhead: Int32 = 22
  /// A ClientHello with the extensions that clients send today, and its record head.
  static let clientHello: Int64 = 517
  /// ServerHello, ChangeCipherSpec, EncryptedExtensions, CertificateVerify, Finished, and the frame of the certificates,
  /// each in a record of its own, as OpenSSL 3 sends them.
  static let serverFlight: Int64 = 386
  /// The client's ChangeCipherSpec and Finished.
  static let finished: Int64 = 80
  /// The two session tickets that OpenSSL writes, one after the other, once it has the client's Finished.
  static let tickets: [Int64] = [255, 255]
  /// HTTP/2's preface, SETTINGS and WINDOW_UPDATE (RFC 9113, section 3.4), which curl 7.88 writes one after another.
  static let greetings: [Int64] = [24, 27, 13]
  /// The server's SETTINGS and WINDOW_UPDATE, as nginx has them, and the acknowledgement of the other side's.
  static let serverSettings: Int64 = 40
  static let settingsAcknowledgement: Int64 = 9
  /// A TLS alert record; an RST_STREAM frame with its head.
  static let alert: Int64 = 24
  static let streamReset: Int64 = 13
  /// A GOAWAY frame with its head, and nothing to debug (RFC 9113, section 6.8).
  static let goAway: Int64 = 17

  /// One end of a connection, and what the bytes mean that it sends.
  struct End: Sendable {
    var tcp: Endpoint
    var conveyor: Conveyor

    /// Hands bytes with a meaning to TCP; says how many there are with their framing.
    @inline(__always) @discardableResult
    mutating func put(
      _ kind: Conveyor.Chunk.Kind, _ count: Int64, framing: Int32 = 0, stream: StreamHandle = .none,
      isLast: Bool = false
    ) -> Int64 {
      let total = conveyor.append(kind, count, framing: framing, stream: stream, isLast: isLast)
      tcp.sender.written += total
      return total
    }

    /// Takes a segment, and sends and acknowledges at once unless requests have frames to make first: then `false`.
    @inline(__always)
    mutating func receive(_ packet: borrowing Packet, at now: Int64, _ wire: inout Wire) -> Bool {
      tcp.receive(packet, at: now, &wire)
      guard conveyor.ready.isEmpty else { return false }
      tcp.transmit(acknowledging: true, at: now, &wire)
      return true
    }

    /// Takes back what was not sent.
    mutating func discardUnsent() {
      tcp.sender.discardUnsent()
      conveyor.discard(beyond: tcp.sender.sent)
    }
  }

  let pool: Int32
  let number: Int
  let isSecure: Bool
  let isMultiplexed: Bool
  /// Whether the request that opened it shares it with no other.
  let isPrivate: Bool
  /// Whether its one request's bytes come piece by piece, when there is room for them.
  let isFed: Bool
  /// The frames that its server has yet to write, and whether there are any.
  var output = OutputQueue()
  var hasOutput = false
  /// Whether its server writes as ``PathConfiguration/Scheduling/buffered`` says.
  let buffersOutput: Bool
  /// The request that is served, or was served last where many are; -1 for none.
  var stream: Int32
  /// How many requests are on it.
  var load = 1
  /// Whether requests may travel.
  var isReady = false
  /// Whether it is closed; what is still in the network is of no consequence.
  var isClosed = false
  /// Whether the place in the table is taken.
  var isInUse = true
  /// When the client has computed its part of the TLS handshake; `.max` when it does not.
  var securedAt = Int64.max
  /// When the timer of this connection is set for; `.max` when it is not.
  var armedAt = Int64.max
  var idleSince: Int64 = 0
  /// For how long at most the server keeps it idle; `.max` without a limit.
  var idleLimit = Int64.max
  /// After how long without a packet a middlebox forgets it, and when the latest came by; `.max` for never.
  var natLimit = Int64.max
  var passedAt: Int64 = 0
  /// When the server closes it, unless a request has come by then; `.max` when it does not.
  var closesAt = Int64.max
  /// Whether the server has closed its end, being idle.
  var serverHasClosed = false
  /// Whether a fault has ended it: the server sends nothing more of any request on it, and reads nothing.
  var isCut = false
  /// The number of the first request that the server serves no more, and whether the client has been told.
  var refusesFrom = Int.max
  var isLeft = false
  let isRefused: Bool
  let isUnreachable: Bool
  let failsHandshake: Bool

  /// A connection that a request opens.
  init(
    _ key: PoolKey, number: Int, for stream: Stream, at slot: Int32, scheduling: PathConfiguration.Scheduling
  ) {
    pool = stream.pool
    self.number = number
    isSecure = key.isSecure
    isMultiplexed = key.version == .http2
    buffersOutput = isMultiplexed && scheduling == .buffered
    isPrivate = stream.forcesConnection
    isFed = stream.use != .pooled
    self.stream = slot
    isRefused = stream.plan?.isRefused ?? false
    isUnreachable = stream.plan?.isUnreachable ?? false
    failsHandshake = stream.plan?.failsHandshake ?? false
  }

  /// Whether bytes travel in frames, made as they can be sent.
  var isFramed: Bool { isSecure || isMultiplexed }
  /// The payload of a full frame: a record, or a frame of HTTP/2, of which two share a record.
  var frameSize: Int64 { isMultiplexed ? OutputQueue.frameSize : Self.recordSize }
  /// The bytes that a frame adds to its payload; what a client writes by itself has a record of its own.
  func framing(of count: Int64, _ direction: Direction) -> Int32 {
    guard isMultiplexed else { return recordFraming }
    if direction == .up, count < OutputQueue.frameSize { return Int32(OutputQueue.frameHead) + recordFraming }
    return Int32(OutputQueue.frameHead) + recordFraming / Int32(Self.recordSize / OutputQueue.frameSize)
  }
  /// The bytes that a record adds to its payload.
  var recordFraming: Int32 { isSecure ? Self.recordOverhead : 0 }
}
