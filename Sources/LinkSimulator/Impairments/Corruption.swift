/// An impairment: packets arrive corrupted, and the receiver's checksum rejects them.
///
/// The link has carried such a packet, but for TCP it is lost, as with netem's `corrupt` (net/sched/sch_netem.c).
/// Corruption that a checksum misses is a fault of a request instead.
struct Corruption: Impairment {
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
      if key.keyed(for: .corruption).happens(share) { fate.loss = .corruption }
    }
  }

  static let entry = PacketEffect.Entry.happens("corrupted")
  static func amount(in fate: PacketFate) -> Int64? { fate.loss == .corruption ? 0 : nil }
  static func happen(_ amount: Int64, in fate: inout PacketFate) { fate.lose(.corruption) }
  static func weaker(_ amount: Int64) -> [PacketEffect] { [.lost] + LossModel.weaker(0) }
}

extension LinkConditions {
  /// The probability that a packet is corrupted, and therefore dropped by its receiver.
  public var corruption: Probability {
    get { impairments[Corruption.self].share }
    set { impairments[Corruption.self] = Corruption(share: newValue) }
  }
}

extension PacketEffect {
  /// The link carries the packet, and the receiver drops it for a wrong checksum.
  public static let corrupted = PacketEffect(.corruption)
}
