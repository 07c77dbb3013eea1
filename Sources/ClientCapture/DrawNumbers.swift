/// Numbers the random draws and choices: each result depends only on the seed and this number.
struct DrawNumbers {
  private var draws: UInt64 = 0
  private var choices: (instant: Int64, count: UInt64) = (-1, 0)

  /// The number of the next draw, from 1.
  mutating func nextDraw() -> UInt64 {
    draws += 1
    return draws
  }

  /// The number of the next choice at an instant, from 0, so that choices at one instant do not change those at
  /// another.
  mutating func nextChoice(at instant: Int64) -> UInt64 {
    choices = (instant, choices.instant == instant ? choices.count + 1 : 0)
    return choices.count
  }
}
