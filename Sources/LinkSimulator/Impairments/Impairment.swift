/// Something adverse that a link does to single packets, told from all else by its type.
///
/// An impairment is one file of this folder and one case of ``ImpairmentKind``. Its file holds the value with its words in
/// a profile, what it draws for a packet, and what it says of one packet in a schedule. All else follows from these:
/// profiles, recording and replay, shrinking, what is benign.
package protocol Impairment: Hashable, Sendable {
  /// Its place in the list of all.
  static var kind: ImpairmentKind { get }
  /// The value that leaves every packet alone.
  static var benign: Self { get }

  /// Reads what a profile says behind the key ``ImpairmentKind/name``.
  static func read<Reader: SettingReader>(_ reader: Reader) throws(Reader.Failure) -> Self
  /// How a profile says it, to be read again.
  var setting: Setting { get }

  /// The question about each packet, with all that can be computed before; `nil` when the answer is always no.
  var draw: PacketDraw? { get }

  /// How a schedule says what happened to one packet.
  static var entry: PacketEffect.Entry { get }
  /// How many nanoseconds of it there are in a packet's fate, 0 for what has no length; `nil` for none of it.
  static func amount(in fate: PacketFate) -> Int64?
  /// Has it happen to a packet, unless something else has happened that excludes it.
  static func happen(_ amount: Int64, in fate: inout PacketFate)
  /// The effects that do less harm to the packet, such as a delay in the place of a loss; the most harmless first.
  static func weaker(_ amount: Int64) -> [PacketEffect]
}

extension Impairment {
  fileprivate func isEqual(to other: any Impairment) -> Bool { other as? Self == self }
}

/// All impairments, in the order in which a search for the cause of a failure leaves whole kinds of them out.
package enum ImpairmentKind: Int, CaseIterable, Sendable {
  case jitter
  case reordering
  case duplication
  case corruption
  case loss

  package var type: any Impairment.Type {
    switch self {
    case .jitter: Jitter.self
    case .reordering: Reordering.self
    case .duplication: Duplication.self
    case .corruption: Corruption.self
    case .loss: LossModel.self
    }
  }

  /// Its key in a profile, and its word for people.
  package var name: String { "\(self)" }
}

/// Asks chance about one packet, by a key that belongs to the packet alone.
///
/// The memory of the flow's packet before, from 0 at the beginning, is handed in and out.
package typealias PacketDraw = @Sendable (KeyedRandom, _ memory: inout Double, inout PacketFate) -> Void

/// A question to chance about a packet; each has a key of its own, so that answers are independent.
enum Question: UInt64 {
  case loss = 1
  case transition
  case jitter
  case corruption
  case duplication
  case reordering
}

extension KeyedRandom {
  /// The key of a question about what this is the key of.
  func asked(_ question: Question) -> KeyedRandom { keyed(by: question.rawValue) }
}

/// The fate of one packet, beside what the queue and the rate make of it.
package struct PacketFate: Hashable, Sendable {
  /// Why it does not arrive, if it does not.
  package var loss: PacketLoss?
  /// By how many nanoseconds it deviates from the link's delay.
  package var deviation: Int64 = 0
  /// Whether it arrives as soon as the link has carried it, ahead of those that the link's delay holds.
  package var isAhead = false
  /// Whether it is sent twice.
  package var isDoubled = false

  package init() {}
}

/// The memory that one packet hands on to the next of its flow, a number for each impairment: there is room for eight.
struct FlowMemory: Hashable, Sendable {
  private var numbers = SIMD8<Double>.zero

  subscript(_ kind: ImpairmentKind) -> Double {
    get { numbers[kind.rawValue] }
    set { numbers[kind.rawValue] = newValue }
  }
}

/// The impairments of one direction, each with its value.
struct Impairments: Hashable, Sendable {
  /// Those that are not benign, in the order of their kinds.
  private var values: [any Impairment] = []

  subscript<Value: Impairment>(_ type: Value.Type) -> Value {
    get {
      for value in values {
        if let value = value as? Value { return value }
      }
      return .benign
    }
    set { set(newValue) }
  }

  mutating func set(_ value: some Impairment) {
    values.removeAll { type(of: $0).kind == type(of: value).kind }
    guard value != .benign else { return }
    let place = values.firstIndex { type(of: $0).kind.rawValue > type(of: value).kind.rawValue }
    values.insert(value, at: place ?? values.count)
  }

  subscript(_ kind: ImpairmentKind) -> any Impairment {
    values.first { type(of: $0).kind == kind } ?? kind.type.benign
  }

  /// The questions about each packet.
  var draws: [(kind: ImpairmentKind, draw: PacketDraw)] {
    values.compactMap { value in value.draw.map { (type(of: value).kind, $0) } }
  }

  static func == (one: Impairments, other: Impairments) -> Bool {
    one.values.count == other.values.count && zip(one.values, other.values).allSatisfy { $0.isEqual(to: $1) }
  }

  func hash(into hasher: inout Hasher) {
    for value in values { value.hash(into: &hasher) }
  }
}

extension LinkConditions {
  /// The impairment of this kind.
  package subscript(_ kind: ImpairmentKind) -> any Impairment { impairments[kind] }

  /// Puts an impairment in the place of the one of its kind.
  package mutating func set(_ impairment: some Impairment) { impairments.set(impairment) }

  /// Whether the link does anything of this kind.
  package func has(_ kind: ImpairmentKind) -> Bool { self[kind].draw != nil }

  /// The same link without what is left to chance.
  package var benign: LinkConditions {
    var link = self
    link.impairments = Impairments()
    return link
  }
}
