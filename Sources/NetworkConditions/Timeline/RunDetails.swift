/// Details of a run, beside its timeline, in which explorations find the places for faults.
package struct RunDetails: Hashable, Sendable {
  /// The contents of each transfer, by its number.
  package internal(set) var contents: [Int: TransferContents] = [:]
  /// The times at which clients' sleeps ended.
  package internal(set) var wakes: [SimulatedInstant] = []
  /// The lengths of the clients' own waits, each length once.
  package private(set) var waits: Set<Duration> = []
  /// The launched clients' accesses to files.
  package internal(set) var fileEvents: [FileEvent] = []
  private var livesByNumber: [Int: ClosedRange<SimulatedInstant>] = [:]

  private static let mostWaits = 1_000

  /// The time from launch to return or death of each launched client, in the order of their launches.
  package var lives: [ClosedRange<SimulatedInstant>] {
    livesByNumber.sorted { $0.key < $1.key }.map(\.value)
  }

  mutating func noteWait(_ length: Duration) {
    if waits.count < Self.mostWaits { waits.insert(length) }
  }

  mutating func noteLife(_ number: Int, begins: Bool, at time: SimulatedInstant) {
    if begins {
      livesByNumber[number] = time...SimulatedInstant.distantFuture
    } else if let life = livesByNumber[number] {
      livesByNumber[number] = life.lowerBound...max(time, life.lowerBound)
    }
  }
}
