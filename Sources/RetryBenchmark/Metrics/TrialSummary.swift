import LinkSimulator

/// The few numbers of one trial that are kept by its seed.
///
/// Everything that a report prints is made of these, since the seed is the unit: how far trials differ is how uncertain a
/// figure is, and policies are compared seed by seed.
public struct TrialSummary: Hashable, Sendable, Codable {
  /// The seed.
  public internal(set) var seed: UInt64
  /// How many requests there were.
  public let requests: Int
  /// How many of them were answered with a success.
  public let successes: Int
  /// How long callers waited, for answers and for failures together.
  public let waited: Duration
  /// How many attempts there were.
  public let attempts: Int
  /// The bytes of all attempts, both ways, as the link carried them.
  public let bytes: Int
  /// The bytes, both ways, of attempts that brought nothing.
  public let wastedBytes: Int
  /// How long radios were on: during attempts, and for ``radioTail`` after each.
  public let radio: Duration
  /// How many requests that are not idempotent the server carried out more than once, whatever their callers learnt.
  public let repeatedEffects: Int
  /// How many of those that it carried out were reported to their callers as failed.
  public let unreportedEffects: Int
  /// The most attempts that started in one second.
  public let busiest: Int
  /// How many attempts started within ``recoveryTime`` after the ends of outages.
  public let recoveryAttempts: Int
  /// How long that was, as far as anybody still waited and no other outage came.
  public let recoveryTime: Duration
  /// The times of the successes, in bins of a ``QuantileSketch``.
  public let answers: CountHistogram
  /// The times after which the others were given up.
  public let failures: CountHistogram

  /// How long a radio stays on after its last packet: LTE's tail (Huang et al., "A close examination of performance and
  /// power characteristics of 4G LTE networks", MobiSys 2012, table 3).
  public static let radioTail = Duration.milliseconds(11_576)
  /// For how long after an outage a server is taken to recover.
  public static let recoveryWindow = Duration.seconds(10)

  /// Sums a trial up.
  init(_ trial: TrialRecord) {
    seed = trial.seed
    requests = trial.requests.count
    let all = trial.requests.flatMap(\.attempts)
    successes = trial.requests.count(where: \.isSuccess)
    waited = trial.requests.reduce(.zero) { $0 + $1.end - $1.start }
    attempts = all.count
    var traffic = Traffic()
    for request in trial.requests { traffic.add(request) }
    bytes = traffic.sent + traffic.received
    wastedBytes = traffic.wastedSent + traffic.wastedReceived
    radio = Dictionary(grouping: trial.requests, by: \.client).values.reduce(.zero) { $0 + Self.radioTime($1) }
    let effects = trial.requests.filter { !$0.isIdempotent }.map {
      ($0.isSuccess, $0.attempts.count(where: \.wasProcessed))
    }
    repeatedEffects = effects.count { $0.1 > 1 }
    unreportedEffects = effects.count { !$0.0 && $0.1 > 0 }
    var seconds = CountHistogram()
    for attempt in all { seconds.add(attempt.start.count(of: .seconds(1))) }
    busiest = seconds.entries.map(\.count).max() ?? 0
    var (answers, failures) = (CountHistogram(), CountHistogram())
    for request in trial.requests {
      let bin = QuantileSketch.bin(of: request.end - request.start)
      if request.isSuccess { answers.add(bin) } else { failures.add(bin) }
    }
    (self.answers, self.failures) = (answers, failures)
    let windows = Self.recoveries(trial)
    recoveryTime = windows.reduce(.zero) { $0 + $1.upperBound - $1.lowerBound }
    recoveryAttempts = windows.isEmpty ? 0 : all.count { one in windows.contains { $0.contains(one.start) } }
  }

  /// How long the radio of one client was on.
  private static func radioTime(_ requests: [RequestRecord]) -> Duration {
    var (sum, end) = (Duration.zero, Duration.zero)
    for attempt in requests.flatMap(\.attempts).sorted(by: { $0.start < $1.start }) {
      let off = attempt.end + radioTail
      if off > end { sum += off - max(end, attempt.start) }
      end = max(end, off)
    }
    return sum
  }

  /// The times after outages in which servers recover, apart from each other.
  private static func recoveries(_ trial: TrialRecord) -> [Range<Duration>] {
    let last = trial.requests.map(\.end).max() ?? .zero
    return trial.outages.enumerated().compactMap { index, outage in
      let next = index + 1 < trial.outages.count ? trial.outages[index + 1].lowerBound : last
      let end = min(outage.upperBound + recoveryWindow, next, last)
      return outage.upperBound < end ? outage.upperBound..<end : nil
    }
  }

