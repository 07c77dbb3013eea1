/// The load of one zone of a server, in all trials together.
public struct ZoneLoad: Mergeable, Hashable, Sendable, Codable {
  /// The number of attempts whose whole request reached the zone.
  public private(set) var attempts = 0
  /// The highest number of attempts that reached the zone in one second of one trial.
  public private(set) var peak = 0
  /// The number of attempts that the zone rejected, because it was down or overloaded.
  public private(set) var refused = 0

  /// Creates the load of a zone that received no attempt.
  public init() {}

  /// Creates the load of one trial; `seconds` counts the attempts that reached the zone in each second.
  init(seconds: CountHistogram, refused: Int) {
    (attempts, peak, self.refused) = (seconds.total, seconds.entries.map(\.count).max() ?? 0, refused)
  }

  /// Adds the load of another part.
  public mutating func merge(_ other: ZoneLoad) {
    attempts += other.attempts
    peak = max(peak, other.peak)
    refused += other.refused
  }

  /// The share of attempts that the zone rejected; `nil` if it received none.
  public var refusedShare: Double? { attempts > 0 ? Double(refused) / Double(attempts) : nil }

  var isImpossible: Bool { refused < 0 || peak < 0 || max(refused, peak) > attempts }
}
