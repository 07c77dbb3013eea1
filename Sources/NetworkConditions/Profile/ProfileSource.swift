public import Foundation

/// A way to name or pass a profile: a built-in profile's name, a file's path or URL, or the profile itself.
///
/// Every function that makes a network accepts each of these:
///
/// ```swift
/// SimulatedNetwork("tunnel@portal", seed: 42)
/// SimulatedNetwork("Profiles/office.json", seed: 42)
/// SimulatedNetwork(profile, seed: 42)
/// ```
public protocol ProfileSource: Sendable {
  /// The error of a missing profile; `Never` for a profile itself.
  associatedtype ProfileFailure: Error

  /// Looks the profile up.
  func networkProfile() throws(ProfileFailure) -> NetworkProfile
}

extension NetworkProfile: ProfileSource {
  /// Returns the profile itself.
  public func networkProfile() -> NetworkProfile { self }
}

extension ProfileSource where Self == NetworkProfile {
  /// A network without limits, delays, losses or faults.
  public static var unlimited: NetworkProfile { NetworkProfile.unlimited }
}

extension String: ProfileSource {
  /// Finds a built-in profile by its name or alias, or reads a file whose path ends in `.json`.
  ///
  /// After an `@`, both may say where the profile starts: `tunnel@portal`, `office.json@43 s`.
  ///
  /// - Throws: an error with similar names, or with the mistake in the file.
  public func networkProfile() throws(ProfileError) -> NetworkProfile {
    let ending = ".json"
    if hasSuffix(ending) { return try URL(fileURLWithPath: self).networkProfile() }
    guard utf8.contains(UInt8(ascii: "@")), let end = range(of: ending + "@", options: .backwards)
    else { return try .named(self) }
    let path = String(self[..<end.lowerBound]) + ending
    return try path.networkProfile().starting(at: String(self[end.upperBound...]))
  }
}

extension URL: ProfileSource {
  /// Reads a profile from a file in the profile format.
  public func networkProfile() throws(ProfileError) -> NetworkProfile { try NetworkProfile(contentsOf: self) }
}
