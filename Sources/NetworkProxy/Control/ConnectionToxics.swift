import LinkSimulator

/// The toxics that strike one connection, and their effects beside the link.
struct ConnectionToxics {
  private(set) var all: [Toxic] = []
  private var chance = KeyedRandom(seed: 0)
  private var effects: [Direction: ToxicEffects] = [:]

  init(chance: KeyedRandom = KeyedRandom(seed: 0)) { self.chance = chance }

  /// The names of those that strike only some connections, and change the link.
  var ownLink: [String] { all.filter { $0.kind.isOfLink && $0.toxicity < 1 }.map(\.name) }

  /// Draws its toxics from those of its proxy, each always alike; returns those that did not strike it before.
  mutating func draw(from toxics: [Toxic]) -> [Toxic] {
    let before = all
    all = toxics.filter { toxic in
      guard toxic.toxicity < 1, let share = Probability(toxic.toxicity) else { return true }
      return chance.keyed(by: toxic.name).happens(share)
    }
    for direction in Direction.allCases {
      let new = ToxicEffects(all.filter { $0.direction == direction }, passed: effects[direction]?.passed ?? 0)
      effects[direction] = new.isIdle ? nil : new
    }
    return all.filter { !before.contains($0) }
  }

  /// What they do to one direction; `nil` where they do nothing.
  subscript(direction: Direction) -> ToxicEffects? {
    get { effects[direction] }
    set { effects[direction] = newValue }
  }

  /// How many bytes may pass to an end now.
  func allowance(_ direction: Direction, at time: SimulatedInstant) -> Int {
    effects[direction]?.allowance(at: time, chance.keyed(by: UInt64(direction == .up ? 1 : 2))) ?? .max
  }
}
