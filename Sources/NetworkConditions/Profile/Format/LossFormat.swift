import LinkSimulator

/// Reads and writes loss: `"0.1 %"`, `{ "mean": "8 %", "burst": 4 }`, or netem's `{ "p", "r", "1-h", "1-k" }`.
enum LossFormat {
  static func read(_ reader: FormatReader) throws(ProfileError) -> LossModel {
    guard case .object(let members) = reader.value else {
      let probability = try reader.probability()
      return probability == .zero ? .none : .independent(probability)
    }
    let object = try reader.object(keys: ["mean", "burst", "p", "r", "1-h", "1-k"], of: "loss")
    let isMean = object["mean"] != nil || object["burst"] != nil
    if isMean, let stray = members.first(where: { !["mean", "burst"].contains($0.key) }) {
      throw reader.member(stray).error(
        "loss in bursts is given either as \"mean\" and \"burst\" or as \"p\", \"r\", \"1-h\" and \"1-k\"")
    }
    return .bursts(isMean ? try bursts(object) : try chain(object))
  }

  private static func bursts(_ object: FormatObject) throws(ProfileError) -> GilbertElliott {
    let mean = try object.required("mean", "write for example {\"mean\": \"8 %\", \"burst\": 4}")
    let burst = try object.required("burst", "write for example {\"mean\": \"8 %\", \"burst\": 4}")
    let share = try mean.probability()
    guard share < .one else { throw mean.error("\(mean.value.shown) would lose everything; write \"loss\": \"100 %\"") }
    guard case .number(let text) = burst.value, let length = Double(text), length.isFinite, length >= 1 else {
      throw burst.error("\(burst.value.shown) is no mean number of packets lost in a row, a number of 1 or more")
    }
    guard let chain = GilbertElliott(mean: share, burst: length) else {
      // Rounded up to a hundredth, but not for an error in the last bit.
      let least = (share.value / (1 - share.value) * 100 - 1e-6).rounded(.up) / 100
      throw object.reader.error(
        "bursts of \(text) cannot lose \(share.formatText) on average; at that mean they are at least "
          + "\(least.shortDescription) long")
    }
    return chain
  }

  private static func chain(_ object: FormatObject) throws(ProfileError) -> GilbertElliott {
    let remedy = "write for example {\"p\": \"1 %\", \"r\": \"25 %\"}"
    return GilbertElliott(
      goodToBad: try object.required("p", remedy).probability(),
      badToGood: try object.required("r", remedy).probability(),
      lossWhenBad: try object["1-h"]?.probability() ?? .one,
      lossWhenGood: try object["1-k"]?.probability() ?? .zero)
  }

  /// Bursts are written as their four parameters, which read back exactly; mean and burst would be rounded.
  static func write(_ loss: LossModel) -> JSONValue {
    switch loss {
    case .none: return .string("0 %")
    case .independent(let probability): return .string(probability.formatText)
    case .bursts(let chain):
      var members = [
        JSONValue.Member("p", .string(chain.goodToBad.formatText)),
        JSONValue.Member("r", .string(chain.badToGood.formatText)),
      ]
      if chain.lossWhenBad != .one { members.append(.init("1-h", .string(chain.lossWhenBad.formatText))) }
      if chain.lossWhenGood != .zero { members.append(.init("1-k", .string(chain.lossWhenGood.formatText))) }
      return .object(members)
    }
  }
}
