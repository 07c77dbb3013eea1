/// How an implementation of QUIC behaves where the standards leave it a choice.
///
/// Servers are taken for quic-go 0.29 as in Caddy 2.6, and clients for ngtcp2 as in curl 8: measured on the wire, and as their
/// sources say. Apple's own client was never measured.
struct QuicStack: Sendable {
  /// The congestion window at the beginning, in packets (RFC 9002, section 7.2, recommends 10).
  let initialWindow: Int
  /// Whether packets are spread over the round trip.
  let paces: Bool
  /// The payload of a full datagram at first (RFC 9000, section 14.1, asks for 1,200).
  let datagram: Int64
  /// The greater payloads that are tried, one after another (RFC 8899), and how many round trips after the one before.
  let probes: [Int64]
  let pause: Int64
  /// The round trip that is assumed before one is measured, and how much it is taken to vary.
  let firstRoundTrip: (smoothed: Int64, variation: Int64)
  /// Whether losses over a long time bring the window down to the least (RFC 9002, section 7.6).
  let noticesPersistentCongestion: Bool

  /// quic-go: `internal/congestion/cubic_sender.go`, `mtu_discoverer.go`, `internal/protocol/params.go`.
  static let server = QuicStack(
    initialWindow: 32, paces: true, datagram: 1_252, probes: [1_352, 1_402, 1_427, 1_439], pause: 5,
    firstRoundTrip: (100_000_000, 25_000_000), noticesPersistentCongestion: false)
  /// ngtcp2: `lib/ngtcp2_cc.c`, `lib/ngtcp2_pmtud.c`.
  static let client = QuicStack(
    initialWindow: 10, paces: false, datagram: 1_200, probes: [1_406, 1_444], pause: 0,
    firstRoundTrip: (QuicRoundTrip.initial, QuicRoundTrip.initial / 2), noticesPersistentCongestion: true)
}
