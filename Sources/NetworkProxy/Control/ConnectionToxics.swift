import LinkSimulator

/// The toxics that apply to one connection, and their effects other than those on the link.
struct ConnectionToxics {
  private(set) var all: [Toxic] = []
  private var chance = KeyedRandom(seed: 0)
  /// The effects on each direction that has any.
  var effects: [Direction: ToxicEffects] = [:]

  init(chance: KeyedRandom = KeyedRandom(seed: 0)) { self.chance = chance }

  /// The names of this connection's link toxics with a toxicity below 1.
  var ownLink: [String] { all.filter { $0.kind.isOfLink && $0.toxicity < 1 }.map(\.name) }

  /// Draws the connection's toxics from its proxy's, with the same result each time; returns the new ones.
  mutating func draw(from toxics: [Toxic]) -> [Toxic] {
    let before = all
    all = toxics.filter { chance.keyed(by: $0.name).happens(Probability($0.toxicity) ?? .one) }
    for direction in Direction.allCases {
      let new = ToxicEffects(all.filter { $0.direction == direction }, passed: effects[direction]?.passed ?? 0)
      effects[direction] = new.isIdle ? nil : new
    }
    return all.filter { !before.contains($0) }
  }

  /// How many bytes may pass now in one direction.
  func allowance(_ direction: Direction, at time: SimulatedInstant) -> Int {
    effects[direction]?.allowance(at: time, chance.keyed(by: UInt64(direction == .up ? 1 : 2))) ?? .max
  }
}
