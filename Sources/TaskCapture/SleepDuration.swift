import NetworkConditions

/// Finds the sleep that a client asked for by what is left of it.
///
/// `Task.sleep(for:)` adds the duration to a real clock and hands on the deadline; a fraction of a microsecond later, or on
/// a busy machine some milliseconds, the executor can only see what is left until then.
enum SleepDuration {
  /// A delay between the two readings of the clock that is still taken for one: 20 ms, several turns of a busy core.
  private static let slack: Int64 = 20_000_000

  /// The roundest duration that is not shorter than `left`, and longer by no more than the slack; and at least a whole
  /// number of milliseconds.
  ///
  /// Durations that people write (a second, 250 ms) are restored exactly. One that was computed, such as a jittered
  /// back-off, is rounded up to its next millisecond.
  static func restored(from left: Duration) -> Duration {
    let nanoseconds = left.wholeNanoseconds
    guard nanoseconds > 0 else { return .zero }
    // From whole seconds down to whole milliseconds: the first unit of which a multiple lies near enough above.
    var unit: Int64 = 1_000_000_000
    while unit > 1_000_000 {
      let rounded = (nanoseconds + unit - 1) / unit * unit
      if rounded - nanoseconds <= min(slack, unit / 50) { return .nanoseconds(rounded) }
      unit /= 10
    }
    return .nanoseconds((nanoseconds + unit - 1) / unit * unit)
  }
}
