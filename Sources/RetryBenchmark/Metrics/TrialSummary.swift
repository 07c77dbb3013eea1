import Internals
import LinkSimulator

/// The numbers of one trial that a report keeps under the trial's seed.
///
/// All figures of a report are made of these. The seed is the unit: the spread between trials gives a figure's
/// uncertainty, and policies are compared seed by seed.
public struct TrialSummary: Hashable, Sendable, Codable {
  /// The trial's seed.
  public package(set) var seed: UInt64
  /// The number of requests.
  public let requests: Int
  /// The number of requests that were answered with a success.
  public let successes: Int
  /// The sum of the times that callers waited for answers and for failures.
  public let waited: Duration
  /// The number of attempts of all requests.
  public let attempts: Int
  /// The bytes of all attempts on the link, in both directions.
  public let bytes: Int
  /// The bytes, in both directions, of attempts that did not make their request succeed.
  public let wastedBytes: Int
  /// How long the clients' radios were on: during attempts, and for ``radioTail`` after each.
  public let radio: Duration
  /// The number of non-idempotent requests that the server carried out more than once.
  public let repeatedEffects: Int
  /// The number of non-idempotent requests that the server carried out and that failed for their callers.
  public let unreportedEffects: Int
  /// The highest number of attempts that started in one second.
  public let busiest: Int
  /// The number of attempts that started within ``recoveryTime`` after the ends of outages.
  public let recoveryAttempts: Int
  /// The time after outages, up to ``recoveryWindow`` each, until the next outage or the last request's end.
  public let recoveryTime: Duration
  /// How long each successful request took, in bins of a ``QuantileSketch``.
  public let answers: CountHistogram
  /// How long each failed request took, in bins of a ``QuantileSketch``.
  public let failures: CountHistogram

  /// How long a radio stays on after its last packet: the tail of LTE.
  ///
  /// Source: Huang et al., "A close examination of performance and power characteristics of 4G LTE networks", MobiSys
  /// 2012, table 3.
  public static let radioTail = Duration.milliseconds(11_576)
  /// The longest time after an outage that counts as the server's recovery.
  public static let recoveryWindow = Duration.seconds(10)

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

  /// How long the radio of one client was on, given the client's requests.
  private static func radioTime(_ requests: [RequestRecord]) -> Duration {
    var (sum, end) = (Duration.zero, Duration.zero)
    for attempt in requests.flatMap(\.attempts).sorted(by: { $0.start < $1.start }) {
      let off = attempt.end + radioTail
      if off > end { sum += off - max(end, attempt.start) }
      end = max(end, off)
    }
    return sum
  }

  private static func recoveries(_ trial: TrialRecord) -> [Range<Duration>] {
    let last = trial.requests.map(\.end).max() ?? .zero
    return trial.outages.enumerated().compactMap { index, outage in
      let next = index + 1 < trial.outages.count ? trial.outages[index + 1].lowerBound : last
      let end = min(outage.upperBound + recoveryWindow, next, last)
      return outage.upperBound < end ? outage.upperBound..<end : nil
    }
  }

  /// A figure by which policies are compared: a ratio of two sums over all trials.
  public enum Measure: String, Hashable, Sendable, CaseIterable, Codable {
    /// The share of requests that were answered with a success.
    case successRate
    /// Attempts per request.
    case amplification
    /// Seconds that callers waited, also for requests that failed, per successful answer.
    case wait
    /// Attempts per successful answer.
    case attemptsPerAnswer
    /// Bytes of all attempts, in both directions, per successful answer.
    case bytesPerAnswer
    /// Seconds that radios were on, per successful answer.
    case radioPerAnswer
    /// Bytes per request, of attempts that did not make their request succeed.
    case wastedBytes
    /// The share of requests that are not idempotent and were carried out more than once.
    case repeatedEffects
    /// The share of requests that are not idempotent, were carried out, and failed for their callers.
    case unreportedEffects
    /// The highest number of attempts that started in one second of a trial.
    case busiestSecond
    /// Attempts per second while the server recovered from an outage.
    case recoveryLoad

    var isShare: Bool { [.successRate, .repeatedEffects, .unreportedEffects].contains(self) }

    /// The fewest requests for which an interval is given; it also needs a fifteenth as many seeds, and at least 30.
    ///
    /// A few requests can make up much of a sum, such as an answer whose every packet was sent ten times. Seeds without
    /// such a request cannot show that they are too few (Bahadur and Savage, "The nonexistence of certain statistical
    /// procedures in nonparametric problems", 1956). `Benchmarks retry-coverage` shows that these numbers suffice.
    private var leastRequests: Int {
      switch self {
      case .successRate, .repeatedEffects, .unreportedEffects: 0
      case .amplification, .attemptsPerAnswer, .busiestSecond, .recoveryLoad: 200
      case .wait, .radioPerAnswer: 500
      case .bytesPerAnswer, .wastedBytes: 3_000
      }
    }

    /// The fewest requests for an interval of a paired difference, in which common effects cancel; 0 is no minimum.
    private var leastPairedRequests: Int {
      switch self {
      case .successRate, .repeatedEffects, .unreportedEffects, .amplification, .busiestSecond: 0
      case .recoveryLoad: 500
      case .attemptsPerAnswer, .wait, .radioPerAnswer: 5_000
      // A quarter of this was too few in tests where nearly all requests are answered at once.
      case .bytesPerAnswer, .wastedBytes: 100_000
      }
    }

    /// How many seeds an interval needs, at the present requests per seed; `nil` if `seeds` are enough.
    func seedsNeeded(of seeds: Int, requests: Int, isPaired: Bool = false) -> Int? {
      let least = isPaired ? leastPairedRequests : leastRequests
      guard least > 0, requests > 0 else { return nil }
      let needed = max(30, least / 15, (least * seeds + requests - 1) / requests)
      return seeds < needed ? needed : nil
    }
  }

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

  /// The value of a measure in this trial; `nil` if the denominator is zero.
  public subscript(measure: Measure) -> Double? {
    let (upper, lower) = parts(of: measure)
    return lower > 0 ? upper / lower : nil
  }

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
      return
        "it has times of \(FigureText.count(answers.total, "answer")) and \(FigureText.count(failures.total, "failure")), "
        + "but \(successes) of \(FigureText.count(requests, "request")) succeeded"
    }
    let bins = 0...QuantileSketch.bin(of: Int64.max)
    if !(answers.entries + failures.entries).allSatisfy({ bins.contains($0.value) }) {
      return "it has times that belong to no bin"
    }
    for (name, count) in [
      ("requests carried out twice", repeatedEffects), ("attempts in its busiest second", busiest),
      ("attempts after outages", recoveryAttempts),
    ] where count > attempts {
      return "it has \(count) \(name), of \(attempts) attempts"
    }
    return wastedBytes > bytes ? "it wasted \(wastedBytes) of \(bytes) bytes" : nil
  }
}
