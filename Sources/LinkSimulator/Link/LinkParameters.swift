/// The conditions of one direction as integers, for speed in the work on every packet.
struct LinkParameters: Sendable {
  /// The rate in bits per second; `nil` is unlimited.
  var rate: Int64?
  /// The trace of delivery times, which replaces the rate.
  var trace: DeliveryTrace?
  /// The propagation delay in nanoseconds.
  var delay: Int64
  var draws: [Drawing]
  var queue: Int
  var reorders: Bool
  /// Whether an outage drops every packet.
  var isOut: Bool
  var usesChance: Bool
  /// The loss, if it is the only impairment and independent, so that a flow needs no memory; `nil` without loss, too.
  let lossAlone: IndependentLoss?

  /// Whether at most independent loss impairs packets, without an outage: the others arrive after the delay, in order.
  @inline(__always)
  var isSimple: Bool { (!usesChance || lossAlone != nil) && !isOut && !reorders }

  init(_ conditions: LinkConditions, isOut: Bool) {
    rate = conditions.rate?.bitsPerSecond
    trace = conditions.trace
    delay = conditions.delay.wholeNanoseconds
    draws = conditions.impairments.draws
    queue = conditions.queue
    reorders = draws.contains { $0.kind == .reordering || $0.kind == .jitter && conditions.reorders }
    self.isOut = isOut
    usesChance = !draws.isEmpty
    lossAlone = conditions.impairments.lossAlone
  }

  /// Nanoseconds to send this many bits, rounded up so that no packet arrives too early.
  func serialisation(ofBits bits: Int64) -> Int64 {
    guard let rate else { return 0 }
    guard rate > 0 else { return .max }
    return (bits * 1_000_000_000 + rate - 1) / rate
  }

  /// Bits sent in this many nanoseconds, rounded down and limited to `limit`.
  func bits(in nanoseconds: Int64, limit: Int64) -> Int64 {
    guard let rate else { return limit }
    let product = rate.multipliedFullWidth(by: nanoseconds)
    guard product.high < 500_000_000 else { return limit }
    let nanosecondsPerSecond: Int64 = 1_000_000_000
    return min(limit, nanosecondsPerSecond.dividingFullWidth(product).quotient)
  }
}

extension Int64 {
  func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
