/// The clock of TCP's timers: ticks of 4 ms, and coarser steps for longer timers.
///
/// Linux counts timers in jiffies (CONFIG_HZ = 250 in common distributions and on the measured machines). Since 4.8 it
/// keeps them in a wheel, whose levels are each eight times coarser. A timer up to 63 ticks ahead expires at the next
/// tick. One up to 504 ticks ahead expires at the next multiple of 8, and so on (timer.c: `calc_wheel_index`). So a
/// retransmission timeout of one second is late by up to 32 ms.
struct TickClock: Sendable {
  /// The length of a tick in nanoseconds.
  static let tick: Int64 = 4_000_000
  static let perSecond = 1_000_000_000 / tick
  /// The offset of the machine's clock from the path's time, in nanoseconds.
  private let phase: Int64

  init(_ random: KeyedRandom) {
    // 2^18 ticks exceed the coarsest level that a TCP timer uses.
    phase = Int64(random.bits % UInt64(Self.tick << 18))
  }

  /// The number of whole ticks at `time`.
  func ticks(at time: Int64) -> Int64 {
    time.saturatingAdd(phase) / Self.tick
  }

  /// The timestamps option's clock in whole milliseconds (RFC 7323; `tcp_time_stamp_ms`).
  func milliseconds(at time: Int64) -> Int64 {
    time.saturatingAdd(phase) / 1_000_000
  }

  /// When a timer of this length expires if it is armed at `now`.
  @inline(__always)
  func expiry(after length: Int64, from now: Int64) -> Int64 {
    let delta = Self.roundedUp(length)
    let due = ticks(at: now).saturatingAdd(delta)
    var shift: Int64 = 0
    var reach: Int64 = 63
    while delta >= reach, shift < 21 {
      shift += 3
      reach <<= 3
    }
    let bucket = (due.saturatingAdd(1 << shift) >> shift) << shift
    let (time, overflow) = bucket.multipliedReportingOverflow(by: Self.tick)
    return overflow ? .max : time - phase
  }

  /// A length in whole ticks, rounded up.
  static func roundedUp(_ length: Int64) -> Int64 {
    length.saturatingAdd(tick - 1) / tick
  }
}
