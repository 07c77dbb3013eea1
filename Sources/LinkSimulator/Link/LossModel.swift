/// Which packets a link loses after it has carried them.
///
/// A lost packet has used the link: its time of serialisation is spent, as on a radio. Packets that a full queue
/// refuses are not meant here.
public enum LossModel: Hashable, Sendable {
  /// Every packet arrives.
  case none
  /// Each packet is lost with this probability, whatever happened to the one before.
  case independent(Probability)
  /// Packets are lost in bursts, by a two-state Markov chain.
  case bursts(GilbertElliott)

  /// The share of packets that is lost in the long run.
  public var mean: Double {
    switch self {
    case .none: 0
    case .independent(let probability): probability.value
    case .bursts(let chain): chain.meanLoss
    }
  }
}

/// The Gilbert-Elliott model of burst loss: a good and a bad state, each with its own probability of loss.
///
/// Source: Gilbert (1960), Elliott (1963), with the parameters and names of Linux netem's `gemodel p r 1-h 1-k`
/// (tc-netem(8)): the chain moves from good to bad with `p`, from bad to good with `r`; a packet is lost with `1-h` in
/// the bad state and with `1-k` in the good one. The mean loss is p/(p+r) (1-h) + r/(p+r) (1-k).
public struct GilbertElliott: Hashable, Sendable {
  /// p: the probability, per packet, to move from the good to the bad state.
  public let goodToBad: Probability
  /// r: the probability, per packet, to move from the bad to the good state.
  public let badToGood: Probability
  /// 1-h: the probability that a packet is lost in the bad state.
  public let lossWhenBad: Probability
  /// 1-k: the probability that a packet is lost in the good state.
  public let lossWhenGood: Probability

  /// Creates a chain from netem's four parameters, with netem's defaults for the last two.
  public init(
    goodToBad: Probability, badToGood: Probability, lossWhenBad: Probability = .one, lossWhenGood: Probability = .zero
  ) {
    self.goodToBad = goodToBad
    self.badToGood = badToGood
    self.lossWhenBad = lossWhenBad
    self.lossWhenGood = lossWhenGood
  }

  /// Creates the simple Gilbert chain with this mean loss and mean burst length, or nothing when there is none.
  ///
  /// With h = k = 1 - 0: r = 1 / burst, p = r mean / (1 - mean).
  ///
  /// - Parameters:
  ///   - mean: the share of packets lost, below 1.
  ///   - burst: the mean number of packets lost in a row, at least 1 and long enough for `mean` (p must not pass 1).
  public init?(mean: Probability, burst: Double) {
    guard mean.value < 1, burst >= 1, burst.isFinite else { return nil }
    let recovery = 1 / burst
    guard let p = Probability(recovery * mean.value / (1 - mean.value)), let r = Probability(recovery) else {
      return nil
    }
    self.init(goodToBad: p, badToGood: r)
  }

  /// The share of packets that is lost in the long run; a chain that never moves stays good.
  public var meanLoss: Double {
    let p = goodToBad.value
    let r = badToGood.value
    guard p + r > 0 else { return lossWhenGood.value }
    return p / (p + r) * lossWhenBad.value + r / (p + r) * lossWhenGood.value
  }
}
