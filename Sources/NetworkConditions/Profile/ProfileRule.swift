/// Sends requests that match to another profile: a different network for them alone.
public struct ProfileRule: Hashable, Sendable {
  /// The profile that a rule leads to.
  public indirect enum Target: Hashable, Sendable {
    /// A built-in profile, by its name or an alias.
    case named(String)
    /// A profile of its own.
    case profile(NetworkProfile)
  }

  /// Which requests are meant; their occurrence (`nth`) is not used.
  public let match: RequestMatch
  /// Which profile they travel under.
  public let target: Target

  /// Creates a rule that leads to a built-in profile, by its name or an alias.
  public init(match: RequestMatch, use name: String) {
    self.init(match: match, target: .named(name))
  }

  /// Creates a rule that leads to a profile of its own.
  public init(match: RequestMatch, use profile: NetworkProfile) {
    self.init(match: match, target: .profile(profile))
  }

  init(match: RequestMatch, target: Target) {
    var match = match
    match.nth = nil
    self.match = match
    self.target = target
  }

  /// The profile that it leads to.
  ///
  /// - Throws: an error that lists near names when it leads to a name that no built-in profile has.
  public func profile() throws(ProfileError) -> NetworkProfile {
    switch target {
    case .named(let name): try NetworkProfile.named(name)
    case .profile(let profile): profile
    }
  }
}
