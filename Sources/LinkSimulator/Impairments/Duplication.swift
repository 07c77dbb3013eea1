/// Packets that a link sends twice, as a radio does whose acknowledgement was lost, or a path that flaps.
///
/// The copy is handed to the queue right behind the packet and takes its time on the link, as netem's does
/// (netem_enqueue in the kernel's net/sched/sch_netem.c); where the queue is full there is none. The receiver gets both.
struct Duplication: Impairment {
  /// How likely each packet is sent twice.
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
      if key.asked(.duplication).happens(share) { fate.isDoubled = true }
    }
  }

  static let entry = PacketEffect.Entry.happens("doubled")
  static func amount(in fate: PacketFate) -> Int64? { fate.isDoubled ? 0 : nil }
  static func happen(_ amount: Int64, in fate: inout PacketFate) { fate.isDoubled = true }
  static func weaker(_ amount: Int64) -> [PacketEffect] { [] }
}

extension LinkConditions {
  /// How likely each packet is sent twice.
  public var duplication: Probability {
    get { impairments[Duplication.self].share }
    set { impairments[Duplication.self] = Duplication(share: newValue) }
  }
}

extension PacketEffect {
  /// The link sends the packet twice.
  public static let doubled = PacketEffect(.duplication)
}
