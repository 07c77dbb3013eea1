import Internals

/// A trial's name in `--show-trial`, such as `subway/full-jitter/17`.
struct TrialName: Hashable {
  let profile: String
  let policy: String
  let seed: UInt64
}

extension TrialName {
  /// Parses a name; throws a ``UsageError`` that says which part is unknown and lists the known ones.
  init(_ text: String, among profiles: [String], _ policies: [String]) throws {
    // The name of a profile from a file may contain a slash.
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3, let seed = UInt64(parts[parts.count - 1]) else {
      throw UsageError(
        "--show-trial: \"\(text.printable.shortened(to: 60))\" is not a trial; write PROFILE/POLICY/SEED, for example "
          + "\(profiles.first ?? "3G")/\(policies.first ?? "none")/0")
    }
    // A plan may contain a slash, too, as in throttle(10/0.1).
    let places = 1..<parts.count - 1
    let middle = places.first { place in
      let name = parts[place..<(parts.count - 1)].joined(separator: "/").lowercased()
      return policies.contains { $0.lowercased() == name }
    }
    let place = middle ?? parts.count - 2
    self.init(
      profile: try Self.known(parts[..<place].joined(separator: "/"), among: profiles, "profiles"),
      policy: try Self.known(parts[place..<(parts.count - 1)].joined(separator: "/"), among: policies, "policies"),
      seed: seed)
  }

  private static func known(_ name: String, among names: [String], _ kind: String) throws -> String {
    if let known = names.first(where: { $0.lowercased() == name.lowercased() }) { return known }
    throw UsageError(
      "--show-trial: \"\(name.printable.shortened(to: 60))\" is not among the \(kind) of this run: "
        + names.map(\.printable).joined(separator: ", "))
  }
}
