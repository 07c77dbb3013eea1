public import Foundation

/// Something that gives a profile: the name of a built-in one, the path or the URL of a file, or the profile itself.
///
/// Wherever a network is asked for, each of these may stand:
///
/// ```swift
/// SimulatedNetwork("tunnel@portal", seed: 42)
/// SimulatedNetwork("Profiles/office.json", seed: 42)
/// SimulatedNetwork(profile, seed: 42)
/// ```
public protocol ProfileSource: Sendable {
  /// Why there may be no profile; `Never` of a profile itself.
  associatedtype ProfileFailure: Error

  /// Looks the profile up.
  func networkProfile() throws(ProfileFailure) -> NetworkProfile
}

extension NetworkProfile: ProfileSource {
  /// Returns the profile itself.
  public func networkProfile() -> NetworkProfile { self }
}

extension ProfileSource where Self == NetworkProfile {
  /// A network without a limit, a delay, a loss or a fault.
  public static var unlimited: NetworkProfile { NetworkProfile.unlimited }
}

extension String: ProfileSource {
  /// Looks up a built-in profile by its name or an alias, or reads a file whose path ends in `.json`.
  ///
  /// Behind an `@` both may say where the profile begins: `tunnel@portal`, `office.json@43 s`.
  ///
  /// - Throws: an error that lists the names that are near, or says what is wrong with the file.
  public func networkProfile() throws(ProfileError) -> NetworkProfile {
    let ending = ".json"
    if hasSuffix(ending) { return try URL(fileURLWithPath: self).networkProfile() }
    guard let end = range(of: ending + "@", options: .backwards) else { return try .named(self) }
    let path = String(self[..<end.lowerBound]) + ending
    return try path.networkProfile().starting(at: String(self[end.upperBound...]))
  }
}

extension URL: ProfileSource {
  /// Reads the profile of a file in the profile format.
  public func networkProfile() throws(ProfileError) -> NetworkProfile { try NetworkProfile(contentsOf: self) }
}
