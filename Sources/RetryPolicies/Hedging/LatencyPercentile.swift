import Internals

/// A percentile of how long attempts to a server take: after that another one is worth sending.
///
/// It is the longest of the first attempts, and then moves with each attempt: up by a tenth times the percentile where that took
/// longer, and down by a tenth times the rest where it did not. So it settles where as many take longer as the percentile leaves,
/// and follows a server that becomes slow (Ma, Muthukrishnan and Sandler, "Frugal streaming for estimating quantiles", 2013). It
/// need not know how long an attempt would have taken that was given up because a hedge was quicker.
///
/// One instance is shared by all requests of a client; each server has a percentile of its own.
public final class LatencyPercentile: Sendable {
  private struct Estimate {
    var count = 0
    var nanoseconds = 1.0
  }

  private static let step = 0.1
  /// Which one, above 0 and below 100, to three decimals.
  public let percentile: Double
  /// Of so many attempts one is expected beyond it.
  private let least: Int
  private let estimates = Mutex<[String: Estimate]>([:])
  /// More servers than this are not remembered: those that answered least are forgotten.
  static let mostServers = 1_000

  /// Creates one that has seen nothing.
  public init(_ percentile: Double = 95) {
    precondition((0.001...99.999).contains(percentile), "a percentile is above 0 and below 100")
    self.percentile = percentile
    let thousandths = Int((percentile * 1_000).rounded())
    least = (100_000 + 99_999 - thousandths) / (100_000 - thousandths)
  }

  /// The percentile; `nil` until so many attempts were answered that one is expected beyond it.
  public func time(host: String = "") -> Duration? {
    guard let estimate = estimates.withLock({ $0[host] }), estimate.count >= least else { return nil }
    return .nanoseconds(Int64(estimate.nanoseconds))
  }

  /// Learns how long an attempt took, and whether it was answered.
  ///
  /// One that was not, as it failed or was given up, counts where it lasted longer than the percentile: then it is beyond that in
  /// any case.
  public func record(_ time: Duration, isAnswered: Bool = true, host: String = "") {
    let time = Double(time.wholeNanoseconds)
    estimates.withLock { estimates in
      var estimate = estimates[host] ?? Estimate()
      if estimate.count < least {
        guard isAnswered else { return }
        estimate.count += 1
        estimate.nanoseconds = max(estimate.nanoseconds, time)
      } else if time > estimate.nanoseconds {
        estimate.nanoseconds = min(estimate.nanoseconds * (1 + Self.step * percentile / 100), 1e18)
      } else if isAnswered {
        estimate.nanoseconds = max(1, estimate.nanoseconds * (1 - Self.step * (1 - percentile / 100)))
      }
      estimates[host] = estimate
      estimates.forgetLeast(beyond: Self.mostServers, except: host, by: \.count)
    }
  }

  /// How many servers are remembered.
  var serverCount: Int { estimates.withLock { $0.count } }
}
