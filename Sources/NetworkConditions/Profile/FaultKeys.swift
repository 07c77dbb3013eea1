/// What identifies a fault rule in every draw of chance: what it says, not where it stands.
///
/// So taking a rule away leaves the draws of all others where they were, and shrinking can remove one at a time. The
/// probability is no part of it: a rule made likelier strikes where it struck before, and in more places. Rules that
/// are equal otherwise are told apart by their turn among each other. Nor does it matter where the profile begins.
enum FaultKeys {
  static func keys(of faults: [FaultRule], profile: String) -> [UInt64] {
    guard !faults.isEmpty else { return [] }
    var turns: [UInt64: UInt64] = [:]
    let start = KeyedRandom(seed: 0).keyed(by: "fault").keyed(by: String(profile.prefix { $0 != "@" }))
    return faults.map { fault in
      let content = start.keyed(by: identity(of: fault))
      let turn = turns[content.bits, default: 0]
      turns[content.bits] = turn + 1
      return content.keyed(by: turn).bits
    }
  }

  private static func identity(of fault: FaultRule) -> String {
    FaultRule(fault.kind, match: fault.match).document.compactText
  }
}
