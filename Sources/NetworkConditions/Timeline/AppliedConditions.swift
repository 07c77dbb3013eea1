/// The conditions that a network was given from a time on, until it was given others: a profile, or to be offline.
public struct AppliedConditions: Hashable, Sendable {
  /// The profile's name.
  public let profile: String
  /// Since when.
  public let start: SimulatedInstant
  /// The phases that hold, in the network's own time.
  public let schedule: ConditionSchedule

  /// Creates a record of conditions.
  public init(profile: String, start: SimulatedInstant, schedule: ConditionSchedule) {
    self.profile = profile
    self.start = start
    self.schedule = schedule
  }
}
