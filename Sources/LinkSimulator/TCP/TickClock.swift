/// The clock that TCP's timers run on: a tick of 4 ms, coarser the longer the timer.
///
/// Linux counts its timers in jiffies (CONFIG_HZ = 250 on the machines of the measurements and in common
/// distributions), and since 4.8 keeps them in a wheel whose levels are eight times as coarse each: a timer up to 63
/// ticks ahead expires at the next tick after its time, one up to 504 ticks at the next multiple of 8, and so on
/// (kernel/time/timer.c, `calc_wheel_index`). A retransmission timeout of one second is therefore late by up to 32 ms.
struct TickClock: Sendable {
  /// The length of a tick.
  static let tick: Int64 = 4_000_000
  static let perSecond = 1_000_000_000 / tick
  /// By how much the tick count runs ahead of the path's own time: where the machine's clock stood when it began.
  private let phase: Int64

  init(_ random: KeyedRandom) {
    // 2^18 ticks are more than the coarsest level that a TCP timer meets.
    phase = Int64(random.bits % UInt64(Self.tick << 18))
  }

  /// How many whole ticks have passed at `time`.
  func ticks(at time: Int64) -> Int64 {
    time.saturatingAdd(phase) / Self.tick
  }

  /// The timestamps option's clock: whole milliseconds (RFC 7323; `tcp_time_stamp_ms`).
  func milliseconds(at time: Int64) -> Int64 {
    time.saturatingAdd(phase) / 1_000_000
  }

  /// When a timer of this length, armed at `now`, expires.
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
