package import Internals

/// The owner of a captured client's time and random numbers.
package protocol CaptureHost: AnyObject, Sendable {
  /// The current time in nanoseconds since the simulation began.
  var instant: Int64 { get }

  /// Schedules a call at a time; `nil` after the simulation's end.
  func call(atInstant instant: Int64, _ work: @escaping @Sendable () -> Void) -> TimerTicket?

  func cancel(_ call: TimerTicket)

  /// Returns 64 random bits, determined by `number`.
  func drawn(_ number: UInt64) -> UInt64

  /// Chooses one of `count` runnable threads and queues, determined by the time and by `number`, the count of choices
  /// at that time.
  func choice(at instant: Int64, _ number: UInt64, below count: Int) -> Int

  /// Runs `body` as part of the simulation, so that a trap on this thread is reported for the run.
  func onClientThread<Result>(_ body: () -> Result) -> Result

  /// Whether the run was refused or abandoned, so that its client must not continue.
  var isRefused: Bool { get }

  /// Refuses the run, since its client made a call that cannot be captured; returns whether it is now refused.
  func refuse(_ call: String, remedy: String) -> Bool

  /// Waits in real time for objects that all clients of the process share, and keeps them for this run.
  func takeSharedObject()

  /// Records a client's access to a file in the watched folder; returns whether the access kills the client.
  func note(_ access: FileAccess) -> Bool

  func noteProgress()

  /// How often the simulation has made progress.
  var movements: UInt64 { get }
}

/// A client's access to a file.
package enum FileAccess: Sendable {
  /// The client opened, created, renamed or removed a file, or created a folder.
  case named
  /// The client changed the bytes of the file with this inode number.
  case written(file: UInt64, isSynchronised: Bool)
  /// The client made written data durable: of this file, or of all files for `nil`.
  case synchronised(file: UInt64?)

  package var isChange: Bool {
    if case .synchronised = self { false } else { true }
  }
}
