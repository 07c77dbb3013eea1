extension Bbr {
  /// Detects a policer, which passes bursts and then drops what exceeds its rate (`bbr_lt_bw_sampling`).
  struct PolicerEstimate: Sendable {
    enum Result {
      case nothing
      /// Two intervals had the same rate, so BBR now uses it as the bandwidth.
      case found
      /// BBR has used the policer's rate long enough, and probes for bandwidth again.
      case given
    }

    private static let leastRounds = 4
    private static let mostRounds = 48
    /// The smallest share of lost segments that suggests a policer, in 256ths.
    private static let lossThreshold: Int64 = 50
    /// Rates count as equal if they differ by an eighth at most, or by `likeRates` bytes per second.
    private static let likeness: Int64 = 8
    private static let likeRates: Int64 = 500

    private(set) var bandwidth: Int64 = 0
    private(set) var isUsed = false
    private var isSampling = false
    private var rounds = 0
    private var since: Int64 = 0
    private var delivered: Int64 = 0
    private var lost: Int64 = 0

    mutating func sample(
      losses: Int, isLimited: Bool, startsRound: Bool, isProbing: Bool, at time: Int64,
      delivered: Int64, lost: Int64
    ) -> Result {
      if isUsed {
        guard isProbing, startsRound else { return .nothing }
        rounds += 1
        guard rounds >= Self.mostRounds else { return .nothing }
        self = PolicerEstimate()
        return .given
      }
      if !isSampling {
        if losses == 0 { return .nothing }
        begin(at: time, delivered: delivered, lost: lost)
        isSampling = true
      }
      if isLimited {
        self = PolicerEstimate()
        return .nothing
      }
      if startsRound { rounds += 1 }
      if rounds < Self.leastRounds { return .nothing }
      if rounds > 4 * Self.leastRounds {
        self = PolicerEstimate()
        return .nothing
      }
      guard losses > 0 else { return .nothing }
      let gained = delivered - self.delivered
      guard gained > 0, (lost - self.lost) << 8 >= Self.lossThreshold * gained else {
        return .nothing
      }
      let milliseconds = time / 1_000_000 - since / 1_000_000
      guard milliseconds >= 1 else { return .nothing }
      return intervalEnded(
        gained << 24 / (milliseconds * 1_000), at: time, delivered: delivered, lost: lost)
    }

    private mutating func intervalEnded(_ new: Int64, at time: Int64, delivered: Int64, lost: Int64)
      -> Result
    {
      if bandwidth > 0 {
        let difference = abs(new - bandwidth)
        if difference * Self.likeness <= bandwidth
          || bytesPerSecond(difference, gain: unit) <= Self.likeRates
        {
          bandwidth = (new + bandwidth) >> 1
          isUsed = true
          rounds = 0
          return .found
        }
      }
      bandwidth = new
      begin(at: time, delivered: delivered, lost: lost)
      return .nothing
    }

    private mutating func begin(at time: Int64, delivered: Int64, lost: Int64) {
      since = time
      self.delivered = delivered
      self.lost = lost
      rounds = 0
    }
  }
}
