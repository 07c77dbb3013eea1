/// Packets that a link delivers without its delay, ahead of those sent before, as over a second and shorter path.
///
/// As netem's `reorder` and `gap` (tc-netem(8); netem_enqueue in the kernel's net/sched/sch_netem.c): of each `gap` packets
/// all but the last keep their delay, and the last is ahead with the probability `share`; one that is not keeps its chance
/// for the packet after it.
struct Reordering: Impairment {
  /// How likely a packet is ahead whose turn it is.
  var share: Probability
  /// Which packet's turn it is, counted from the last that was ahead; 1 is each.
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
        throw gap.error("\(gap.shown) is no gap, a whole number of packets, 1 or more")
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
      // How many packets in a row have kept their delay.
      if memory >= gap - 1, key.asked(.reordering).happens(share) {
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
  /// Has packets arrive without the link's delay, ahead of others: each that is the `gap`th since the last with the
  /// probability `share`.
  ///
  /// - Parameters:
  ///   - share: how likely a packet is ahead whose turn it is; zero keeps all in order.
  ///   - gap: every how manieth packet's turn it is, 1 or more.
  public mutating func reorder(_ share: Probability, gap: Int = 1) {
    impairments[Reordering.self] = share > .zero ? Reordering(share: share, gap: max(1, gap)) : .benign
  }

  /// How likely a packet is ahead whose turn it is, and which one's turn it is.
  package var reordering: (share: Probability, gap: Int) {
    let value = impairments[Reordering.self]
    return (value.share, value.gap)
  }
}

extension PacketEffect {
  /// The packet arrives without the link's delay.
  public static let ahead = PacketEffect(.reordering)
}
