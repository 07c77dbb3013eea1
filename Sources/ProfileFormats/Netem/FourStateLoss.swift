import LinkSimulator

/// The loss model of netem's `loss state`: a Markov chain that starts in state 1.
///
/// State 1 delivers between bursts, state 2 within one. State 3 loses within a burst, state 4 a single packet. State 1
/// goes to 3 with p13 and to 4 with p14. State 3 goes to 1 with p31 and to 2 with p32. State 2 goes to 3 with p23.
/// State 4 always goes back to 1. The defaults are those of iproute2's tc/q_netem.c. Source: the kernel's
/// net/sched/sch_netem.c; Salsano, Ludovici, Ordine, "Definition of a general and intuitive loss model for packet
/// networks" (2009).
struct FourStateLoss {
  let p13: Double
  let p31: Double
  let p32: Double
  let p23: Double
  let p14: Double

  /// - Parameter others: p31, p32, p23 and p14, in this order; missing ones get tc's defaults.
  init(p13: Probability, others: [Probability]) {
    self.p13 = p13.value
    p31 = others.isEmpty ? 1 - p13.value : others[0].value
    p32 = others.count > 1 ? others[1].value : 0
    p23 = others.count > 2 ? others[2].value : 1
    p14 = others.count > 3 ? others[3].value : 0
  }

  /// A sentence that says how the probabilities contradict each other; `nil` if they are consistent.
  var problem: String? {
    if p31 + p32 > 1 + Self.tolerance { return "p31 and p32 add up to more than 100%, and both leave state 3" }
    if p13 + p14 > 1 + Self.tolerance { return "p13 and p14 add up to more than 100%, and both leave state 1" }
    return nil
  }

  /// How much two sums may differ: less than tc's resolution, 2^-32, and more than rounding errors.
  private static let tolerance = 1e-12

  /// The two-state chain with the same losses, or else with the same mean loss and mean burst.
  ///
  /// It is exact when a loss is equally likely after all delivering states, and a delivery after all losing states
  /// (Kemeny and Snell's lumpability).
  var lossModel: (LossModel, isExact: Bool) {
    let reaches3 = p13 > 0
    let reaches2 = reaches3 && p32 > 0
    var lossAfterDelivery = [p13 + p14]
    if reaches2 { lossAfterDelivery.append(p23) }
    var deliveryAfterLoss: [Double] = []
    if reaches3 { deliveryAfterLoss.append(p31 + p32) }
    if p14 > 0 { deliveryAfterLoss.append(1) }
    guard let recovery = deliveryAfterLoss.first else { return (.none, true) }
    if Self.agree(lossAfterDelivery), Self.agree(deliveryAfterLoss) {
      return (Self.chain(p: lossAfterDelivery[0], r: recovery), true)
    }
    let (p, r) = averages
    return (Self.chain(p: p, r: r), false)
  }

  /// The long-run chances that a loss follows a delivery (`p`) and a delivery follows a loss (`r`).
  ///
  /// They come from the balance of the chain. State 1 has the share 1, or state 3 if state 1 is never reached again (p31 = 0).
  private var averages: (p: Double, r: Double) {
    let returns = p31 > 0
    let one = returns || p13 == 0 ? 1.0 : 0
    let three = p13 == 0 ? 0 : returns ? p13 / p31 : 1
    let two = three == 0 || p32 == 0 ? 0 : p23 > 0 ? three * p32 / p23 : .infinity
    let four = one * p14
    guard two.isFinite else { return (0, 1) }
    let delivered = one + two
    let lost = three + four
    let begun = one * (p13 + p14) + two * p23
    guard delivered > 0 else { return (1, 0) }
    return (begun / delivered, lost > 0 ? begun / lost : 1)
  }

  private static func agree(_ values: [Double]) -> Bool {
    values.allSatisfy { abs($0 - values[0]) <= tolerance }
  }

  private static func chain(p: Double, r: Double) -> LossModel {
    guard let p = Probability(min(max(p, 0), 1)), let r = Probability(min(max(r, 0), 1)) else { return .none }
    if abs(p.value + r.value - 1) <= tolerance { return .single(p) }
    return .bursts(GilbertElliott(goodToBad: p, badToGood: r))
  }
}
