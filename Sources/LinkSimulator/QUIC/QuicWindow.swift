/// A flow-control window: how many bytes a peer may send on a stream or connection (RFC 9000, section 4.1).
struct QuicWindow: Sendable {
  /// The first window of a stream for responses, from curl 8 (`cf-ngtcp2-cmn.h`).
  ///
  /// The handshake announces it (`H3_STREAM_WINDOW_SIZE_INITIAL`). Each request offers `clientStream`
  /// (`H3_STREAM_WINDOW_SIZE_MAX`). `clientConnection` is the connection's window (`H3_CONN_WINDOW_SIZE_MAX`).
  static let clientStreamAtFirst: Int64 = 32_768
  static let clientStream = QuicWindow(size: 10 << 20, greatest: 10 << 20, step: clientStreamAtFirst / 4)
  static let clientConnection = QuicWindow(size: 1_000 << 20, greatest: 1_000 << 20, step: 250 << 20)
  /// The windows for requests, of a stream and of a connection, from quic-go (`internal/protocol/params.go`).
  static let serverStream = QuicWindow(size: 512 << 10, greatest: 6 << 20)
  static let serverConnection = QuicWindow(size: 768 << 10, greatest: 15 << 20)

  private(set) var edge: Int64
  private(set) var size: Int64
  private let greatest: Int64
  /// How many read bytes cause a new offer; 0 for a growing window, which uses a quarter of its size.
  private let step: Int64
  private var epochStart: Int64 = -1
  private var epochOffset: Int64 = 0

  private init(size: Int64, greatest: Int64, step: Int64 = 0) {
    (edge, self.size, self.greatest, self.step) = (size, size, greatest, step)
  }

  /// Records that bytes up to `read` were read; returns whether there is a new offer.
  ///
  /// ngtcp2 makes an offer after a quarter of its first window (`conn_should_send_max_stream_data`). quic-go makes an
  /// offer after a quarter of the present window. It doubles the window if the sender uses all of it in less than four
  /// round trips (`internal/flowcontrol/base_flow_controller.go`).
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

  /// Widens the window to at least `least` bytes, from the next offer on.
  mutating func widen(to least: Int64, read: Int64, at now: Int64) {
    guard least > size else { return }
    size = min(least, greatest)
    (epochStart, epochOffset) = (now, read)
  }
}

/// A flow-control frame: MAX_DATA, MAX_STREAM_DATA or MAX_STREAMS (RFC 9000, sections 19.9 to 19.11).
struct QuicOffer: Sendable {
  enum Kind: Sendable {
    case connection
    case stream(StreamHandle)
    case streams
  }

  let kind: Kind
  let limit: Int64
}

/// The flow-control limits that an end has offered, and those that its peer has received.
///
/// Each packet carries the number of offers made before it. So a later packet makes up for a lost one.
struct QuicAllowance: Sendable {
  /// The least ratio of a connection's window to a stream's, in halves (quic-go, `ConnectionFlowControlMultiplier`).
  private static let halves: Int64 = 3

  private let isClient: Bool
  private var connection: QuicWindow
  private var read: Int64 = 0
  private var streams: [(stream: StreamHandle, read: Int64, window: QuicWindow)] = []
  private var offers = Queue<QuicOffer>()
  /// How many offers were made; `taken` counts those that the peer has received.
  private(set) var made: Int64 = 0
  private(set) var taken: Int64 = 0

  init(isClient: Bool) {
    self.isClient = isClient
    connection = isClient ? .clientConnection : .serverConnection
  }

  private mutating func offer(_ kind: QuicOffer.Kind, _ limit: Int64) {
    offers.append(QuicOffer(kind: kind, limit: limit))
    made += 1
  }

  /// Offers a stream's window for a response, as a client does with its request (curl, `cf_ngtcp2_upd_rx_win`).
  mutating func open(_ stream: StreamHandle) {
    streams.append((stream, 0, .clientStream))
    offer(.stream(stream), QuicWindow.clientStream.edge)
  }

  /// Records received bytes of the connection up to `end`; returns whether there is a new offer.
  mutating func arrived(upTo end: Int64, at now: Int64, roundTrip: Int64) -> Bool {
    read = end
    guard connection.arrived(upTo: end, at: now, roundTrip: roundTrip) else { return false }
    offer(.connection, connection.edge)
    return true
  }

  /// Records that bytes of a stream were read; returns whether there is a new offer.
  mutating func read(_ count: Int64, of stream: StreamHandle, isLast: Bool, at now: Int64, roundTrip: Int64) -> Bool {
    var place = streams.firstIndex { $0.stream == stream } ?? streams.count
    if place == streams.count {
      if isLast || isClient { return false }
      streams.append((stream, 0, .serverStream))
      place = streams.count - 1
    }
    // A stream whose end was read needs no more offers.
    if isLast {
      streams.remove(at: place)
      return false
    }
    streams[place].read += count
    guard streams[place].window.arrived(upTo: streams[place].read, at: now, roundTrip: roundTrip) else { return false }
    connection.widen(to: streams[place].window.size * Self.halves / 2, read: read, at: now)
    offer(.stream(stream), streams[place].window.edge)
    return true
  }

  mutating func forget(_ stream: StreamHandle) { streams.removeAll { $0.stream == stream } }

  /// Offers `count` streams in total (RFC 9000, section 4.6).
  mutating func allowStreams(_ count: Int) { offer(.streams, Int64(count)) }

  /// Takes the next offer, if it is among the first `count`.
  mutating func take(upTo count: Int64) -> QuicOffer? {
    guard taken < count else { return nil }
    taken += 1
    return offers.popFirst()
  }
}
