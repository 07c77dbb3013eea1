/// A connection between the client and a server, over TCP or QUIC, apart from its two ends.
///
/// It is one flat record: any packet may look at any of it, and most of it is a time or a flag that nothing else goes with.
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
  /// The two session tickets that OpenSSL 3.0 writes with TLS_AES_256_GCM_SHA384, one after the other, once it has the
  /// client's Finished.
  static let tickets: [Int64] = [271, 271]
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

  /// The head of a HEADERS or DATA frame of HTTP/3 (RFC 9114, section 7.1).
  static let frameHead: Int32 = 3

  /// One end of a connection, and what the bytes mean that it sends.
  struct End: Sendable {
    var tcp: Endpoint
    /// Its end of QUIC, in an array since reading an end would copy it otherwise; empty for TCP.
    ///
    /// `tcp` keeps the counters and the phase of both.
    var quic: [QuicEnd] = []
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

    /// How many bytes were sent at least once.
    @inline(__always)
    var sent: Int64 { quic.isEmpty ? tcp.sender.sent : quic[0].sender.sent }

    /// How many bytes could be sent now beyond what is handed over.
    @inline(__always)
    var unmetQuota: Int64 {
      // An end of QUIC is changed in place, so that it is not copied to be read.
      mutating get {
        if quic.isEmpty { return tcp.sender.unmetQuota }
        return quic[0].unmetQuota(written: tcp.sender.written)
      }
    }

    /// How many more bytes are of use.
    @inline(__always)
    var room: Int64 {
      if quic.isEmpty { return tcp.sender.room }
      return quic[0].sender.room(written: tcp.sender.written, capacity: quic[0].capacity)
    }

    /// Whether more bytes are of use, and nobody has been told since the last were written.
    mutating func asksForMore() -> Bool {
      if quic.isEmpty { return tcp.sender.asksForMore() }
      return quic[0].sender.asksForMore(written: tcp.sender.written, capacity: quic[0].capacity)
    }

    /// When a timer runs out; `.max` when none does.
    @inline(__always)
    var deadline: Int64 {
      mutating get { quic.isEmpty ? tcp.deadline : quic[0].nextDeadline() }
    }

    /// Sends what may leave, and acknowledgements that are due.
    mutating func transmit(at now: Int64, _ wire: inout Wire) {
      if quic.isEmpty { return tcp.transmit(at: now, &wire) }
      while let (packet, again) = quic[0].nextPacket(
        written: tcp.sender.written, owner: tcp.owner, flow: tcp.flow, at: now)
      {
        if let again {
          tcp.counters.retransmissions += 1
          wire.note(.retransmitted(again), of: tcp.owner)
        }
        tcp.counters.packets += 1
        tcp.counters.bytes += Int64(packet.size)
        if wire.tape != nil {
          wire.record(packet, by: recorded, isAgain: again != nil, startingAt: quic[0].sender.sent, at: now)
        }
        wire.send(packet, at: now)
      }
    }

    /// The state of its sender, for records of packets.
    var recorded: SenderState { quic.first?.sender.recorded ?? tcp.sender.recorded }

    /// Nothing more is sent or taken.
    mutating func close() {
      tcp.close()
      if !quic.isEmpty { quic[0].close() }
    }
  }

  let pool: Int32
  let number: Int
  let isSecure: Bool
  let isMultiplexed: Bool
  /// Whether it is one of QUIC.
  let isQuic: Bool
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
  /// How many requests were on a connection of QUIC, how many its client knows that it may make, and how many its server has
  /// done with.
  var opened = 0
  var streamLimit = Int.max
  var done = 0
  /// Whether requests may travel.
  var isReady = false
  /// Whether it is closed; what is still in the network is of no consequence.
  var isClosed = false
  /// Whether the place in the table is taken.
  var isInUse = true
  /// The settings that the server is about to write, and the acknowledgement of the client's; 0 when it is not.
  var settings: Int64 = 0
  /// When the end whose turn it is has computed its part of the TLS handshake; `.max` when none does.
  var securedAt = Int64.max
  /// When the timer of this connection is set for; `.max` when it is not.
  var armedAt = Int64.max
  var idleSince: Int64 = 0
  /// For how long at most the server keeps it idle; `.max` without a limit.
  var idleLimit = Int64.max
  /// After how long without a packet a middlebox forgets it, and when the latest came by; `.max` for never.
  var natLimit = Int64.max
  var passedAt: Int64 = 0
  /// What the server of QUIC sends in Handshake packets.
  var flight: Int64 = 0
  /// What was sent before is under way to or from an address that the client no longer has; `.max` where all of it is.
  var movedUp = Int64.min
  var movedDown = Int64.min
  /// When the server closes it, unless a request has come by then; `.max` when it does not.
  var closesAt = Int64.max
  /// Whether the server has closed its end, being idle.
  var serverHasClosed = false
  /// Whether a fault has ended it: the server sends nothing more of any request on it, and reads nothing.
  var isCut = false
  /// The number of the first request that the server serves no more, and whether the client has been told.
  var refusesFrom = Int.max
  var isLeft = false
  /// The other connection to the same host that is tried beside it, of QUIC and of TCP; -1 for none.
  var rival: Int32 = -1
  /// When TCP is tried beside it; `.max` when it is not.
  var racesAt = Int64.max
  let isRefused: Bool
  let isUnreachable: Bool
  let failsHandshake: Bool

  /// A connection that a request opens, or none in particular.
  init(
    _ key: PoolKey, pool: Int32, number: Int, for stream: Stream?, at slot: Int32,
    scheduling: PathConfiguration.Scheduling
  ) {
    self.pool = pool
    self.number = number
    isSecure = key.isSecure || key.version == .http3
    isMultiplexed = key.version != .http1
    isQuic = key.version == .http3
    buffersOutput = key.version == .http2 && scheduling == .buffered
    isPrivate = stream?.forcesConnection ?? false
    isFed = stream.map { $0.use != .pooled } ?? false
    self.stream = slot
    isRefused = stream?.plan?.isRefused ?? false
    isUnreachable = stream?.plan?.isUnreachable ?? false
    failsHandshake = stream?.plan?.failsHandshake ?? false
  }

  /// Whether bytes travel in frames, made as they can be sent.
  var isFramed: Bool { isSecure || isMultiplexed }
  /// The payload of a full frame: a record, or a frame of HTTP/2, of which two share a record.
  var frameSize: Int64 { isQuic ? QuicEnd.firstCapacity : isMultiplexed ? OutputQueue.frameSize : Self.recordSize }
  /// The bytes that a frame adds to its payload; what a client writes by itself has a record of its own.
  func framing(of count: Int64, _ direction: Direction) -> Int32 {
    // There is one for all packets of a long body.
    guard !isQuic else { return count < frameSize ? Self.frameHead : 0 }
    guard isMultiplexed else { return recordFraming }
    if direction == .up, count < OutputQueue.frameSize { return Int32(OutputQueue.frameHead) + recordFraming }
    return Int32(OutputQueue.frameHead) + recordFraming / Int32(Self.recordSize / OutputQueue.frameSize)
  }
  /// The bytes that a record adds to its payload.
  var recordFraming: Int32 { isSecure && !isQuic ? Self.recordOverhead : 0 }
}
