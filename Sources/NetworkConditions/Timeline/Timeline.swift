import Internals

/// All that happened in a network up to now: a value, taken at one instant.
public struct Timeline: Hashable, Sendable {
  /// The transfers, in the order of the clients' calls.
  public let transfers: [Transfer]
  package static let mostTransfers = 100_000
  /// How many of the transfers that ended first were dropped to keep memory bounded.
  public let droppedTransfers: Int
  /// The events, in the order of their times.
  public let events: [NetworkEvent]
  /// How many of the oldest events were dropped to keep memory bounded.
  public let droppedEvents: Int
  /// The seed that decides everything that is left to chance.
  public let seed: UInt64
  /// The profile that is in force, or was last.
  public let profile: String
  /// The conditions that the network was given, and since when: at first its profile, then what code has changed.
  ///
  /// Of very many changes the oldest are left out. Profiles that rules send requests to are not among them.
  public let conditions: [AppliedConditions]
  /// The packet logs of the main path and each that rules send requests to; empty unless
  /// ``SimulatedNetwork/recordsPackets`` is set.
  public let packets: [PathPackets]
  /// When this timeline was taken.
  public let time: SimulatedInstant
  /// Takes secrets out of texts, as the network does.
  public private(set) var redaction = Redaction.standard
  /// Empty unless ``SimulatedNetwork/recordsContents`` is set.
  package private(set) var details = RunDetails()

  /// The events of one transfer.
  public func events(of transfer: Transfer) -> [NetworkEvent] {
    events.filter { $0.transfer == transfer.number }
  }
}

extension Timeline: CustomStringConvertible {
  /// The profile and the seed, then one line for each transfer; of very many the first.
  public var description: String {
    let head = "profile \(profile), seed \(seed), \(transfers.count) transfers until \(time)"
    return transfers.isEmpty ? head : "\(head)\n\(Excerpt.of(transfers.lazy.map(\.summary), "transfer"))"
  }
}

/// A launched client has changed a file, or synchronised one.
package struct FileEvent: Hashable, Sendable {
  package var time: SimulatedInstant
  /// Whether the access changes the file.
  package var isChange: Bool
  /// Whether something is written then that was not synchronised: a loss of power loses it.
  package var isUnsynchronised: Bool
}

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
