import BuiltInProfiles
import Foundation
import Internals
import Synchronization

/// The built-in profiles.
///
/// A file is read when one of its profiles is first used: reading all takes as long as starting a process.
enum ProfileCatalogue {
  /// The index of each profile's file by the profile's name and aliases, in lowercase.
  private static let places = Dictionary(
    BuiltInProfiles.files.enumerated().flatMap { place, file in file.names.map { ($0.lowercased(), place) } },
    uniquingKeysWith: { $1 })
  private static let slots = BuiltInProfiles.files.map { _ in Slot() }

  /// The profiles of a file, once they are read; lock-free, because engines ask while they hold their own lock.
  private final class Slot: Sendable {
    let read = AtomicLazyReference<ReadFile>()
  }
  private final class ReadFile: Sendable {
    let profiles: [NetworkProfile]
    init(_ profiles: [NetworkProfile]) { self.profiles = profiles }
  }

  private static func profiles(in place: Int) throws(ProfileError) -> [NetworkProfile] {
    let slot = slots[place]
    if let known = slot.read.load() { return known.profiles }
    let file = BuiltInProfiles.files[place]
    let profiles = try NetworkProfileFormat.entries(in: Data(file.bytes), file: file.name).map(\.profile)
    return slot.read.storeIfNil(ReadFile(profiles)).profiles
  }

  static func all() throws(ProfileError) -> [NetworkProfile] {
    var all: [NetworkProfile] = []
    for place in BuiltInProfiles.files.indices { all += try profiles(in: place) }
    return all
  }

  /// Finds a profile by its name or alias, in any case, and starts it at the moment after an `@`.
  static func find(_ name: String) throws(ProfileError) -> NetworkProfile {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    let wanted = parts[0].lowercased()
    guard let place = places[wanted],
      var profile = try profiles(in: place).first(where: { profile in
        ([profile.name] + profile.aliases).contains { $0.lowercased() == wanted }
      })
    else { throw .unknownName(parts[0], near: near(parts[0])) }
    for moment in parts.dropFirst() { profile = try profile.starting(at: moment) }
    return profile
  }

  /// Whether the profile equals the built-in profile with its name; fast, because each trial of a search asks.
  static func contains(_ profile: NetworkProfile) -> Bool {
    let name = profile.name.prefix { $0 != "@" }
    return places[name.lowercased()] != nil && (try? find(profile.name)) == profile
  }

  static func near(_ name: String) -> [String] {
    var near: [String] = []
    for found in NearNames.find(name, among: BuiltInProfiles.files.flatMap(\.names)) where !near.contains(found) {
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
    try ProfileCatalogue.find(name)
  }

  /// All built-in profiles, in the order of their files.
  ///
  /// - Throws: an error with the file and the place if a built-in file is broken; the package's tests prevent that.
  public static var all: [NetworkProfile] {
    get throws(ProfileError) { try ProfileCatalogue.all() }
  }
}
