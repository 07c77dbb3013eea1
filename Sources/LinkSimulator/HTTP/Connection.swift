/// A connection between the client and a server, over TCP or QUIC; its two ends are stored separately.
///
/// It is one flat record: any packet may read any field, and most fields are independent times or flags.
struct Connection: Sendable {
  /// The most bytes in a TLS record: 16 KiB (RFC 8446, section 5.1).
  static let recordSize: Int64 = 16_384
  /// The header, content type and tag of a TLS 1.3 record (RFC 8446, section 5.2).
  private static let recordOverhead: Int32 = 22
  /// The size of a ClientHello with the usual extensions, and its record header.
  static let clientHello: Int64 = 517
  /// The server's handshake messages besides the certificates, each in a separate record, as OpenSSL 3 sends them.
  ///
  /// ServerHello, ChangeCipherSpec, EncryptedExtensions, CertificateVerify, Finished, and the certificates' framing.
  static let serverFlight: Int64 = 386
  /// The size of the client's ChangeCipherSpec and Finished.
  static let finished: Int64 = 80
  /// The two session tickets that OpenSSL 3.0 sends after the client's Finished, with TLS_AES_256_GCM_SHA384.
  static let tickets: [Int64] = [271, 271]
  /// HTTP/2's preface, SETTINGS and WINDOW_UPDATE (RFC 9113, section 3.4), which curl 7.88 writes one after another.
  static let greetings: [Int64] = [24, 27, 13]
  /// nginx's SETTINGS and WINDOW_UPDATE, and the acknowledgement of the client's SETTINGS.
  static let serverSettings: Int64 = 40
  static let settingsAcknowledgement: Int64 = 9
  /// The sizes of a TLS alert record and of an RST_STREAM frame.
  static let alert: Int64 = 24
  static let streamReset: Int64 = 13
  /// The size of a GOAWAY frame without debug data (RFC 9113, section 6.8).
  static let goAway: Int64 = 17

  /// The header of a HEADERS or DATA frame of HTTP/3 (RFC 9114, section 7.1).
  static let frameHead: Int32 = 3

  /// One end of a connection, and the meaning of the bytes that it sends.
  struct End: Sendable {
    var tcp: Endpoint
    /// This end's QUIC state, empty for TCP; an array, so that reading an end does not copy it.
    ///
    /// `tcp` holds the counters and the phase for both protocols.
    var quic: [QuicEnd] = []
    var framingQueue: FramingQueue

    /// Hands bytes of a kind to the transport; returns their number including framing.
    @inline(__always) @discardableResult
    mutating func put(
      _ kind: FramingQueue.Chunk.Kind, _ count: Int64, framing: Int32 = 0, stream: StreamHandle = .none,
      isLast: Bool = false
    ) -> Int64 {
      let total = framingQueue.append(kind, count, framing: framing, stream: stream, isLast: isLast)
      tcp.sender.written += total
      return total
    }

    /// Takes a segment; then sends and acknowledges at once, or returns `false` if requests must make frames first.
    @inline(__always)
    mutating func receive(_ packet: borrowing Packet, at now: Int64, _ wire: inout Wire) -> Bool {
      tcp.receive(packet, at: now, &wire)
      guard framingQueue.ready.isEmpty else { return false }
      tcp.transmit(acknowledging: true, at: now, &wire)
      return true
    }

    mutating func discardUnsent() {
      tcp.sender.discardUnsent()
      framingQueue.discard(beyond: tcp.sender.sent)
    }

    /// How many bytes were sent at least once.
    @inline(__always)
    var sent: Int64 { quic.isEmpty ? tcp.sender.sent : quic[0].sender.sent }

    /// How many bytes could be sent now beyond those handed over.
    @inline(__always)
    var unmetQuota: Int64 {
      // Mutating, so that the QUIC state is not copied.
      mutating get {
        if quic.isEmpty { return tcp.sender.unmetQuota }
        return quic[0].unmetQuota(written: tcp.sender.written)
      }
    }

    /// How many more bytes the application should hand in now, so that the sender never waits for it.
    @inline(__always)
    var room: Int64 {
      if quic.isEmpty { return tcp.sender.room }
      return quic[0].sender.room(written: tcp.sender.written, capacity: quic[0].capacity)
    }

    /// Whether to ask for more bytes; true once per write.
    mutating func asksForMore() -> Bool {
      if quic.isEmpty { return tcp.sender.asksForMore() }
      return quic[0].sender.asksForMore(written: tcp.sender.written, capacity: quic[0].capacity)
    }

    /// When a timer expires next; `.max` if none is set.
    @inline(__always)
    var deadline: Int64 {
      mutating get { quic.isEmpty ? tcp.deadline : quic[0].nextDeadline() }
    }

