import ClientCapture
import URLLoading

/// The threads of a simulation besides its driver's: those of the URL loading system, or all of a captured client.
protocol ClientThreads: Sendable {
  var isCurrentThread: Bool { get }
  /// Whether the calling thread runs a client's code.
  var isClientThread: Bool { get }
  /// The error that must end the run, because the client did something that cannot be simulated; `nil` if there is
  /// none.
  var refusal: SimulationError? { get }
  var isLeading: Bool { get }

  /// The calls in which the client's threads are blocked, with their places; only for the driving thread.
  var blocked: [String] { get }

  /// Notes a task of the client, so that ``suspended`` can name it.
  func note(_ job: UnownedJob)

  /// The continuations for which the client's tasks wait, with their places; only for the driving thread.
  var suspended: [String] { get }

  /// The label of a queue that the client waits for in real time, because code outside of the run uses it.
  var queueOfOthers: String? { get }

  /// Whether ``queueOfOthers`` belongs to a URL session that another run keeps until its end.
  var waitsForOtherRun: Bool { get }

  /// The place in the client's code where its next task continues, if a task is next.
  var placeOfNext: ClientPlace? { get }

  /// Returns a function that finds what the running thread does, and where; only one thread may call it at a time.
  func threadWatch() -> (@Sendable () -> ThreadLook)?

  /// The name and place of the call in which a client's thread is blocked in real time, if it is known.
  var realWait: String? { get }

  /// Wakes these threads before a step of the simulation that may give them work.
  func wake()

  /// Waits until these threads have done all work of the last step; returns how many jobs the calling thread ran for them.
  func settle() -> Int

  /// Makes the calling thread one of the client's while `body` runs.
  func runAsClient<Result>(_ body: () -> Result) -> Result

  /// Calls `drive` until it returns `true`; after `false`, another thread drives and calls it.
  func lead(_ drive: @escaping () -> Bool)

  /// Takes a session for this simulation alone until `atEnd` is called; returns whether these threads do its work.
  ///
  /// With `nil` as session, it only calls `atEnd` when the simulation ends.
  func keep(_ session: URLSession?, _ atEnd: @escaping @Sendable () -> Void) -> Bool

  /// Lets other threads do the work of kept sessions, while the simulation ends.
  func resumeSessions()

  var isClientsWork: Bool { get }

  func watchFiles(below folder: String)

  /// Moves the client's calendar clock ahead by `nanoseconds`, or back if they are negative.
  func jumpClock(by nanoseconds: Int64)

  func kill()

  /// Hands all waiting work to the system, which runs it in real time, because the simulation has ended.
  func release()

  /// Drops all waiting work, so that the client never runs again.
  func abandon()
}

extension ClientThreads {
  var isClientThread: Bool { isCurrentThread }
  var refusal: SimulationError? { nil }
  var isLeading: Bool { true }
  var blocked: [String] { [] }
  func note(_ job: UnownedJob) {}
  var suspended: [String] { [] }
  var queueOfOthers: String? { nil }
  var waitsForOtherRun: Bool { false }
  var placeOfNext: ClientPlace? { nil }
  func threadWatch() -> (@Sendable () -> ThreadLook)? { nil }
  var realWait: String? { nil }
  func wake() {}
  func runAsClient<Result>(_ body: () -> Result) -> Result { body() }
  func lead(_ drive: @escaping () -> Bool) { _ = drive() }
  func keep(_ session: URLSession?, _ atEnd: @escaping @Sendable () -> Void) -> Bool { false }
  func resumeSessions() {}
  var isClientsWork: Bool { false }
  func watchFiles(below folder: String) {}
  func jumpClock(by nanoseconds: Int64) {}
  func kill() {}
  func release() {}
  func abandon() {}
}
