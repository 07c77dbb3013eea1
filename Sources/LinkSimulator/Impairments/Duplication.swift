/// An impairment: a link sends packets twice, as a radio whose acknowledgement was lost, or a flapping path.
///
/// The copy is queued right behind the packet and takes its own time on the link, as in netem (net/sched/sch_netem.c:
/// netem_enqueue). A full queue drops the copy. The receiver gets both.
struct Duplication: Impairment {
  var share: Probability

  static let kind = ImpairmentKind.duplication
  static let benign = Duplication(share: .zero)

  static func read<Reader: SettingReader>(_ reader: Reader) throws(Reader.Failure) -> Duplication {
    Duplication(share: try reader.probability())
  }

  var setting: Setting { .probability(share) }

  var draw: PacketDraw? {
    guard share > .zero else { return nil }
    return { [share] key, _, fate in
      if key.keyed(for: .duplication).happens(share) { fate.isDoubled = true }
    }
  }

  static let entry = PacketEffect.Entry.happens("doubled")
  static func amount(in fate: PacketFate) -> Int64? { fate.isDoubled ? 0 : nil }
  static func happen(_ amount: Int64, in fate: inout PacketFate) { fate.isDoubled = true }
  static func weaker(_ amount: Int64) -> [PacketEffect] { [] }
}

extension LinkConditions {
  /// The probability that a packet is sent twice.
  public var duplication: Probability {
    get { impairments[Duplication.self].share }
    set { impairments[Duplication.self] = Duplication(share: newValue) }
  }
}

extension PacketEffect {
  /// The link sends the packet twice.
  public static let doubled = PacketEffect(.duplication)
}
