public import NetworkConditions

/// A profile that was read from another tool's format.
public struct ImportedProfile: Hashable, Sendable {
  /// The profile; its source names the format and repeats the losses, so that a file made of it shows them, too.
  public var profile: NetworkProfile
  /// What the format says and the simulator cannot hold.
  public var losses: [FormatLoss]

  /// Creates a record of an import, and notes format and losses as the profile's source.
  public init(_ profile: NetworkProfile, from format: some ProfileCoding, losses: [FormatLoss] = []) {
    self.profile = profile
    self.losses = losses
    var source = "imported from \(format.name)"
    if !losses.isEmpty {
      let most = 20
      source += "; not held: \(losses.prefix(most).map(\.description).joined(separator: "; "))"
      if losses.count > most { source += "; and \(losses.count - most) more" }
    }
    self.profile.source = source
  }
}
