/// An impairment: which packets a link loses after it has carried them.
///
/// A lost packet has used the link: its serialisation time is spent, as on a radio. Losses at a full queue are
/// separate.
public enum LossModel: Hashable, Sendable {
  /// No packet is lost.
  case none
  /// Each packet is lost with this probability, independently of others.
  case independent(Probability)
  /// Packets are lost in bursts, controlled by a two-state Markov chain.
  case bursts(GilbertElliott)

  /// The long-run share of lost packets, from 0 to 1.
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
/// Source: Gilbert (1960), Elliott (1963), with the parameters of Linux netem's `gemodel p r 1-h 1-k` (tc-netem(8)).
/// The chain moves from good to bad with `p`, and from bad to good with `r`. A packet is lost with `1-h` in the bad
/// state and with `1-k` in the good one. The mean loss is p/(p+r) (1-h) + r/(p+r) (1-k).
public struct GilbertElliott: Hashable, Sendable {
  /// p: the probability, per packet, of moving from the good to the bad state.
  public let goodToBad: Probability
  /// r: the probability, per packet, of moving from the bad to the good state.
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

  /// Creates a Gilbert chain with this mean loss and mean burst length; `nil` if no chain has them.
  ///
  /// Every packet is lost in the bad state and none in the good one: r = 1 / burst, p = r mean / (1 - mean).
  ///
  /// - Parameters:
  ///   - mean: the share of lost packets, below 1.
  ///   - burst: the mean number of packets lost in a row, at least 1 and long enough that p is at most 1.
  public init?(mean: Probability, burst: Double) {
    guard mean.value < 1, burst >= 1, burst.isFinite else { return nil }
    let recovery = 1 / burst
    guard let p = Probability(recovery * mean.value / (1 - mean.value)), let r = Probability(recovery) else {
      return nil
    }
    self.init(goodToBad: p, badToGood: r)
  }

  /// The long-run share of lost packets; a chain that never changes its state stays good.
  public var meanLoss: Double {
    let p = goodToBad.value
    let r = badToGood.value
    guard p + r > 0 else { return lossWhenGood.value }
    return p / (p + r) * lossWhenBad.value + r / (p + r) * lossWhenGood.value
  }
}

extension LossModel: Impairment {
  package static let kind = ImpairmentKind.loss
  package static let benign = LossModel.none

  /// Reads `"0.1 %"`, `{ "mean": "8 %", "burst": 4 }`, or netem's `{ "p", "r", "1-h", "1-k" }`.
  package static func read<Reader: SettingReader>(_ reader: Reader) throws(Reader.Failure) -> LossModel {
    guard reader.isObject else {
      let probability = try reader.probability()
      return probability == .zero ? .none : .independent(probability)
    }
    let object = try reader.object(keys: ["mean", "burst", "p", "r", "1-h", "1-k"], of: "loss")
    let ofBursts = ["mean", "burst"]
    let isMean = object.keys.contains { ofBursts.contains($0) }
    if isMean, let stray = object.keys.first(where: { !ofBursts.contains($0) }) {
      throw (object[stray] ?? reader).error(
        "loss in bursts is written either as \"mean\" and \"burst\" or as \"p\", \"r\", \"1-h\" and \"1-k\"")
    }
    return .bursts(isMean ? try bursts(object, reader) : try chain(object))
  }

  private static func bursts<Reader: SettingReader>(
    _ object: Reader.Object, _ reader: Reader
  ) throws(Reader.Failure) -> GilbertElliott {
    let remedy = "write for example {\"mean\": \"8 %\", \"burst\": 4}"
    let mean = try object.required("mean", remedy)
    let burst = try object.required("burst", remedy)
    let share = try mean.probability()
    guard share < .one else { throw mean.error("\(mean.shown) would lose everything; write \"loss\": \"100 %\"") }
    guard let length = burst.bareNumber, length.isFinite, length >= 1 else {
      throw burst.error("\(burst.shown) is not a mean number of packets lost in a row, a number of 1 or more")
    }
    guard let chain = GilbertElliott(mean: share, burst: length) else {
      // Rounded up to a hundredth, with a tolerance for floating-point errors.
      let least = (share.value / (1 - share.value) * 100 - 1e-6).rounded(.up) / 100
      throw reader.error(
        "bursts of \(burst.shown) cannot lose \(share) on average; at that mean they must be at least "
          + "\(least.shortDescription) long")
    }
    return chain
  }

  private static func chain<Object: SettingObject>(_ object: Object) throws(Object.Reader.Failure) -> GilbertElliott {
    let remedy = "write for example {\"p\": \"1 %\", \"r\": \"25 %\"}"
    return GilbertElliott(
      goodToBad: try object.required("p", remedy).probability(),
      badToGood: try object.required("r", remedy).probability(),
      lossWhenBad: try object["1-h"]?.probability() ?? .one,
      lossWhenGood: try object["1-k"]?.probability() ?? .zero)
  }

  /// The value as a profile writes it; bursts use all four parameters, since mean and burst would be rounded.
  package var setting: Setting {
    switch self {
    case .none: return .probability(.zero)
    case .independent(let probability): return .probability(probability)
    case .bursts(let chain):
      var members = [
        Setting.Member("p", .probability(chain.goodToBad)), Setting.Member("r", .probability(chain.badToGood)),
      ]
      if chain.lossWhenBad != .one { members.append(.init("1-h", .probability(chain.lossWhenBad))) }
      if chain.lossWhenGood != .zero { members.append(.init("1-k", .probability(chain.lossWhenGood))) }
      return .members(members)
    }
  }

  package var draw: PacketDraw? {
    guard self != .none else { return nil }
    return { [self] key, memory, fate in
      if loses(key, &memory), fate.loss == nil { fate.loss = .link }
    }
  }

  /// Draws whether the packet is lost; a chain moves one step, and `memory` is 1 in its bad state.
  func loses(_ key: KeyedRandom, _ memory: inout Double) -> Bool {
    switch self {
    case .none:
      return false
    case .independent(let probability):
      return IndependentLoss(probability: probability).happens(to: key)
    case .bursts(let chain):
      // The chain moves before it decides on the loss. netem decides before the move (net/sched/sch_netem.c:
      // loss_gilb_ell): the same chain, one packet later.
      if key.keyed(for: .transition).happens(memory == 1 ? chain.badToGood : chain.goodToBad) { memory = 1 - memory }
      return key.keyed(for: .loss).happens(memory == 1 ? chain.lossWhenBad : chain.lossWhenGood)
    }
  }

  package static let entry = PacketEffect.Entry.happens("lost")
  package static func amount(in fate: PacketFate) -> Int64? { fate.loss == .link ? 0 : nil }
  package static func happen(_ amount: Int64, in fate: inout PacketFate) { fate.lose(.link) }
  package static func weaker(_ amount: Int64) -> [PacketEffect] { [.late(nanoseconds: 100_000_000)] }
}

struct IndependentLoss: Sendable {
  let probability: Probability

  @inline(__always)
  func happens(to key: KeyedRandom) -> Bool { key.keyed(for: .loss).happens(probability) }
}

extension PacketFate {
  /// Marks the packet as lost, unless it is lost or delayed already.
  mutating func lose(_ reason: PacketLoss) {
    if loss == nil, deviation == 0 { loss = reason }
  }
}

extension LinkConditions {
  /// The model by which packets are lost after serialisation.
  public var loss: LossModel {
    get { impairments[LossModel.self] }
    set { impairments[LossModel.self] = newValue }
  }
}

extension PacketEffect {
  /// The link carries the packet, but it does not arrive.
  public static let lost = PacketEffect(.loss)
}
