extension Bbr {
  /// Estimates ACK aggregation: segments acknowledged beyond the bandwidth's share (`bbr_update_ack_aggregation`).
  ///
  /// Links such as Wi-Fi aggregate acknowledgements. A window of only the bandwidth-delay product would then run out
  /// before the next acknowledgement.
  struct Aggregation: Sendable {
    /// The largest excess is kept over two periods of this many rounds each.
    private static let halfLife = 5
    /// The upper limit of the allowance: the segments that the bandwidth delivers in this many microseconds.
    private static let most: Int64 = 100_000
    /// A new epoch begins at this many acknowledged segments.
    private static let longest: Int64 = 1 << 20

    private var since: Int64 = 0
    private var acknowledged: Int64 = 0
    private var greatest: (Int, Int) = (0, 0)
    private var isSecondHalf = false
    private var rounds = 0

    mutating func restart(at now: Int64) {
      since = now
      acknowledged = 0
    }

    mutating func take(
      _ newly: Int, at time: Int64, bandwidth: Int64, window: Int, startsRound: Bool
    ) {
      if startsRound {
        rounds += 1
        if rounds >= Self.halfLife {
          rounds = 0
          isSecondHalf.toggle()
          keep(0)
        }
      }
      var expected = Int64(clamping: (Int128(bandwidth) * Int128((time - since) / 1_000)) >> 24)
      if acknowledged <= expected || acknowledged + Int64(newly) >= Self.longest {
        restart(at: time)
        expected = 0
      }
      acknowledged += Int64(newly)
      let excess = Int(min(acknowledged - expected, Int64(window)))
      if excess > (isSecondHalf ? greatest.1 : greatest.0) { keep(excess) }
    }

    private mutating func keep(_ excess: Int) {
      if isSecondHalf { greatest.1 = excess } else { greatest.0 = excess }
    }

    /// The segments to add to the congestion window.
    func allowance(bandwidth: Int64) -> Int {
      min(max(greatest.0, greatest.1), Int(clamping: (Int128(bandwidth) * Int128(Self.most)) >> 24))
    }
  }
}
