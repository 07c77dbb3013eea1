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

  /// Whether it sets the window by itself after each acknowledgement, losses or not (`cong_control`); it is then told of
  /// acknowledgements only by ``acknowledged(_:_:)``.
  static var setsWindow: Bool { get }
  /// How many windows of data a sender keeps (`sndbuf_expand`).
  static var bufferedWindows: Int64 { get }

  /// Gives it chance of its own.
  mutating func seed(_ random: KeyedRandom)
  /// The handshake is done, which took this round trip.
  mutating func connected(roundTrip: Int64, window: Int, tick: Int64, delivered: Int64)
  /// Begins with a connection, and, for those that do not say otherwise, anew after a retransmission timeout; `next` is the
  /// next new segment.
  mutating func begin(now: Int64, next: Int)
  /// The retransmission timer has run out, with so many segments delivered and lost so far.
  mutating func timedOut(now: Int64, next: Int, delivered: Int64, lost: Int64)
  /// Takes an acknowledgement, where ``setsWindow``.
  mutating func acknowledged(_ sample: DeliverySample, _ window: inout CongestionWindow)
  /// Whether it keeps back so much that rates say nothing about the path.
  var limitsItself: Bool { get }
  /// A reduction proved needless, before which the window had this size.
  mutating func undo(_ window: inout CongestionWindow, to before: Int)
  /// Takes a measured round trip.
  mutating func measured(_ sample: RoundTripSample, _ window: inout CongestionWindow)
  /// Grows the window, which was full and is not being reduced, by the segments that have arrived.
  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64)
  /// The slow-start threshold after a loss, to which the window is reduced.
  mutating func threshold(after window: CongestionWindow) -> Int
  /// Data is sent after a time without anything in flight.
  mutating func resume(_ restart: Restart)
  /// How many segments leave together where they are paced.
  func burst(minimumRoundTrip: Int64) -> Int
  /// The earliest time at which the next segment may leave, in nanoseconds of the path's time.
  ///
  /// Probes, and the one segment that a timeout repeats, do not wait for it (`tcp_pacing_check`).
  var departure: Int64 { get }
  /// Segments leave together that carry so many bytes.
  mutating func sent(_ bytes: Int, segments: Int, at now: Int64)
}

extension CongestionAlgorithm {
  static var paces: Bool { false }
  static var setsWindow: Bool { false }
  static var bufferedWindows: Int64 { 2 }
  mutating func seed(_ random: KeyedRandom) {}
  mutating func connected(roundTrip: Int64, window: Int, tick: Int64, delivered: Int64) {}
  mutating func timedOut(now: Int64, next: Int, delivered: Int64, lost: Int64) {
    begin(now: now, next: next)
  }
  mutating func acknowledged(_ sample: DeliverySample, _ window: inout CongestionWindow) {}
  var limitsItself: Bool { false }
  mutating func undo(_ window: inout CongestionWindow, to before: Int) {
    window.size = max(window.size, before)
  }
  func burst(minimumRoundTrip: Int64) -> Int { 1 }
  var departure: Int64 { .min }
  mutating func begin(now: Int64, next: Int) {}
  mutating func measured(_ sample: RoundTripSample, _ window: inout CongestionWindow) {}
  mutating func resume(_ restart: Restart) {}
  mutating func sent(_ bytes: Int, segments: Int, at now: Int64) {}
}

/// Data is sent while nothing is in flight.
struct Restart {
  var now: Int64
  /// The tick of the kernel's clock, and how many have passed since something was sent.
  var tick: Int64
  var idleTicks: Int64
  /// Whether the application had less to send than the path could take.
  var isLimited: Bool
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
  /// Whether the train of acknowledgements may end slow start, as Linux has it.
  var judgesTrains = true
}

extension PathConfiguration {
  /// How a sender reacts to loss.
  public struct CongestionControl: RawRepresentable, CaseIterable, Hashable, Sendable,
    CustomStringConvertible
  {
    /// All that are simulated.
    public static let allCases: [Self] = [.cubic, .reno, .bbr]

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
