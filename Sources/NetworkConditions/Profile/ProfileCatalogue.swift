import BuiltInProfiles
import Foundation
import Internals

/// The built-in profiles, read once at their first use.
struct ProfileCatalogue: Sendable {
  let profiles: [NetworkProfile]
  /// The index of each profile by its name and aliases, in lowercase.
  private let places: [String: Int]

  private static let loaded = Result { () throws(ProfileError) in
    try ProfileCatalogue(files: BuiltInProfiles.files.map { ($0.name, Data($0.bytes)) })
  }

  static func builtIn() throws(ProfileError) -> ProfileCatalogue {
    try loaded.get()
  }

  /// Reads files with one profile or a list each, and checks all names and rules together.
  init(files: [(name: String, bytes: Data)]) throws(ProfileError) {
    var entries: [(file: String, entry: NetworkProfileFormat.Entry)] = []
    for file in files {
      for entry in try NetworkProfileFormat.entries(in: file.bytes, file: file.name) {
        entries.append((file.name, entry))
      }
    }
    if !entries.contains(where: { $0.entry.profile.name == NetworkProfile.unlimited.name }) {
      entries.append(("unlimited", NetworkProfileFormat.Entry(profile: .unlimited, path: "")))
    }
    profiles = entries.map(\.entry.profile)
    var places: [String: Int] = [:]
    for (index, profile) in profiles.enumerated() {
      for name in [profile.name] + profile.aliases {
        guard let other = places.updateValue(index, forKey: name.lowercased()) else { continue }
        let (file, entry) = entries[index]
        throw .value(
          file: file, path: entry.path,
          reason: "the name \(name.quoted) is taken by \(profiles[other].name.quoted) in \(entries[other].file)")
      }
    }
    self.places = places
    for (file, entry) in entries { try RuleCheck.check(entry, file: file, among: self) }
  }

  /// Finds a profile by its name or alias, in any case, and starts it at the moment after an `@`.
  func find(_ name: String) throws(ProfileError) -> NetworkProfile {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard let place = places[parts[0].lowercased()] else { throw .unknownName(parts[0], near: near(parts[0])) }
    var profile = profiles[place]
    for moment in parts.dropFirst() { profile = try profile.starting(at: moment) }
    return profile
  }

  /// Whether the profile equals the built-in profile with its name; fast, because each trial of a search asks.
  func contains(_ profile: NetworkProfile) -> Bool {
    let name = profile.name.prefix { $0 != "@" }
    return places[name.lowercased()] != nil && (try? find(profile.name)) == profile
  }

  func near(_ name: String) -> [String] {
    var near: [String] = []
    for found in NearNames.find(name, among: profiles.flatMap { [$0.name] + $0.aliases }) where !near.contains(found) {
      near.append(found)
    }
    return near
  }
}

extension NetworkProfile {
  /// Finds a built-in profile by its name or alias, in any case, such as `3G` or `tunnel@portal`.
  ///
  /// The text after an `@` says where the profile starts: at a time (`tunnel@43 s`), with a phase (`tunnel@portal`), or
  /// before one (`tunnel@2 s before portal`; see ``starting(at:)-(String)``). Every name of a profile may have this.
  ///
  /// - Throws: ``ProfileError/unknownName(_:near:)``, which lists the names that resemble it, and
  ///   ``ProfileError/unknownMoment(_:reason:)``, which lists the phases.
  public static func named(_ name: String) throws(ProfileError) -> NetworkProfile {
    try ProfileCatalogue.builtIn().find(name)
  }

  /// All built-in profiles, in the order of their files.
  ///
  /// - Throws: an error with the file and the place if a built-in file is broken; the package's tests prevent that.
  public static var all: [NetworkProfile] {
    get throws(ProfileError) { try ProfileCatalogue.builtIn().profiles }
  }
}
