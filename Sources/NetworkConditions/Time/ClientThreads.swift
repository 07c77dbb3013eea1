import ClientCapture

/// Threads that work for a simulation beside its own: those of the URL loading system, or all of a captured client's.
protocol ClientThreads: Sendable {
  var isCurrentThread: Bool { get }
  /// Whether a client's code runs on it there.
  var isClientThread: Bool { get }
  /// Why the run must end: something was done that cannot be simulated.
  var refusal: SimulationError? { get }
  var isLeading: Bool { get }

  /// The calls in which a client's threads are blocked, each with its place; to be asked on the thread that leads.
  var blocked: [String] { get }

  /// Where the task goes on that they run next, if it is one.
  var placeOfNext: ClientPlace? { get }

  /// Returns a function that finds where the running thread loops without changing anything; it is called again and
  /// again on one thread at a time, and returns `nil` until that is known.
  func loopFinder() -> (@Sendable () -> ClientPlace?)?

  /// Something is about to be done that may make them work.
  func wake()

  /// Waits until they have done all that the simulation's last step made them do; returns how much of it was done on
  /// the calling thread.
  func settle() -> Int

  /// Makes the calling thread one of them while `body` runs.
  func runAsClient<Result>(_ body: () -> Result) -> Result

  /// Lets time go on, on the calling thread, until `drive` says that this has come to an end; it says no once another
  /// thread leads.
  func lead(_ drive: @escaping () -> Bool)

  /// Makes sure that nobody else does work of `URLSession.shared` until `atEnd` is called; returns whether they do its
  /// work themselves.
  func keepSharedSession(_ atEnd: @escaping @Sendable () -> Void) -> Bool

  var isClientsWork: Bool { get }

  func watchFiles(below folder: String)

  /// Sets the client's calendar clock ahead by so many nanoseconds, or back.
  func jumpClock(by nanoseconds: Int64)

  func kill()

  /// Leaves all that still waits to the system.
  func release()

  /// Leaves all that still waits where it is: nothing of the client runs again.
  func abandon()
}

extension ClientThreads {
  var isClientThread: Bool { isCurrentThread }
  var refusal: SimulationError? { nil }
  var isLeading: Bool { true }
  var blocked: [String] { [] }
  var placeOfNext: ClientPlace? { nil }
  func loopFinder() -> (@Sendable () -> ClientPlace?)? { nil }
  func wake() {}
  func runAsClient<Result>(_ body: () -> Result) -> Result { body() }
  func lead(_ drive: @escaping () -> Bool) { _ = drive() }
  func keepSharedSession(_ atEnd: @escaping @Sendable () -> Void) -> Bool { false }
  var isClientsWork: Bool { false }
  func watchFiles(below folder: String) {}
  func jumpClock(by nanoseconds: Int64) {}
  func kill() {}
  func release() {}
  func abandon() {}
}
