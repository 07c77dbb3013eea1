/// Follows the rules of a profile: each must lead to a profile that exists and does not come back.
struct RuleCheck {
  private let file: String
  /// What a name leads to; nothing when it leads nowhere.
  private let find: (String) -> NetworkProfile?
  /// The names that resemble one that leads nowhere.
  private let near: (String) -> [String]

  /// Checks the rules of a profile from a file of its own, whose names lead to built-in profiles.
  static func check(_ entry: ProfileFormat.Entry, file: String) throws(ProfileError) {
    guard !entry.profile.rules.isEmpty else { return }
    let catalogue = try ProfileCatalogue.builtIn()
    let profile = entry.profile
    let own = Set(([profile.name] + profile.aliases).map { $0.lowercased() })
    let check = RuleCheck(
      file: file, find: { own.contains($0.lowercased()) ? profile : catalogue.find($0) }, near: catalogue.near)
    try check.check(entry)
  }

  /// Checks the rules of a profile of a catalogue.
  static func check(
    _ entry: ProfileFormat.Entry, file: String, among catalogue: ProfileCatalogue
  ) throws(ProfileError) {
    try RuleCheck(file: file, find: catalogue.find, near: catalogue.near).check(entry)
  }

  private func check(_ entry: ProfileFormat.Entry) throws(ProfileError) {
    let prefix = entry.path.isEmpty ? "" : "\(entry.path)."
    var known = Set<String>()
    for (index, rule) in entry.profile.rules.enumerated() {
      try follow(rule, trail: [entry.profile.name], path: "\(prefix)rules[\(index)].use", known: &known)
    }
  }

  /// - Parameters:
  ///   - trail: the names on the way, the profile's own first.
  ///   - known: the names whose rules have been followed to their ends.
  private func follow(
    _ rule: ProfileRule, trail: [String], path: String, known: inout Set<String>
  ) throws(ProfileError) {
    let target: NetworkProfile
    switch rule.target {
    case .profile(let inline):
      target = inline
    case .named(let name):
      guard let found = find(name) else {
        throw .value(
          file: file, path: path, reason: ProfileError.unknownName(name, near: near(name)).description)
      }
      if trail.contains(where: { $0.lowercased() == found.name.lowercased() }) {
        let way = (trail + [found.name]).map(\.quoted).joined(separator: " uses ")
        throw .value(file: file, path: path, reason: "\(way): rules must not lead in a circle")
      }
      guard known.insert(found.name.lowercased()).inserted else { return }
      target = found
    }
    for next in target.rules {
      try follow(next, trail: trail + [target.name], path: path, known: &known)
    }
  }
}
