/// The behaviour of a QUIC implementation where the standards leave a choice.
///
/// Servers behave as quic-go 0.29 in Caddy 2.6, clients as ngtcp2 in curl 8. The values come from their sources and
/// from measurements on the wire. Apple's client was never measured.
struct QuicStack: Sendable {
  let isClient: Bool
  /// The initial congestion window in packets (RFC 9002, section 7.2, recommends 10).
  let initialWindow: Int
  let pacing: QuicPacer.Kind
  /// The initial payload of a full datagram (RFC 9000, section 14.1, requires at least 1,200).
  let datagram: Int64
  /// The larger payloads to try as path MTU probes, in this order (RFC 8899).
  ///
  /// Empty for a binary search between the largest known to pass and the smallest known to fail (quic-go,
  /// `mtu_discoverer.go`).
  let probes: [Int64]
  let greatestDatagram: Int64
  /// How many round trips to wait between path MTU probes.
  let pause: Int64
  /// The assumed round trip and its variation before the first sample, in nanoseconds.
  let firstRoundTrip: (smoothed: Int64, variation: Int64)
  /// Whether persistent congestion reduces the window to the minimum (RFC 9002, section 7.6).
  let noticesPersistentCongestion: Bool
  /// Whether the packet threshold grows to half the packets in flight, at least three (RFC 9002, 6.1.1, allows it).
  let adaptsThreshold: Bool
  /// Whether a loss in a hardly used window reduces it to the packets in flight (RFC 9438, section 4.6).
  ///
  /// The window counts as hardly used if less than half of it was acknowledged in the last round trip.
  let heedsFlight: Bool
  /// Whether the window grows by acknowledged bytes; otherwise each packet counts as a full one (quic-go).
  let countsBytes: Bool
  /// Whether round trips always exclude the acknowledgement delay (quic-go, `rtt_stats.go`).
  let adjustsLatest: Bool
  /// Whether the first 1-RTT packet is acknowledged at once (quic-go, `maybeQueueAck`).
  let acknowledgesFirst: Bool
  /// Whether acknowledgements wait an eighth of the round trip, at most 25 ms (ngtcp2, `conn_compute_ack_delay`).
  let acknowledgesSooner: Bool
  /// This end's share of the handshake's computing time, in quarters.
  ///
  /// A server signs: it took 1.1 ms where its client took 0.4 ms.
  let computes: Int64

  /// The initial payload of a server's full datagram, in bytes.
  static let serverDatagram: Int64 = 1_252

  /// The next payload for a path MTU probe; `nil` when the search has ended.
  func probe(after size: Int64, below tooLarge: Int64) -> Int64? {
    if greatestDatagram < .max { return tooLarge - size > 21 ? (tooLarge + size) / 2 : nil }
    return probes.first { $0 > size && $0 < tooLarge }
  }

  /// A server as quic-go: `internal/congestion/cubic_sender.go`, `mtu_discoverer.go`, `internal/protocol/params.go`.
  static let server = QuicStack(
    isClient: false, initialWindow: 32, pacing: .bucket, datagram: serverDatagram, probes: [],
    greatestDatagram: 1_452, pause: 5,
    firstRoundTrip: (100_000_000, 25_000_000), noticesPersistentCongestion: false, adaptsThreshold: false,
    heedsFlight: false, countsBytes: false, adjustsLatest: true, acknowledgesFirst: true, acknowledgesSooner: false,
    computes: 3)
  /// A client as ngtcp2: `lib/ngtcp2_cc.c`, `lib/ngtcp2_rtb.c`, `lib/ngtcp2_pmtud.c`.
  static let client = QuicStack(
    isClient: true, initialWindow: 10, pacing: .bursts, datagram: 1_200, probes: [1_406, 1_444],
    greatestDatagram: .max, pause: 0,
    firstRoundTrip: (QuicRoundTrip.initial, QuicRoundTrip.initial / 2), noticesPersistentCongestion: true,
    adaptsThreshold: true, heedsFlight: true, countsBytes: true, adjustsLatest: false, acknowledgesFirst: false,
    acknowledgesSooner: true,
    computes: 1)
}