    /// Sends everything that may leave, including due acknowledgements.
    mutating func transmit(at now: Int64, _ wire: inout Wire) {
      if quic.isEmpty { return tcp.transmit(at: now, &wire) }
      while true {
        var packet = Packet(kind: .datagram, owner: tcp.owner, flow: tcp.flow, size: 0)
        var isAgain = false
        switch quic[0].nextPacket(&packet, written: tcp.sender.written, at: now) {
        case .nothing: return
        case .packet: break
        case .repetition(let again):
          isAgain = true
          tcp.counters.retransmissions += 1
          wire.note(.retransmitted(again), of: tcp.owner)
        }
        tcp.counters.packets += 1
        tcp.counters.bytes += Int64(packet.size)
        if wire.tape != nil {
          wire.record(packet, by: recorded, isAgain: isAgain, startingAt: quic[0].sender.sent, at: now)
        }
        wire.send(packet, at: now)
      }
    }

    var recorded: SenderState { quic.first?.sender.recorded ?? tcp.sender.recorded }

    mutating func close() {
      tcp.close()
      if !quic.isEmpty { quic[0].close() }
    }
  }

  let pool: Int32
  let number: Int
  let isSecure: Bool
  let isMultiplexed: Bool
  let isQuic: Bool
  /// Whether the request that opened the connection uses it alone.
  let isPrivate: Bool
  /// Whether the caller hands in the bytes of the connection's only request piece by piece, as the sender has room.
  let isFed: Bool
  /// The frames that the server still has to write, and whether there are any.
  var output = OutputQueue()
  var hasOutput = false
  /// Whether the server writes as ``PathConfiguration/Scheduling/buffered`` says.
  let buffersOutput: Bool
  /// The request being served, or the last one served on a shared connection; -1 for none.
  var stream: Int32
  /// How many requests use the connection now.
  var load = 1
  /// QUIC's request counts: opened so far, allowed as far as the client knows, and finished by the server.
  var opened = 0
  var streamLimit = Int.max
  var done = 0
  var isReady = false
  /// Whether the connection is among those whose memory will be freed (``ConnectionTable/noteIdle(_:)``).
  var isListedIdle = false
  var isClosed = false
  var isInUse = true
  /// The bytes of SETTINGS and acknowledgement that the server is about to write; 0 for none.
  var settings: Int64 = 0
  /// When the end that is computing for the TLS handshake will finish; `.max` if neither end is computing.
  var securedAt = Int64.max
  /// The time for which this connection's timer is set; `.max` if it is not set.
  var armedAt = Int64.max
  var idleSince: Int64 = 0
  /// The longest time that the server keeps the connection idle; `.max` without a limit.
  var idleLimit = Int64.max
  /// A middlebox forgets the connection after this time without packets; `passedAt` is the time of the last packet.
  var natLimit = Int64.max
  var passedAt: Int64 = 0
  /// The bytes that a QUIC server sends in Handshake packets.
  var flight: Int64 = 0
  /// Packets sent before this time use an address that the client has left; `.max` means all packets.
  var movedUp = Int64.min
  var movedDown = Int64.min
  /// When the server closes the connection, unless a request arrives before; `.max` for never.
  var closesAt = Int64.max
  /// Whether the server has closed its end because it was idle.
  var serverHasClosed = false
  /// Whether a fault has ended the connection: the server neither sends nor reads on it.
  var isCut = false
  /// The number of the first request that the server refuses, and whether the client knows.
  var refusesFrom = Int.max
  var isLeft = false
  /// The competing connection to the same host over the other transport, QUIC or TCP; -1 for none.
  var rival: Int32 = -1
  /// When the client also tries TCP; `.max` if it does not.
  var racesAt = Int64.max
  let isRefused: Bool
  let isUnreachable: Bool
  let failsHandshake: Bool

  /// Creates a connection; `stream` is the request that opens it, if any.
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

  /// Whether bytes are sent in frames, which are made when they can be sent.
  @inline(__always)
  var isFramed: Bool { isSecure || isMultiplexed }
  /// The payload of a full frame: a TLS record, or an HTTP/2 frame, two of which share a record.
  @inline(__always)
  var frameSize: Int64 { isQuic ? QuicEnd.firstCapacity : isMultiplexed ? OutputQueue.frameSize : Self.recordSize }
  /// The bytes that framing adds to a payload; each of the client's own writes has a separate record.
  @inline(__always)
  func framing(of count: Int64, _ direction: Direction) -> Int32 {
    // All packets of a long body share one frame header.
    guard !isQuic else { return count < frameSize ? Self.frameHead : 0 }
    guard isMultiplexed else { return recordFraming }
    if direction == .up, count < OutputQueue.frameSize { return Int32(OutputQueue.frameHead) + recordFraming }
    return Int32(OutputQueue.frameHead) + recordFraming / Int32(Self.recordSize / OutputQueue.frameSize)
  }
  @inline(__always)
  var recordFraming: Int32 { isSecure && !isQuic ? Self.recordOverhead : 0 }
}
