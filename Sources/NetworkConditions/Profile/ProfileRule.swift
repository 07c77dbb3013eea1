/// Sends matching requests over a network with another profile.
public struct ProfileRule: Hashable, Sendable {
  /// The profile whose network carries a rule's requests.
  public indirect enum Target: Hashable, Sendable {
    /// A built-in profile, by its name or alias.
    case named(String)
    /// A profile that need not be built in.
    case profile(NetworkProfile)
  }

  /// The requests that the rule applies to; `nth` is ignored.
  public let match: RequestMatch
  /// The profile for these requests.
  public let target: Target

  /// Creates a rule for a built-in profile, by its name or alias.
  public init(match: RequestMatch, use name: String) {
    self.init(match: match, target: .named(name))
  }

  /// Creates a rule: the matching requests use this profile.
  public init(match: RequestMatch, use profile: NetworkProfile) {
    self.init(match: match, target: .profile(profile))
  }

  init(match: RequestMatch, target: Target) {
    var match = match
    match.nth = nil
    self.match = match
    self.target = target
  }

  /// Looks up the rule's profile.
  ///
  /// - Throws: an error with similar names if no built-in profile has the name.
  public func profile() throws(ProfileError) -> NetworkProfile {
    switch target {
    case .named(let name): try NetworkProfile.named(name)
    case .profile(let profile): profile
    }
  }
}
