/// The probes by which a sender asks whether its packets have arrived (RFC 9002, section 6.2).
struct QuicProbes: Sendable {
  /// How many timeouts have passed without an answer.
  private var timeouts = 0
  /// How many probes are still to be sent.
  private(set) var due = 0
  /// The space in which they are sent.
  private(set) var level = QuicLevel.initial
  /// When the probe of a client was put off that has nothing in flight.
  var waitsSince: Int64

  init(waitingSince time: Int64 = 0) { waitsSince = time }

  /// How long a timeout is, twice as long after each one without an answer (RFC 9002, section 6.2.1).
  func delay(of timeout: Int64) -> Int64 {
    // A year, twenty times doubled, is no time any more.
    let exponent = min(timeouts, 20)
    return timeout > Int64.max >> exponent ? .max : timeout << exponent
  }

  mutating func timedOut(at now: Int64) { (timeouts, waitsSince) = (timeouts + 1, now) }

  mutating func request(_ count: Int, in level: QuicLevel) { (due, self.level) = (count, level) }

  /// A packet leaves that asks for an acknowledgement.
  @inline(__always)
  mutating func sent(at now: Int64) {
    waitsSince = now
    if due > 0 { due -= 1 }
  }

  /// An acknowledgement has come; only from a peer that knows this address does it end the doubling.
  @inline(__always)
  mutating func answered(byKnown isKnown: Bool, at now: Int64) {
    if isKnown { timeouts = 0 }
    (due, waitsSince) = (0, now)
  }
}

/// The pieces in which an application hands its bytes over; all at once where one is `.max` long.
struct QuicPieces: Sendable {
  private let length: Int64
  /// How many bytes are handed over.
  private(set) var end: Int64

  init(of length: Int64) { (self.length, end) = (length, length) }

  /// Hands over the next piece, once no more is under way than 31 kB and a thirty-second of all.
  ///
  /// So does curl 8.23, as the packets of uploads of 4 MB over round trips of 50, 170 and 200 ms show, after each
  /// acknowledgement that leaves so much. Why is not known.
  mutating func handOver(sent: Int64, arrived: Int64) {
    if sent - arrived <= 31_000 + sent / 32 { end = end.saturatingAdd(length) }
  }
}
