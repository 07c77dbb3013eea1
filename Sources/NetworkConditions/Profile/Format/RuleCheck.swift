struct RuleCheck {
  private let file: String
  /// The profile that is checked; its own rules must not lead back to it.
  private let profile: NetworkProfile

  /// Checks that a profile's rules name existing built-in profiles, and never the profile itself.
  static func check(_ entry: NetworkProfileFormat.Entry, file: String) throws(ProfileError) {
    guard !entry.profile.rules.isEmpty else { return }
    try RuleCheck(file: file, profile: entry.profile).check(entry)
  }

  private func find(_ name: String) throws(ProfileError) -> NetworkProfile {
    let isOwn = ([profile.name] + profile.aliases).contains { $0.lowercased() == name.lowercased() }
    return isOwn ? profile : try ProfileCatalogue.find(name)
  }

  private func check(_ entry: NetworkProfileFormat.Entry) throws(ProfileError) {
    let prefix = entry.path.isEmpty ? "" : "\(entry.path)."
    var known = Set<String>()
    var profiles = [entry.profile.name: entry.profile]
    for (index, rule) in entry.profile.rules.enumerated() {
      let path = "\(prefix)rules[\(index)].use"
      try follow(rule, trail: [entry.profile.name], path: path, known: &known)
      // Paths are distinguished only by their profiles' names.
      let target = try target(of: rule, path: path)
      if let other = profiles.updateValue(target, forKey: target.name), other != target {
        throw .value(file: file, path: path, reason: "another profile is called \(target.name.quoted) here; rename one")
      }
    }
  }

  private func target(of rule: ProfileRule, path: String) throws(ProfileError) -> NetworkProfile {
    switch rule.target {
    case .profile(let inline): return inline
    case .named(let name):
      do throws(ProfileError) {
        return try find(name)
      } catch {
        throw .value(file: file, path: path, reason: error.description)
      }
    }
  }

  /// Follows a rule's chain of profiles to its ends; `trail` has the names on the way, `known` the names already
  /// checked.
  private func follow(
    _ rule: ProfileRule, trail: [String], path: String, known: inout Set<String>
  ) throws(ProfileError) {
    let target = try target(of: rule, path: path)
    if case .named = rule.target {
      if trail.contains(where: { $0.lowercased() == target.name.lowercased() }) {
        let way = (trail + [target.name]).map(\.quoted).joined(separator: " uses ")
        throw .value(file: file, path: path, reason: "\(way): rules must not form a circle")
      }
      guard known.insert(target.name.lowercased()).inserted else { return }
    }
    for next in target.rules {
      try follow(next, trail: trail + [target.name], path: path, known: &known)
    }
  }
}
