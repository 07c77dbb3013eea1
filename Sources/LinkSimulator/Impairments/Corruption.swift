/// Packets that arrive damaged, so that the receiver's checksum drops them.
///
/// The link has carried such a packet, and nobody gets it: to TCP it is lost, as one that netem's `corrupt` has changed a
/// bit of (net/sched/sch_netem.c). Damage that no checksum sees is a fault of a request.
struct Corruption: Impairment {
  /// How likely each packet is damaged.
  var share: Probability

  static let kind = ImpairmentKind.corruption
  static let benign = Corruption(share: .zero)

  static func read<Reader: SettingReader>(_ reader: Reader) throws(Reader.Failure) -> Corruption {
    Corruption(share: try reader.probability())
  }

  var setting: Setting { .probability(share) }

  var draw: PacketDraw? {
    guard share > .zero else { return nil }
    return { [share] key, _, fate in
      if key.asked(.corruption).happens(share) { fate.loss = .corruption }
    }
  }

  static let entry = PacketEffect.Entry.happens("corrupted")
  static func amount(in fate: PacketFate) -> Int64? { fate.loss == .corruption ? 0 : nil }
  static func happen(_ amount: Int64, in fate: inout PacketFate) { fate.lose(.corruption) }
  static func weaker(_ amount: Int64) -> [PacketEffect] { [.lost] + LossModel.weaker(0) }
}

extension LinkConditions {
  /// How likely each packet is damaged on its way, and dropped by its receiver.
  public var corruption: Probability {
    get { impairments[Corruption.self].share }
    set { impairments[Corruption.self] = Corruption(share: newValue) }
  }
}

extension PacketEffect {
  /// The packet has used the link, and its receiver drops it, since its checksum is wrong.
  public static let corrupted = PacketEffect(.corruption)
}
