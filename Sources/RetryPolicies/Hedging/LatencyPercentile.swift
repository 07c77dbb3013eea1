import Internals

/// A percentile of how long attempts to a server take: after that another one is worth sending.
///
/// It begins as the longest of the first attempts. Then each attempt moves it: up by a twentieth of the percentile where it took
/// longer, down by a twentieth of the rest where it did not. So it settles where as many take longer as the percentile leaves, and
/// follows a server that becomes slow (Ma, Muthukrishnan and Sandler, "Frugal streaming for estimating quantiles", 2013). It need
/// not know how long an attempt would have taken that was given up because a hedge was quicker.
///
/// One instance is shared by all requests of a client; each server has a percentile of its own.
public final class LatencyPercentile: Sendable {
  private struct Estimate {
    var count = 0
    var nanoseconds = 1.0
  }

  private static let step = 0.05
  /// Which one, above 0 and below 100, to three decimals.
  public let percentile: Double
  /// Of so many attempts two are expected beyond it.
  private let least: Int
  private let estimates = Mutex<[String: Estimate]>([:])
  /// More servers than this are not remembered: those that answered least are forgotten.
  static let mostServers = 1_000

  /// Creates one that has seen nothing.
  public init(_ percentile: Double = 95) {
    precondition((0.001...99.999).contains(percentile), "a percentile is above 0 and below 100")
    self.percentile = percentile
    let thousandths = Int((percentile * 1_000).rounded())
    least = (200_000 + 99_999 - thousandths) / (100_000 - thousandths)
  }

  /// The percentile; `nil` until so many attempts were answered that two are expected beyond it.
  public func time(host: String = "") -> Duration? {
    guard let estimate = estimates.withLock({ $0[host] }), estimate.count >= least else { return nil }
    return .nanoseconds(Int64(estimate.nanoseconds.rounded()))
  }

  /// Learns how long an attempt took until its answer; `nil` is one that is only known to take longer than the percentile.
  public func record(_ time: Duration?, host: String = "") {
    let time = time.map { Double($0.wholeNanoseconds) }
    estimates.withLock { estimates in
      var estimate = estimates[host] ?? Estimate()
      if estimate.count < least {
        guard let time else { return }
        estimate.count += 1
        estimate.nanoseconds = max(estimate.nanoseconds, time)
      } else if time ?? .infinity > estimate.nanoseconds {
        estimate.nanoseconds = min(estimate.nanoseconds * (1 + Self.step * percentile / 100), 1e18)
      } else {
        estimate.nanoseconds = max(1, estimate.nanoseconds * (1 - Self.step * (1 - percentile / 100)))
      }
      estimates[host] = estimate
      estimates.forgetLeast(beyond: Self.mostServers, except: host, by: \.count)
    }
  }

  /// How many servers are remembered.
  var serverCount: Int { estimates.withLock { $0.count } }
}
