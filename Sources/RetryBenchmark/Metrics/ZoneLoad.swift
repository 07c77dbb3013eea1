/// The load of one of the zones of a server, in all trials together.
public struct ZoneLoad: Mergeable, Hashable, Sendable, Codable {
  /// How many attempts reached it in whole.
  public private(set) var attempts = 0
  /// The most that reached it in one second of one trial.
  public private(set) var peak = 0
  /// How many of them it turned away, being down or having too much.
  public private(set) var refused = 0

  /// Creates the load of a zone that nobody asked.
  public init() {}

  /// The load of one trial.
  ///
  /// - Parameter seconds: how many attempts reached it in each second.
  init(seconds: CountHistogram, refused: Int) {
    (attempts, peak, self.refused) = (seconds.total, seconds.entries.map(\.count).max() ?? 0, refused)
  }

  /// Adds the load of another part.
  public mutating func merge(_ other: ZoneLoad) {
    attempts += other.attempts
    peak = max(peak, other.peak)
    refused += other.refused
  }

  /// The share that it turned away; `nil` where nobody asked.
  public var refusedShare: Double? { attempts > 0 ? Double(refused) / Double(attempts) : nil }

  /// Whether no run could count so.
  var isImpossible: Bool { refused < 0 || peak < 0 || max(refused, peak) > attempts }
}
