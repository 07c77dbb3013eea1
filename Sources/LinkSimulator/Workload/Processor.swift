/// The processor of one end, which runs one program: asleep until something arrives, then busy until all is done.
struct Processor: Sendable {
  /// When it has done all that it was given.
  private(set) var freeAt: Int64 = 0
  private let waking: Int64
  private let random: KeyedRandom
  private var wakeUps: UInt64 = 0

  init(waking: Duration, _ random: KeyedRandom) {
    self.waking = waking.wholeNanoseconds
    self.random = random
  }

  /// When the program can take up what arrives now.
  ///
  /// Chance decides how long each waking takes. Without that, packets meet a full queue always in the same place (Floyd
  /// and Jacobson, "On traffic phase effects in packet-switched gateways", 1992).
  mutating func wake(at time: Int64) -> Int64 {
    guard time >= freeAt else { return freeAt }
    guard waking > 0 else { return time }
    wakeUps += 1
    return time + random.keyed(by: wakeUps).number(below: 2 * waking + 1)
  }

  /// Works on something that was taken up at `start`.
  mutating func work(from start: Int64, for time: Duration) {
    freeAt = max(freeAt, start) + time.wholeNanoseconds
  }
}
