/// The conditions of one direction in the integers that the packet path works with.
struct LinkParameters: Sendable {
  /// Bits per second; `nil` is unlimited.
  var rate: Int64?
  /// When packets can be delivered, in the place of the rate.
  var trace: DeliveryTrace?
  /// Nanoseconds of propagation.
  var delay: Int64
  /// The questions that chance is asked about each packet.
  var draws: [(kind: ImpairmentKind, draw: PacketDraw)]
  var queue: Int
  var reorders: Bool
  /// Whether every packet vanishes.
  var isOut: Bool
  /// Whether the fate of a packet depends on chance at all.
  var usesChance: Bool

  init(_ conditions: LinkConditions, isOut: Bool) {
    rate = conditions.rate?.bitsPerSecond
    trace = conditions.trace
    delay = conditions.delay.wholeNanoseconds
    draws = conditions.impairments.draws
    queue = conditions.queue
    reorders = draws.contains { $0.kind == .reordering || $0.kind == .jitter && conditions.reorders }
    self.isOut = isOut
    usesChance = !draws.isEmpty
  }

  /// How many nanoseconds the link needs for this many bits, rounded up so that nothing arrives before it can.
  func serialisation(ofBits bits: Int64) -> Int64 {
    guard let rate else { return 0 }
    guard rate > 0 else { return .max }
    return (bits * 1_000_000_000 + rate - 1) / rate
  }

  /// How many bits the link sends in this many nanoseconds, rounded down and never more than `limit`.
  func bits(in nanoseconds: Int64, limit: Int64) -> Int64 {
    guard let rate else { return limit }
    let product = rate.multipliedFullWidth(by: nanoseconds)
    guard product.high < 500_000_000 else { return limit }
    let nanosecondsPerSecond: Int64 = 1_000_000_000
    return min(limit, nanosecondsPerSecond.dividingFullWidth(product).quotient)
  }
}

extension Int64 {
  /// The sum, or the greatest number when there is none.
  func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
