/// Numbers what is left to the host's chance: the seed and these numbers alone decide each draw.
struct DrawNumbers {
  private var draws: UInt64 = 0
  private var choices: (instant: Int64, count: UInt64) = (-1, 0)

  /// The number of the next draw, from 1.
  mutating func nextDraw() -> UInt64 {
    draws += 1
    return draws
  }

  /// The number of the next choice at an instant, from 0: what happens at one instant shifts no choice at another.
  mutating func nextChoice(at instant: Int64) -> UInt64 {
    choices = (instant, choices.instant == instant ? choices.count + 1 : 0)
    return choices.count
  }
}
