import Internals

/// Estimates a percentile of the latency of each server, after which a hedge is worth sending.
///
/// The estimate begins as the longest of the first attempts. Then a longer attempt raises it by 5 % x p, and any other lowers
/// it by 5 % x (1 - p), where p is the percentile as a share. So it converges to the percentile and follows a server that
/// becomes slow (Ma, Muthukrishnan and Sandler, "Frugal streaming for estimating quantiles", 2013). It needs no exact time
/// for an attempt that a quicker hedge cut short.
///
/// All requests of a client share one instance, which estimates each server separately.
public final class LatencyPercentile: Sendable {
  private struct Estimate {
    var count = 0
    var nanoseconds = 1.0
  }

  private static let step = 0.05
  /// The longest estimate in nanoseconds, 31 years.
  private static let longest = 1e18
  /// The percentile, above 0 and below 100; three decimals count.
  public let percentile: Double
  /// The fewest attempts needed: of this many, two are expected to be slower than the percentile.
  private let least: Int
  private let estimates = Mutex<[String: Estimate]>([:])

  /// Creates an estimate without any samples.
  public init(_ percentile: Double = 95) {
    precondition((0.001...99.999).contains(percentile), "a percentile is above 0 and below 100")
    self.percentile = percentile
    let thousandths = Int((percentile * 1_000).rounded())
    least = (200_000 + 99_999 - thousandths) / (100_000 - thousandths)
  }

  /// Returns the estimate; `nil` until there are enough samples to expect two above the percentile.
  public func time(host: String = "") -> Duration? {
    guard let estimate = estimates.withLock({ $0[host] }), estimate.count >= least else { return nil }
    return .nanoseconds(Int64(estimate.nanoseconds.rounded()))
  }

  /// Adds the latency of an attempt; `nil` for an attempt that was cut short after the percentile.
  public func record(_ time: Duration?, host: String = "") {
    let time = time.map { Double($0.wholeNanoseconds) }
    estimates.withLock { estimates in
      var estimate = estimates[host] ?? Estimate()
      if estimate.count < least {
        guard let time else { return }
        estimate.count += 1
        estimate.nanoseconds = min(max(estimate.nanoseconds, time), Self.longest)
      } else if time ?? .infinity > estimate.nanoseconds {
        estimate.nanoseconds = min(estimate.nanoseconds * (1 + Self.step * percentile / 100), Self.longest)
      } else {
        estimate.nanoseconds = max(1, estimate.nanoseconds * (1 - Self.step * (1 - percentile / 100)))
      }
      estimates[host] = estimate
      estimates.forgetLeast(except: host, by: \.count)
    }
  }

  var serverCount: Int { estimates.withLock { $0.count } }
}
