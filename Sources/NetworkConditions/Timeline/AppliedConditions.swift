/// What a network was told to do from a time on, until it was told something else: a profile, or to be offline.
public struct AppliedConditions: Hashable, Sendable {
  /// The profile's name.
  public let profile: String
  /// Since when.
  public let start: SimulatedInstant
  /// What holds when, in the network's own time.
  public let schedule: ConditionSchedule

  /// Creates a record of conditions.
  public init(profile: String, start: SimulatedInstant, schedule: ConditionSchedule) {
    self.profile = profile
    self.start = start
    self.schedule = schedule
  }
}
