/// Why a simulation could not be carried to its end.
public enum SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A simulation was begun inside a running one: time has one driver.
  case nested
  /// The profile's name is unknown, or the profile unusable; says which names are near.
  case profile(String)
  /// Nothing can ever happen again in virtual time, and the closure has not returned: who waits is listed, of a captured
  /// client also the calls in which its threads are blocked, with their places.
  case deadlock(at: SimulatedInstant, waiting: [String])
  /// For so long in real time nothing has moved: a thread is blocked, or something real is waited for.
  case stuck(at: SimulatedInstant, after: Duration, waiting: [String])
  /// Time stands still at an instant although more jobs ran there than any client has: an endless loop, and where it goes on.
  case endlessLoop(at: SimulatedInstant, jobs: Int, place: String?)
  /// The run has not ended within its limit of virtual time or of requests: who waits is listed, and what repeats the run.
  case unending(limit: RunLimit, at: SimulatedInstant, waiting: [String], run: String)
  /// The client did something that the run cannot hold: the call, its place in the client's code, and the remedy.
  case notCaptured(call: String, place: String?, remedy: String)
  /// Two runs of one seed took different courses.
  case nondeterministic(seed: UInt64, run: Int, firstDifference: String)

  /// No request is open and nobody sleeps on the network's clock, and yet the closure has not returned.
  static func unseenWait(at time: SimulatedInstant, remedy: String) -> SimulationError {
    .notCaptured(
      call: "After \(time) of virtual time the closure \(unseenWait)", place: nil, remedy: remedy)
  }

  private static let unseenWait = "waits for what the simulation does not see, such as a GCD delay"
  private static let heldThread = ", which may be waited for"

  /// Whether the closure waits although nothing that the simulation sees can end the wait.
  package var isHang: Bool {
    switch self {
    case .deadlock: true
    case .notCaptured(let call, nil, _): call.hasSuffix(Self.unseenWait)
    default: false
    }
  }

  /// Whether a thread of the run is blocked, or goes round for ever: it may never come back.
  package var holdsThread: Bool {
    switch self {
    case .stuck, .endlessLoop: true
    // The calls of threads are listed with their places.
    case .deadlock(_, let waiting): waiting.contains { $0.contains(", at ") }
    case .notCaptured(let call, nil, _): call.hasSuffix(Self.heldThread)
    default: false
    }
  }

  /// A thread is blocked while requests are open: it may well wait for one, which comes on that very thread.
  static func blocked(_ stuck: SimulationError, remedy: String) -> SimulationError {
    .notCaptured(call: "\(stuck.description.dropLast())\(heldThread)", place: nil, remedy: remedy)
  }

  /// One sentence that says what happened, and where to look.
  public var description: String {
    switch self {
    case .nested:
      "A simulation cannot begin inside another one: use the network that the running one handed to its closure."
    case .profile(let reason): reason
    case .deadlock(let time, let waiting):
      """
      Nothing can happen any more at \(time) of virtual time, and the closure has not returned. \(Self.list(waiting))
      """
    case .stuck(let time, let patience, let waiting):
      """
      Nothing has moved for \(patience) of real time; virtual time stands at \(time). A thread is blocked, or \
      something outside of the simulation is waited for. \(Self.list(waiting))
      """
    case .endlessLoop(let time, let jobs, let place):
      "Time stands still at \(time) after \(jobs) jobs\(place.map { ", the last at \($0)" } ?? ""): something runs for ever "
        + "without waiting."
    case .unending(let limit, let time, let waiting, let run):
      "The closure has not returned after \(time) of virtual time: the limit is \(limit). \(Self.list(waiting)) Give "
        + "the client an end, such as a number of attempts or a deadline, or raise `NetworkOptions.\(limit.option)`. It ran "
        + run
    case .notCaptured(let call, let place, let remedy):
      "\(call)\(place.map { ", at \($0)" } ?? ""): the run would not be exact. \(remedy)"
    case .nondeterministic(let seed, let run, let difference):
      "Run \(run) of seed \(seed) took another course than run 1. First difference: \(difference)"
    }
  }

  private static func list(_ waiting: [String]) -> String {
    waiting.isEmpty
      ? "No request is open: the closure waits for something that the simulation does not know."
      : "Open: \(waiting.joined(separator: "; "))."
  }
}

/// The limit of virtual time or of requests beyond which a run is taken never to end.
public enum RunLimit: Hashable, Sendable, CustomStringConvertible {
  /// Virtual time (``NetworkOptions/timeLimit``).
  case time(Duration)
  /// Requests (``NetworkOptions/requestLimit``).
  case requests(Int)

  /// The limit in words.
  public var description: String {
    switch self {
    case .time(let time): "\(time)"
    case .requests(let count): "\(count) requests"
    }
  }

  /// The name of the option that raises it.
  var option: String {
    switch self {
    case .time: "timeLimit"
    case .requests: "requestLimit"
    }
  }
}

/// The error that a simulation's closure threw, with all that is needed to run it again.
public struct SimulationFailure: Error, CustomStringConvertible {
  /// The error that the closure threw.
  public let error: any Error
  /// The seed that leads to it.
  public let seed: UInt64
  /// The profile that it happened under.
  public let profile: String
  /// When it was thrown, in virtual time.
  public let time: SimulatedInstant
  /// The events and transfers until then.
  public let timeline: Timeline
  /// The faults of a replayed schedule that never happened: empty unless the schedule missed.
  public let unusedFaults: [ScheduledFault]
  /// Why the client was not captured, although it was to be: then its own clocks and threads keep real time.
  public let captureObstacle: String?

  /// The error in words, which may have URLs in them.
  var errorText: String { timeline.redaction.text("\(error)") }

  /// The error, then the seed and the profile that lead to it.
  public var description: String {
    var text = "\(errorText) (profile \"\(profile)\", seed \(seed), after \(time) of virtual time)"
    if !unusedFaults.isEmpty {
      text += "; scheduled, but never came to happen: \(unusedFaults.map(\.description).joined(separator: "; "))"
    }
    return captureObstacle.map { "\(text). \($0)" } ?? text
  }
}
