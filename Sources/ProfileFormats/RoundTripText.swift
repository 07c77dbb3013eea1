import NetworkConditions

/// What formats have in common that give one latency and one loss for both directions.
enum RoundTripText {
  /// Lists delays that differ by more than the nanosecond that a half may be off.
  static func listUneven(_ path: PathConditions, _ losses: inout LossList) {
    let difference = path.down.delay - path.up.delay
    if difference < .zero || difference > .nanoseconds(1) {
      losses.add(
        "delay", "one latency is written for both directions, \(path.roundTrip.millisecondText) ms there and back")
    }
  }

  /// The one probability of loss, the greater of two; `nil` is none.
  static func shared(_ path: PathConditions, _ losses: inout LossList) -> Probability? {
    let down = probability(path.down.loss)
    let up = probability(path.up.loss)
    if down != up { losses.add("loss", "one loss is written for both directions, the greater") }
    let greater = max(down, up)
    return greater == .zero ? nil : greater
  }

  static func probability(_ loss: LossModel) -> Probability {
    if case .independent(let probability) = loss { return probability }
    return .zero
  }
}
