/// A per-packet impairment of a link.
///
/// An impairment is one file of this folder and one case of ``ImpairmentKind``. The file defines its value, its words
/// in a profile, its random draw for a packet, and its words in a schedule. Profiles, recording, replay and shrinking
/// need nothing else.
package protocol Impairment: Hashable, Sendable {
  /// The impairment's case in the list of all impairments.
  static var kind: ImpairmentKind { get }
  /// The value that affects no packet.
  static var benign: Self { get }

  /// Reads the value that a profile has for the key ``ImpairmentKind/name``.
  static func read<Reader: SettingReader>(_ reader: Reader) throws(Reader.Failure) -> Self
  /// The value as a profile writes it, in the form that `read` accepts.
  var setting: Setting { get }

  /// The random draw for each packet, with constants computed in advance; `nil` when it affects no packet.
  var draw: PacketDraw? { get }

  /// The words in a schedule for this impairment's effect on one packet.
  static var entry: PacketEffect.Entry { get }
  /// The effect's length in nanoseconds, 0 if it has none; `nil` if the fate lacks this effect.
  static func amount(in fate: PacketFate) -> Int64?
  /// Applies the effect to a packet's fate, unless an earlier effect excludes it.
  static func happen(_ amount: Int64, in fate: inout PacketFate)
  /// Effects that harm the packet less, such as a delay instead of a loss; the most harmless first.
  static func weaker(_ amount: Int64) -> [PacketEffect]
}

extension Impairment {
  fileprivate func isEqual(to other: any Impairment) -> Bool { other as? Self == self }
}

/// All kinds of impairments, in the order in which shrinking a failure tries to remove them.
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

  /// The kind's key in a profile and its name in reports.
  package var name: String { "\(self)" }
}

/// Draws one impairment for a packet, with a random key that belongs to this packet alone.
///
/// `memory` is the value that the draw for the flow's previous packet stored; it starts at 0.
package typealias PacketDraw = @Sendable (KeyedRandom, _ memory: inout Double, inout PacketFate) -> Void

/// The purposes of random draws for a packet; each has its own key, so draws are independent.
enum DrawPurpose: UInt64 {
  case loss = 1
  case transition
  case jitter
  case corruption
  case duplication
  case reordering
}

/// An impairment's random draw for each packet; a tuple in an array would wrap the function once more.
struct Drawing: Sendable {
  let kind: ImpairmentKind
  let draw: PacketDraw
}

extension KeyedRandom {
  /// Derives the key of one draw from this packet's key, so that draws are independent.
  func keyed(for purpose: DrawPurpose) -> KeyedRandom { keyed(by: purpose.rawValue) }
}

/// What the impairments do to one packet, apart from queue and rate.
package struct PacketFate: Hashable, Sendable {
  package var loss: PacketLoss?
  /// The packet's deviation from the link's delay, in nanoseconds.
  package var deviation: Int64 = 0
  /// Whether the packet skips the link's delay, and so overtakes others.
  package var isAhead = false
  package var isDoubled = false

  package init() {}
}

/// What each impairment remembers from a flow's previous packet: one number each, for at most eight impairments.
struct FlowMemory: Hashable, Sendable {
  private var numbers = SIMD8<Double>.zero

  subscript(_ kind: ImpairmentKind) -> Double {
    get { numbers[kind.rawValue] }
    set { numbers[kind.rawValue] = newValue }
  }
}

struct Impairments: Hashable, Sendable {
  /// The values that affect packets, ordered by kind.
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

  var draws: [Drawing] {
    values.compactMap { value in value.draw.map { Drawing(kind: type(of: value).kind, draw: $0) } }
  }

  /// The loss, if it is the only impairment, and independent.
  var lossAlone: IndependentLoss? {
    guard values.count == 1, case .independent(let probability)? = values[0] as? LossModel else { return nil }
    return IndependentLoss(probability: probability)
  }

  static func == (one: Impairments, other: Impairments) -> Bool {
    one.values.count == other.values.count && zip(one.values, other.values).allSatisfy { $0.isEqual(to: $1) }
  }

  func hash(into hasher: inout Hasher) {
    for value in values { value.hash(into: &hasher) }
  }
}

extension LinkConditions {
  package subscript(_ kind: ImpairmentKind) -> any Impairment { impairments[kind] }

  package mutating func set(_ impairment: some Impairment) { impairments.set(impairment) }

  package func has(_ kind: ImpairmentKind) -> Bool { self[kind].draw != nil }

  package var benign: LinkConditions {
    var link = self
    link.impairments = Impairments()
    return link
  }
}
