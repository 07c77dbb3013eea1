public import LinkSimulator

/// The promises of a netem line, and a check whether a simulated link keeps them.
///
/// Each figure has a 99 % interval: 2.576 standard errors around the promised value.
public struct NetemCheck: Sendable {
  /// A measured figure and its expected value.
  public struct Finding: Sendable {
    /// The name of the figure.
    public let what: String
    /// The measured value.
    public let measured: Double
    /// The value that the line promises.
    public let expected: Double
    /// The largest allowed difference: half of the 99 % interval.
    public let bound: Double

    /// Whether the figure lies within its interval.
    public var holds: Bool { (measured - expected).magnitude <= bound }
  }

  /// The mean loss.
  public var loss = 0.0
  /// The mean length of a loss burst in packets, and its standard deviation.
  public var burst: (mean: Double, deviation: Double)?
  /// The variance of the loss share, relative to that of independent losses.
  public var variance = 1.0
  /// The delay and its standard deviation in milliseconds, and the delay's kurtosis.
  public var delay: (mean: Double, deviation: Double, kurtosis: Double)?
  /// The correlation of a delay's deviation with the previous one.
  public var correlation = 0.0
  /// The rate in bits per second.
  public var rate: Double?

  private static let quantile = 2.576
  private static let packetBytes: Int32 = 1_500

  /// Lines with their promises.
  ///
  /// A chain with p and r has the mean loss p / (p + r) and bursts of geometric length with mean 1 / r. Its states have
  /// the correlation 1 - p - r. So its loss share has (2 - p - r) / (p + r) times the variance of independent packets.
  /// A uniform deviation within ±20 ms has the standard deviation 20 / root 3 and the kurtosis 9 / 5.
  public static let lines: [(String, NetemCheck)] = [
    ("loss 2%", NetemCheck(loss: 0.02, burst: (1 / 0.98, (0.02).squareRoot() / 0.98))),
    (
      "loss gemodel 1% 10%",
      NetemCheck(loss: 1.0 / 11, burst: (10, (0.9).squareRoot() * 10), variance: (2 - 0.11) / 0.11)
    ),
    // The states lose 70 % and 0.1 %, with weights of 1/11 and 10/11.
    (
      "loss gemodel 1% 10% 70% 0.1%",
      NetemCheck(loss: 0.7 / 11 + 0.001 * 10 / 11, variance: (2 - 0.11) / 0.11)
    ),
    (
      "loss state 1% 25%",
      NetemCheck(loss: 1.0 / 26, burst: (4, (0.75).squareRoot() * 4), variance: (2 - 0.26) / 0.26)
    ),
    ("delay 100ms 20ms", NetemCheck(delay: (100, 20 / 3.0.squareRoot(), 1.8))),
    // The sum of twelve uniform numbers has the kurtosis 3 - 1.2 / 12.
    ("delay 100ms 20ms distribution normal", NetemCheck(delay: (100, 20, 2.9))),
    ("delay 100ms 20ms 25% distribution normal", NetemCheck(delay: (100, 20, 2.9), correlation: 0.25)),
    ("rate 1mbit", NetemCheck(rate: 1e6)),
    ("delay 30ms rate 5kbps", NetemCheck(rate: 40_000)),
  ]

  /// Sends packets over a link and checks each promise.
  public func findings(_ link: LinkConditions, packets: Int, seed: UInt64) -> [Finding] {
    // One by one for delays; all at once for a rate, so that the link is never idle.
    var link = link
    if rate != nil { link.queue = packets }
    var probe = LinkProbe(link, seed: seed)
    let gap: Int64 = rate == nil ? 1_000_000 : 0
    var tally = Tally()
    for number in 0..<packets {
      probe.send(bytes: Self.packetBytes, at: Int64(number) * gap)
      probe.drain(until: Int64(number) * gap) { tally.take($0, gap: gap) }
    }
    probe.drain(until: .max - 1) { tally.take($0, gap: gap) }
    return findings(tally, packets: Double(packets), delayOf: link)
  }

  private func findings(_ tally: Tally, packets: Double, delayOf link: LinkConditions) -> [Finding] {
    var findings: [Finding] = []
    func add(_ what: String, _ measured: Double, _ expected: Double, _ error: Double) {
      findings.append(Finding(what: what, measured: measured, expected: expected, bound: Self.quantile * error))
    }
    if loss > 0 {
      let share = Double(tally.lost.count) / packets
      add("mean loss", share, loss, (loss * (1 - loss) * variance / packets).squareRoot())
    }
    if let burst {
      let (count, total) = tally.bursts
      add("mean burst", total / count, burst.mean, burst.deviation / count.squareRoot())
    }
    if let delay {
      let (mean, deviation, count) = tally.delay
      let repeats = ((1 + correlation) / (1 - correlation)).squareRoot()
      add("delay, ms", mean, delay.mean, delay.deviation * repeats / count.squareRoot())
      // If deviations have the correlation c, their squares have the correlation c squared.
      let squares = ((1 + correlation * correlation) / (1 - correlation * correlation)).squareRoot()
      let error = delay.deviation * ((delay.kurtosis - 1) / 4).squareRoot() * squares / count.squareRoot()
      add("its deviation, ms", deviation, delay.deviation, error)
    }
    if let rate {
      let span = Double(tally.latest - link.delay.wholeNanoseconds) / 1e9
      let measured = packets * Double(Self.packetBytes) * 8 / span
      // The rate is deterministic: only rounding each packet up to a nanosecond adds an error.
      findings.append(Finding(what: "rate, bit/s", measured: measured, expected: rate, bound: rate * 1e-6))
    }
    return findings
  }

  /// Adds up the outcomes of all packets.
  private struct Tally {
    var lost = Set<Int>()
    var latest: Int64 = 0
    private var count = 0.0
    private var sum = 0.0
    private var squares = 0.0

    mutating func take(_ outcome: LinkProbe.Outcome, gap: Int64) {
      if outcome.isLost {
        lost.insert(outcome.number)
      } else {
        latest = max(latest, outcome.time)
        // Relative to 100 ms, so that the sum of squares keeps its precision.
        let milliseconds = Double(outcome.time - Int64(outcome.number) * gap) / 1e6 - 100
        count += 1
        sum += milliseconds
        squares += milliseconds * milliseconds
      }
    }

    var delay: (mean: Double, deviation: Double, count: Double) {
      let mean = sum / count
      return (mean + 100, (squares / count - mean * mean).squareRoot(), count)
    }

    var bursts: (count: Double, total: Double) {
      (Double(lost.count { !lost.contains($0 - 1) }), Double(lost.count))
    }
  }
}