  /// A figure that policies are judged by: a ratio of two sums over all trials.
  public enum Measure: String, Hashable, Sendable, CaseIterable, Codable {
    /// Requests that were answered with a success, of all.
    case successRate
    /// Attempts per request: how many times the load that callers asked for reached the network.
    case amplification
    /// Seconds that callers waited per answer, those included for which none came.
    case wait
    /// Attempts per answer.
    case attemptsPerAnswer
    /// Bytes per answer, both ways, of all attempts.
    case bytesPerAnswer
    /// Seconds that radios were on per answer.
    case radioPerAnswer
    /// Bytes per request of attempts that brought nothing.
    case wastedBytes
    /// Requests that are not idempotent and were carried out more than once, of all.
    case repeatedEffects
    /// Requests that are not idempotent, were carried out, and were reported as failed, of all.
    case unreportedEffects
    /// Attempts in a trial's busiest second.
    case busiestSecond
    /// Attempts per second while the server recovered from an outage.
    case recoveryLoad

    /// Whether it is a share of all requests.
    var isShare: Bool { [.successRate, .repeatedEffects, .unreportedEffects].contains(self) }

    /// How many requests an interval takes, of a fifteenth as many seeds, and of 30.
    ///
    /// They leave room for the few that make up much of a sum, such as an answer whose every packet was sent ten times. Seeds
    /// that have not met one cannot tell that they are too few, so that no look at them would do (Bahadur and Savage, "The
    /// nonexistence of certain statistical procedures in nonparametric problems", 1956). `Benchmarks retry-coverage` shows
    /// that so many do.
    private var leastRequests: Int {
      switch self {
      case .successRate, .repeatedEffects, .unreportedEffects: 0
      case .amplification, .attemptsPerAnswer, .busiestSecond, .recoveryLoad: 200
      case .wait, .radioPerAnswer: 500
      case .bytesPerAnswer, .wastedBytes: 3_000
      }
    }

    /// The same of the difference of a pair, in which all that is usual cancels out; 0 of what each request adds to.
    private var leastPairedRequests: Int {
      switch self {
      case .successRate, .repeatedEffects, .unreportedEffects, .amplification, .busiestSecond: 0
      case .recoveryLoad: 500
      case .attemptsPerAnswer, .wait, .radioPerAnswer: 5_000
      // A quarter of it was seen to be too few where nearly all are answered at once.
      case .bytesPerAnswer, .wastedBytes: 100_000
      }
    }

    /// How many seeds an interval takes, with as many requests in each; `nil` where these are enough.
    func seedsNeeded(of seeds: Int, requests: Int, isPaired: Bool = false) -> Int? {
      let least = isPaired ? leastPairedRequests : leastRequests
      guard least > 0, requests > 0 else { return nil }
      let needed = max(30, least / 15, (least * seeds + requests - 1) / requests)
      return seeds < needed ? needed : nil
    }
  }

  /// A measure of this trial, as the upper and the lower number of a ratio.
  func parts(of measure: Measure) -> (upper: Double, lower: Double) {
    switch measure {
    case .successRate: (Double(successes), Double(requests))
    case .amplification: (Double(attempts), Double(requests))
    case .wait: (waited.inSeconds, Double(successes))
    case .attemptsPerAnswer: (Double(attempts), Double(successes))
    case .bytesPerAnswer: (Double(bytes), Double(successes))
    case .radioPerAnswer: (radio.inSeconds, Double(successes))
    case .wastedBytes: (Double(wastedBytes), Double(requests))
    case .repeatedEffects: (Double(repeatedEffects), Double(requests))
    case .unreportedEffects: (Double(unreportedEffects), Double(requests))
    case .busiestSecond: (Double(busiest), 1)
    case .recoveryLoad: (Double(recoveryAttempts), recoveryTime.inSeconds)
    }
  }

  /// A measure of this trial; `nil` where there is nothing to measure.
  public subscript(measure: Measure) -> Double? {
    let (upper, lower) = parts(of: measure)
    return lower > 0 ? upper / lower : nil
  }

  /// The reason why it is impossible, in words; `nil` when there is none.
  var problem: String? {
    let counts = [
      requests, successes, attempts, bytes, wastedBytes, repeatedEffects, unreportedEffects, busiest, recoveryAttempts,
      Int(clamping: waited.wholeNanoseconds), Int(clamping: radio.wholeNanoseconds),
      Int(clamping: recoveryTime.wholeNanoseconds),
    ]
    if let wrong = counts.first(where: { $0 < 0 }) {
      return "something is counted \(wrong) times; a count is 0 or more"
    }
    if max(repeatedEffects, unreportedEffects) > requests {
      return
        "of \(requests) requests \(repeatedEffects) were carried out twice and \(unreportedEffects) reported as failed"
    }
    if successes > requests { return "\(successes) of \(requests) requests succeeded" }
    if answers.total != successes || failures.total != requests - successes {
      return "it has times of \(answers.total) answers and \(failures.total) failures, of \(successes) in \(requests)"
    }
    let bins = 0...QuantileSketch.bin(of: Int64.max)
    if !(answers.entries + failures.entries).allSatisfy({ bins.contains($0.value) }) { return "it has times of no bin" }
    for (name, count) in [
      ("requests carried out twice", repeatedEffects), ("attempts in its busiest second", busiest),
      ("attempts after outages", recoveryAttempts),
    ] where count > attempts {
      return "it has \(count) \(name), of \(attempts) attempts"
    }
    return wastedBytes > bytes ? "it wasted \(wastedBytes) of \(bytes) bytes" : nil
  }
}
