/// How an implementation of QUIC behaves where the standards leave it a choice.
///
/// Servers are taken for quic-go 0.29 as in Caddy 2.6, and clients for ngtcp2 as in curl 8: measured on the wire, and as their
/// sources say. Apple's own client was never measured.
struct QuicStack: Sendable {
  let isClient: Bool
  /// The congestion window at the beginning, in packets (RFC 9002, section 7.2, recommends 10).
  let initialWindow: Int
  let pacing: QuicPacer.Kind
  /// The payload of a full datagram at first (RFC 9000, section 14.1, asks for 1,200).
  let datagram: Int64
  /// The greater payloads that are tried, one after another (RFC 8899): those of a list, or always the middle between the
  /// greatest that is known to pass and the least that is known not to (quic-go, `mtu_discoverer.go`).
  let probes: [Int64]
  let greatestDatagram: Int64
  /// How many round trips after the one before the next is tried.
  let pause: Int64
  /// The round trip that is assumed before one is measured, and how much it is taken to vary.
  let firstRoundTrip: (smoothed: Int64, variation: Int64)
  /// Whether losses over a long time bring the window down to the least (RFC 9002, section 7.6).
  let noticesPersistentCongestion: Bool
  /// Whether a packet counts as lost only once half as many later ones as are in flight have arrived, where that is more than
  /// three (RFC 9002, section 6.1.1, allows it).
  let adaptsThreshold: Bool
  /// Whether a reduction begins at what was under way, where that is less than half of the window (RFC 9438, section 4.6).
  let heedsFlight: Bool
  /// Whether the window grows by the bytes that have arrived, or by a full packet for each, however small (quic-go).
  let countsBytes: Bool
  /// Whether round trips are taken without the delay of their acknowledgements everywhere (quic-go, `rtt_stats.go`).
  let adjustsLatest: Bool
  /// Whether the first packet of the application is acknowledged at once (quic-go, `maybeQueueAck`).
  let acknowledgesFirst: Bool
  /// Whether acknowledgements are put off by an eighth of a round trip, if that is less than 25 ms (ngtcp2,
  /// `conn_compute_ack_delay`).
  let acknowledgesSooner: Bool
  /// What part of the time that both ends compute during the handshake it takes, in quarters: a server signs, and was seen to
  /// take 1.1 ms where its client took 0.4 ms.
  let computes: Int64

  /// The next payload to try, where so much passes and so much does not; nothing where the search is over.
  func probe(after size: Int64, below tooLarge: Int64) -> Int64? {
    if greatestDatagram < .max { return tooLarge - size > 21 ? (tooLarge + size) / 2 : nil }
    return probes.first { $0 > size && $0 < tooLarge }
  }

  /// quic-go: `internal/congestion/cubic_sender.go`, `mtu_discoverer.go`, `internal/protocol/params.go`.
  static let server = QuicStack(
    isClient: false, initialWindow: 32, pacing: .bucket, datagram: 1_252, probes: [],
    greatestDatagram: 1_452, pause: 5,
    firstRoundTrip: (100_000_000, 25_000_000), noticesPersistentCongestion: false, adaptsThreshold: false,
    heedsFlight: false, countsBytes: false, adjustsLatest: true, acknowledgesFirst: true, acknowledgesSooner: false,
    computes: 3)
  /// ngtcp2: `lib/ngtcp2_cc.c`, `lib/ngtcp2_rtb.c`, `lib/ngtcp2_pmtud.c`.
  static let client = QuicStack(
    isClient: true, initialWindow: 10, pacing: .bursts, datagram: 1_200, probes: [1_406, 1_444],
    greatestDatagram: .max, pause: 0,
    firstRoundTrip: (QuicRoundTrip.initial, QuicRoundTrip.initial / 2), noticesPersistentCongestion: true,
    adaptsThreshold: true, heedsFlight: true, countsBytes: true, adjustsLatest: false, acknowledgesFirst: false,
    acknowledgesSooner: true,
    computes: 1)
}
