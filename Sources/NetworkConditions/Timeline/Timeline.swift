import Internals

/// The record of a network's events and transfers up to one instant.
public struct Timeline: Hashable, Sendable {
  /// The transfers, in the order of the clients' calls.
  public let transfers: [Transfer]
  package static let mostTransfers = 100_000
  /// The number of old transfers that were dropped to bound memory; the first ended are dropped first.
  public let droppedTransfers: Int
  /// The events, in order of time.
  public let events: [NetworkEvent]
  /// The number of oldest events that were dropped to bound memory.
  public let droppedEvents: Int
  /// The seed that decides all chance.
  public let seed: UInt64
  /// The name of the present or last profile.
  public let profile: String
  /// The network's conditions over time: its first profile, and then all changes by code.
  ///
  /// If there are very many changes, the oldest are dropped. Profiles of rules are not included.
  public let conditions: [AppliedConditions]
  /// The packet logs of the main path and of each rule's path; empty unless ``SimulatedNetwork/recordsPackets`` is set.
  public let packets: [PathPackets]
  /// The time of this record.
  public let time: SimulatedInstant
  /// The network's rule for secrets in texts.
  public private(set) var redaction = Redaction.standard
  /// The details of the run; empty unless ``SimulatedNetwork/recordsContents`` is set.
  package private(set) var details = RunDetails()

  /// The events of one transfer.
  public func events(of transfer: Transfer) -> [NetworkEvent] {
    events.filter { $0.transfer == transfer.number }
  }
}

extension Timeline {
  /// Creates the record of a network's ended and running transfers, and of its paths.
  init(
    _ recorder: TimelineRecorder, running: [Transfer], over paths: inout PathTable, at time: SimulatedInstant,
    redaction: Redaction, details: RunDetails = RunDetails()
  ) {
    self.init(
      transfers: (recorder.transfers.all + running).sorted { $0.number < $1.number },
      droppedTransfers: recorder.transfers.dropped, events: recorder.events.all,
      droppedEvents: recorder.events.dropped, seed: paths.seed, profile: paths.profile.name,
      conditions: paths.applied, packets: paths.packetLogs(), time: time, redaction: redaction, details: details)
  }
}

extension Timeline: CustomStringConvertible {
  /// The profile and the seed, and one line for each of the first transfers.
  public var description: String {
    let count = FigureText.count(transfers.count, "transfer")
    let head = "profile \(profile), seed \(seed), \(count) until \(time)"
    return transfers.isEmpty ? head : "\(head)\n\(Excerpt.of(transfers.lazy.map(\.summary), "transfer"))"
  }
}

/// A change or a synchronisation of a file by a launched client.
package struct FileEvent: Hashable, Sendable {
  package var time: SimulatedInstant
  package var isChange: Bool
  /// Whether any files have unsynchronised bytes after this event, which a power failure would lose.
  package var isUnsynchronised: Bool
}

/// The conditions that a network had from one time until the next change: a profile or an outage.
public struct AppliedConditions: Hashable, Sendable {
  /// The profile's name.
  public let profile: String
  /// The time from which the conditions hold.
  public let start: SimulatedInstant
  /// The phases in force, in the network's time.
  public let schedule: ConditionSchedule
}
