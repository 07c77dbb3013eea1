/// A simulated processor that runs one program: it sleeps until work arrives, then works until all is done.
struct Processor: Sendable {
  /// When the processor has finished all its work, in nanoseconds.
  private(set) var freeAt: Int64 = 0
  private let waking: Int64
  private let random: KeyedRandom
  private var wakeUps: UInt64 = 0

  init(waking: Duration, _ random: KeyedRandom) {
    self.waking = waking.wholeNanoseconds
    self.random = random
  }

  /// When the program can start on work that arrives now.
  ///
  /// Each wake-up takes a random time. With a constant time, packets would always meet a full queue at the same place
  /// (Floyd and Jacobson, "On traffic phase effects in packet-switched gateways", 1992).
  mutating func wake(at time: Int64) -> Int64 {
    guard time >= freeAt else { return freeAt }
    guard waking > 0 else { return time }
    wakeUps += 1
    return time + random.keyed(by: wakeUps).number(below: 2 * waking + 1)
  }

  mutating func work(from start: Int64, for time: Duration) {
    freeAt = max(freeAt, start) + time.wholeNanoseconds
  }
}
