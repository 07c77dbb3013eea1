package import Internals

/// What owns the time and the chance of a captured client.
package protocol CaptureHost: AnyObject, Sendable {
  /// The time in nanoseconds since the simulation began.
  var instant: Int64 { get }

  /// Schedules a call; `nil` once the simulation has ended.
  func call(atInstant instant: Int64, _ work: @escaping @Sendable () -> Void) -> TimerTicket?

  /// Cancels a scheduled call.
  func cancel(_ call: TimerTicket)

  /// Returns 64 bits of chance, others for each number.
  func drawn(_ number: UInt64) -> UInt64

  /// Chooses which of so many threads and queues goes on, by the instant and by how often one was chosen there.
  func choice(at instant: Int64, _ number: UInt64, below count: Int) -> Int

  /// Makes the calling thread one of the simulation's while `body` runs: a trap on it is reported as one of the run.
  func onClientThread<Result>(_ body: () -> Result) -> Result

  /// Whether the run is refused: its client must not go on.
  var isRefused: Bool { get }

  /// Refuses the run, since its client does what cannot be captured; says whether it is refused now.
  func refuse(_ call: String, remedy: String) -> Bool

  /// Takes note of what the client has done to a file in the watched folder, and says whether the client ends by it.
  func note(_ access: FileAccess) -> Bool

  /// Something moves.
  func noteProgress()

  /// How often something has moved.
  var movements: UInt64 { get }
}

/// What a client has done to a file.
package enum FileAccess: Sendable {
  /// It has opened, created, renamed or removed one, or made a folder.
  case named
  /// It has changed the bytes of the file with this number in the file system.
  case written(file: UInt64, isSynchronised: Bool)
  /// What was written to it is on the medium from now on; without a number, what was written to all.
  case synchronised(file: UInt64?)

  /// Whether it changes a file or a name.
  package var isChange: Bool {
    if case .synchronised = self { false } else { true }
  }
}
