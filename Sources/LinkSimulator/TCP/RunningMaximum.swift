/// The maximum of the last `window` rounds, kept in three samples (lib/win_minmax.c; Kathleen Nichols' algorithm).
struct RunningMaximum: Sendable {
  private struct Sample {
    var round: Int
    var value: Int64
  }

  private let window: Int
  private var best: Sample
  private var second: Sample
  private var third: Sample

  init(over window: Int) {
    self.window = window
    best = Sample(round: 0, value: 0)
    second = best
    third = best
  }

  var value: Int64 { best.value }

  mutating func take(_ value: Int64, round: Int) {
    let new = Sample(round: round, value: value)
    if value >= best.value || round - third.round > window {
      (best, second, third) = (new, new, new)
      return
    }
    if value >= second.value {
      (second, third) = (new, new)
    } else if value >= third.value {
      third = new
    }
    let age = round - best.round
    if age > window {
      (best, second, third) = (second, third, new)
      if round - best.round > window { (best, second, third) = (second, third, new) }
    } else if second.round == best.round, age > window / 4 {
      (second, third) = (new, new)
    } else if third.round == second.round, age > window / 2 {
      third = new
    }
  }
}
