/// An impairment: some packets skip the link's delay and overtake others, as over a second, shorter path.
///
/// It is netem's `reorder` and `gap` (tc-netem(8); net/sched/sch_netem.c: netem_enqueue). After `gap` - 1 delayed
/// packets, the next one skips the delay with the probability `share`. If it does not, the following packet has the
/// same chance.
struct Reordering: Impairment {
  /// The probability that an eligible packet skips the delay.
  var share: Probability
  /// The first eligible packet, counted from the last one that skipped the delay; 1 makes every packet eligible.
  var gap = 1

  static let kind = ImpairmentKind.reordering
  static let benign = Reordering(share: .zero)

  /// Reads `"25 %"` or `{ "share": "25 %", "gap": 5 }`.
  static func read<Reader: SettingReader>(_ reader: Reader) throws(Reader.Failure) -> Reordering {
    guard reader.isObject else { return Reordering(share: try reader.probability()) }
    let object = try reader.object(keys: ["share", "gap"], of: "reordering")
    var reordering = Reordering(
      share: try object.required("share", "write for example {\"share\": \"25 %\", \"gap\": 5}").probability())
    if let gap = object["gap"] {
      guard let number = gap.bareNumber, number >= 1, number <= 4_294_967_295, number == number.rounded() else {
        throw gap.error("\(gap.shown) is not a gap, a whole number of packets, 1 or more")
      }
      reordering.gap = Int(number)
    }
    return reordering
  }

  var setting: Setting {
    gap == 1 ? .probability(share) : .members([.init("share", .probability(share)), .init("gap", .number(gap))])
  }

  var draw: PacketDraw? {
    guard share > .zero else { return nil }
    return { [share, gap = Double(gap)] key, memory, fate in
      // `memory` counts the packets in a row that kept their delay.
      if memory >= gap - 1, key.keyed(for: .reordering).happens(share) {
        memory = 0
        fate.isAhead = true
      } else {
        memory += 1
      }
    }
  }

  static let entry = PacketEffect.Entry.happens("ahead")
  static func amount(in fate: PacketFate) -> Int64? { fate.loss == nil && fate.isAhead ? 0 : nil }
  static func happen(_ amount: Int64, in fate: inout PacketFate) { fate.isAhead = fate.loss == nil }
  static func weaker(_ amount: Int64) -> [PacketEffect] { [] }
}

extension LinkConditions {
  /// Makes some packets skip the link's delay and so overtake others.
  ///
  /// - Parameters:
  ///   - share: the probability that an eligible packet skips the delay; zero keeps the order.
  ///   - gap: the first eligible packet, counted from the last one that skipped the delay; 1 or more.
  public mutating func reorder(_ share: Probability, gap: Int = 1) {
    impairments[Reordering.self] = share > .zero ? Reordering(share: share, gap: max(1, gap)) : .benign
  }

  /// The probability that an eligible packet skips the delay, and the gap: the first packet eligible after one that
  /// skipped it.
  package var reordering: (share: Probability, gap: Int) {
    let value = impairments[Reordering.self]
    return (value.share, value.gap)
  }
}

extension PacketEffect {
  /// The packet skips the link's delay.
  public static let ahead = PacketEffect(.reordering)
}
