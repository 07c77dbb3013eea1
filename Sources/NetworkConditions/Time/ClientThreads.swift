import ClientCapture

/// Threads that work for a simulation beside its own: those of the URL loading system, or all of a captured client's.
protocol ClientThreads: Sendable {
  var isCurrentThread: Bool { get }
  /// Whether a client's code runs on it there.
  var isClientThread: Bool { get }
  /// Why the run must end: something was done that cannot be simulated.
  var refusal: SimulationError? { get }
  var isLeading: Bool { get }

  /// The calls in which a client's threads are blocked, each with its place; only for the driving thread.
  var blocked: [String] { get }

  /// Where the task goes on that they run next, if it is one.
  var placeOfNext: ClientPlace? { get }

  /// Returns a function that finds where the running thread loops without changing anything; it is called again and
  /// again on one thread at a time, and returns `nil` until that is known.
  func loopFinder() -> (@Sendable () -> ClientPlace?)?

  /// Called before a step that may give them work.
  func wake()

  /// Waits until they have done all that the simulation's last step made them do; returns how much of it was done on
  /// the calling thread.
  func settle() -> Int

  /// Makes the calling thread one of them while `body` runs.
  func runAsClient<Result>(_ body: () -> Result) -> Result

  /// Calls `drive` on this thread until it returns `true`.
  ///
  /// It returns `false` once another thread drives, and is called again there.
  func lead(_ drive: @escaping () -> Bool)

  /// Reserves the queue of `URLSession.shared` until `atEnd` is called; returns whether these threads do its work.
  func keepSharedSession(_ atEnd: @escaping @Sendable () -> Void) -> Bool

  var isClientsWork: Bool { get }

  func watchFiles(below folder: String)

  /// Sets the client's calendar clock ahead by so many nanoseconds, or back.
  func jumpClock(by nanoseconds: Int64)

  func kill()

  /// Hands all waiting work to the system.
  func release()

  /// Abandons all waiting work: nothing of the client runs again.
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
