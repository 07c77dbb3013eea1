/// How many bytes in all a receiver lets come, of a stream or of a connection (RFC 9000, section 4.1).
struct QuicWindow: Sendable {
  /// The windows of curl 8 for responses (`cf-ngtcp2-cmn.h`): the first of a stream, which stands in the handshake
  /// (`H3_STREAM_WINDOW_SIZE_INITIAL`), the one that it offers with each request (`H3_STREAM_WINDOW_SIZE_MAX`), and that of a
  /// connection (`H3_CONN_WINDOW_SIZE_MAX`).
  static let clientStreamAtFirst: Int64 = 32_768
  static let clientStream = QuicWindow(size: 10 << 20, greatest: 10 << 20, step: clientStreamAtFirst / 4)
  static let clientConnection = QuicWindow(size: 1_000 << 20, greatest: 1_000 << 20, step: 250 << 20)
  /// Those of quic-go for requests (`internal/protocol/params.go`).
  static let serverStream = QuicWindow(size: 512 << 10, greatest: 6 << 20)
  static let serverConnection = QuicWindow(size: 768 << 10, greatest: 15 << 20)

  private(set) var edge: Int64
  private(set) var size: Int64
  private let greatest: Int64
  /// More than so many new bytes make a new offer; 0 where the window grows, and a quarter of it does.
  private let step: Int64
  private var epochStart: Int64 = -1
  private var epochOffset: Int64 = 0

  private init(size: Int64, greatest: Int64, step: Int64 = 0) {
    (edge, self.size, self.greatest, self.step) = (size, size, greatest, step)
  }

  /// Bytes were read up to here; whether there is a new offer.
  ///
  /// ngtcp2 renews one after a quarter of its first window (`conn_should_send_max_stream_data`). quic-go does so once a quarter
  /// is used, and doubles it where that took less than four round trips for the whole
  /// (`internal/flowcontrol/base_flow_controller.go`).
  mutating func arrived(upTo read: Int64, at now: Int64, roundTrip: Int64) -> Bool {
    if step > 0 {
      guard edge - read < size - step else { return false }
      edge = read + size
      return true
    }
    if epochStart < 0 { epochStart = now }
    guard edge - read <= size * 3 / 4 else { return false }
    let share = read - epochOffset
    if share > size / 2, roundTrip > 0 {
      if now - epochStart < 4 * roundTrip * share / size { size = min(2 * size, greatest) }
      (epochStart, epochOffset) = (now, read)
    }
    edge = read + size
    return true
  }

  /// The window is at least so large from the next offer on.
  mutating func widen(to least: Int64, read: Int64, at now: Int64) {
    guard least > size else { return }
    size = min(least, greatest)
    (epochStart, epochOffset) = (now, read)
  }
}

/// One of the frames MAX_DATA, MAX_STREAM_DATA and MAX_STREAMS (RFC 9000, sections 19.9 to 19.11).
struct QuicOffer: Sendable {
  enum Kind: Sendable {
    case connection
    case stream(StreamHandle)
    case streams
  }

  let kind: Kind
  let limit: Int64
}

/// What an end lets the other send, and what of that the other knows.
///
/// A packet says how many offers were made before it left, so that one which is lost does no harm once a later one arrives.
struct QuicAllowance: Sendable {
  /// By how much a connection's window is larger than that of any stream (quic-go, `ConnectionFlowControlMultiplier`), in
  /// halves.
  private static let halves: Int64 = 3

  private let isClient: Bool
  private var connection: QuicWindow
  private var read: Int64 = 0
  private var streams: [(stream: StreamHandle, read: Int64, window: QuicWindow)] = []
  private var offers = Queue<QuicOffer>()
  /// How many offers were made, and how many of them the other end knows.
  private(set) var made: Int64 = 0
  private var taken: Int64 = 0

  init(isClient: Bool) {
    self.isClient = isClient
    connection = isClient ? .clientConnection : .serverConnection
  }

  private mutating func offer(_ kind: QuicOffer.Kind, _ limit: Int64) {
    offers.append(QuicOffer(kind: kind, limit: limit))
    made += 1
  }

  /// A client will read a response (curl, `cf_ngtcp2_upd_rx_win`).
  mutating func open(_ stream: StreamHandle) {
    streams.append((stream, 0, .clientStream))
    offer(.stream(stream), QuicWindow.clientStream.edge)
  }

  /// Bytes of the whole connection have come up to here; whether there is a new offer.
  mutating func arrived(upTo end: Int64, at now: Int64, roundTrip: Int64) -> Bool {
    read = end
    guard connection.arrived(upTo: end, at: now, roundTrip: roundTrip) else { return false }
    offer(.connection, connection.edge)
    return true
  }

  /// Bytes of a stream were read; whether there is a new offer.
  mutating func read(_ count: Int64, of stream: StreamHandle, isLast: Bool, at now: Int64, roundTrip: Int64) -> Bool {
    var place = streams.firstIndex { $0.stream == stream } ?? streams.count
    if place == streams.count {
      if isLast || isClient { return false }
      streams.append((stream, 0, .serverStream))
      place = streams.count - 1
    }
    // Whose end has come asks for nothing more.
    if isLast {
      streams.remove(at: place)
      return false
    }
    streams[place].read += count
    let size = streams[place].window.size
    guard streams[place].window.arrived(upTo: streams[place].read, at: now, roundTrip: roundTrip) else { return false }
    if streams[place].window.size > size {
      connection.widen(to: streams[place].window.size * Self.halves / 2, read: read, at: now)
    }
    offer(.stream(stream), streams[place].window.edge)
    return true
  }

  /// A stream is given up.
  mutating func forget(_ stream: StreamHandle) { streams.removeAll { $0.stream == stream } }

  /// So many streams in all may be opened (RFC 9000, section 4.6).
  mutating func allowStreams(_ count: Int) { offer(.streams, Int64(count)) }

  /// The next offer of the first `count` that was not taken before.
  mutating func take(upTo count: Int64) -> QuicOffer? {
    guard taken < count else { return nil }
    taken += 1
    return offers.popFirst()
  }
}
