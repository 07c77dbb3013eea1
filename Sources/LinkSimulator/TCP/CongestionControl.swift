/// How a sender decides how much may be in flight.
///
/// An algorithm is one file of this folder and one name in ``PathConfiguration/CongestionControl/allCases``. It learns what
/// acknowledgements say and sets the window, and may spread what the window allows over time; what was lost and is to be
/// sent again is the sender's matter.
protocol CongestionAlgorithm: Sendable {
  /// Its name as people write it; without capitals it is the word of commands and files.
  static var name: String { get }
  /// Whether it spreads segments over time; only then is it asked for a departure and told of segments.
  static var paces: Bool { get }

  init()

  /// Begins with a connection, and anew after a retransmission timeout; `next` is the next new segment.
  mutating func begin(now: Int64, next: Int)
  /// Takes a measured round trip.
  mutating func measured(_ sample: RoundTripSample, _ window: inout CongestionWindow)
  /// Grows the window, which was full and is not being reduced, by the segments that have arrived.
  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64)
  /// The slow-start threshold after a loss, to which the window is reduced.
  mutating func threshold(after window: CongestionWindow) -> Int
  /// Data is sent after a time without anything in flight.
  mutating func resume(afterIdleTicks idle: Int64, tick: Int64)
  /// The earliest time at which the next segment may leave, in nanoseconds of the path's time.
  ///
  /// Probes, and the one segment that a timeout repeats, do not wait for it (`tcp_pacing_check`).
  var departure: Int64 { get }
  /// A segment leaves that has so many bytes on the wire.
  mutating func sent(_ bytes: Int, at now: Int64)
}

extension CongestionAlgorithm {
  static var paces: Bool { false }
  var departure: Int64 { .min }
  mutating func begin(now: Int64, next: Int) {}
  mutating func measured(_ sample: RoundTripSample, _ window: inout CongestionWindow) {}
  mutating func resume(afterIdleTicks idle: Int64, tick: Int64) {}
  mutating func sent(_ bytes: Int, at now: Int64) {}
}

/// A measured round trip, and what had arrived by then.
struct RoundTripSample {
  /// The round trip of the newest segment acknowledged.
  var delay: Int64
  var now: Int64
  var tick: Int64
  /// The oldest segment that is in flight, and the next new one.
  var first: Int
  var next: Int
  /// How many segments have arrived.
  var delivered: Int64
}

extension PathConfiguration {
  /// How a sender reacts to loss.
  public struct CongestionControl: RawRepresentable, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// All that are simulated.
    public static let allCases: [Self] = [.cubic, .reno]

    let algorithm: any CongestionAlgorithm.Type

    init(_ algorithm: any CongestionAlgorithm.Type) {
      self.algorithm = algorithm
    }

    /// The one of this name in small letters, such as "cubic".
    public init?(rawValue: String) {
      guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = known
    }

    /// Its name as people write it, such as "CUBIC".
    public var name: String { algorithm.name }
    /// Its name in small letters, as commands and files have it.
    public var rawValue: String { name.lowercased() }
    /// Its name in small letters.
    public var description: String { rawValue }
  }
}
