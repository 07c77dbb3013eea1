/// A congestion-control algorithm: it decides how many segments may be in flight.
///
/// An algorithm is one file of this folder and one entry of ``PathConfiguration/CongestionControl/allCases``. It
/// processes acknowledgements, sets the window, and may pace segments. The sender itself handles retransmission.
protocol CongestionAlgorithm: Sendable {
  static var name: String { get }
  /// Whether the algorithm paces segments; only then are `departure` and `sent` called.
  static var paces: Bool { get }

  init()

  /// Whether the algorithm sets the window itself after each acknowledgement, even during recovery (`cong_control`).
  ///
  /// It then receives acknowledgements only through ``acknowledged(_:_:)``.
  static var setsWindow: Bool { get }
  /// How many congestion windows of data the send buffer holds (`sndbuf_expand`).
  static var bufferedWindows: Int64 { get }

  mutating func seed(_ random: KeyedRandom)
  mutating func connected(roundTrip: Int64, window: Int, tick: Int64, delivered: Int64)
  /// Starts the algorithm; by default also after a retransmission timeout. `next` is the next new segment's number.
  mutating func begin(now: Int64, next: Int)
  /// Reports a retransmission timeout; `delivered` and `lost` count segments so far.
  mutating func timedOut(now: Int64, next: Int, delivered: Int64, lost: Int64)
  /// Processes an acknowledgement, if ``setsWindow`` is true.
  mutating func acknowledged(_ sample: DeliverySample, _ window: inout CongestionWindow)
  /// Whether the algorithm sends slowly on purpose, so that measured rates do not show the path's capacity.
  var limitsItself: Bool { get }
  /// Undoes a spurious reduction; `before` is the window before it.
  mutating func undo(_ window: inout CongestionWindow, to before: Int)
  mutating func measured(_ sample: RoundTripSample, _ window: inout CongestionWindow)
  /// Grows the window by newly acknowledged segments; called only if the window was full and no reduction is under way.
  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64)
  /// The slow-start threshold after a loss, to which the sender reduces its window.
  mutating func threshold(after window: CongestionWindow) -> Int
  /// Reports that sending resumes after a time with nothing in flight.
  mutating func resume(_ restart: Restart)
  /// How many paced segments leave together.
  func burst(minimumRoundTrip: Int64) -> Int
  /// The next paced segment's earliest departure, in nanoseconds; probes ignore it (`tcp_pacing_check`).
  var departure: Int64 { get }
  /// Reports segments that leave together, with their bytes.
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

struct Restart {
  var now: Int64
  /// The kernel's clock tick; `idleTicks` is the number of ticks since the last transmission.
  var tick: Int64
  var idleTicks: Int64
  /// Whether the application, not the window, limits the sender.
  var isLimited: Bool
}

struct RoundTripSample {
  /// The round trip of the newest acknowledged segment, in nanoseconds.
  var delay: Int64
  var now: Int64
  var tick: Int64
  /// The oldest segment in flight; `next` is the next new one.
  var first: Int
  var next: Int
  /// How many segments have been delivered so far.
  var delivered: Int64
  /// Whether HyStart may use ACK trains to end slow start, as in Linux.
  var judgesTrains = true
}

extension PathConfiguration {
  /// The congestion-control algorithm of a sender.
  public struct CongestionControl: RawRepresentable, CaseIterable, Hashable, Sendable,
    CustomStringConvertible
  {
    /// The algorithms that the simulator has.
    public static let allCases: [Self] = [.cubic, .reno, .bbr]

    let algorithm: any CongestionAlgorithm.Type

    init(_ algorithm: any CongestionAlgorithm.Type) {
      self.algorithm = algorithm
    }

    /// Creates the algorithm with this name in lower case, such as "cubic"; `nil` for an unknown name.
    public init?(rawValue: String) {
      guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = known
    }

    /// The algorithm's usual name, such as "CUBIC".
    public var name: String { algorithm.name }
    /// The algorithm's name in lower case, as commands and files use it.
    public var rawValue: String { name.lowercased() }
    /// The algorithm's name in lower case.
    public var description: String { rawValue }
  }
}
