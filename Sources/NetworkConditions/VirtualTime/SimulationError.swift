public import Internals

/// Why a simulation could not be carried to its end.
public enum SimulationError: ExplainedError, Hashable, Sendable {
  /// A simulation was begun inside a running one: time has one driver.
  case nested
  /// The profile's name is unknown, or the profile unusable; says which names are near.
  case profile(String)
  /// Nothing can ever happen again in virtual time, and the closure has not returned: the requests that are open, and of a
  /// captured client the calls in which its threads are blocked, with their places.
  case deadlock(at: SimulatedInstant, waiting: [String], blocked: [String] = [])
  /// For so long in real time nothing has moved: a thread is blocked, or something real is waited for.
  case stuck(at: SimulatedInstant, after: Duration, waiting: [String])
  /// Time stands still at an instant although more jobs ran there than any client has: an endless loop, and where it goes on;
  /// no jobs where a thread loops within one.
  case endlessLoop(at: SimulatedInstant, jobs: Int, place: String?)
  /// The run has not ended within its limit of virtual time or of requests: lists the waiting requests, and how to repeat the run.
  case unending(limit: RunLimit, at: SimulatedInstant, waiting: [String], run: String)
  /// The client did something that the run cannot hold: the call, its place in the client's code, and the remedy.
  case notCaptured(call: String, place: String?, remedy: String)
  /// A client that is not captured waits for what the simulation does not see: no request is open, and nobody sleeps on the
  /// network's clock.
  case unseenWait(at: SimulatedInstant, remedy: String)
  /// A thread of a client that is not captured is blocked while requests are open: it may well wait for one, which comes on
  /// that very thread.
  case blockedThread(at: SimulatedInstant, after: Duration, waiting: [String], remedy: String)
  /// Two runs of one seed differ.
  case nondeterministic(seed: UInt64, run: Int, firstDifference: String)

  /// Whether the closure waits although nothing that the simulation sees can end the wait.
  package var isHang: Bool {
    switch self {
    case .deadlock, .unseenWait: true
    default: false
    }
  }

  /// Whether a thread of the run is blocked, or goes round for ever: it may never come back.
  package var holdsThread: Bool {
    switch self {
    case .stuck, .endlessLoop, .blockedThread: true
    case .deadlock(_, _, let blocked): !blocked.isEmpty
    default: false
    }
  }

  package var explanation: Explanation {
    switch self {
    case .nested: .nested
    case .profile: .unusableNetwork
    case .unending: .unending
    case .deadlock: .deadlock
    case .stuck: .stuck
    case .endlessLoop: .endlessLoop
    case .notCaptured: .notCaptured
    case .unseenWait: .unseenWait
    case .blockedThread: .blockedThread
    case .nondeterministic: .nondeterministic
    }
  }

  /// One sentence that says what happened and where to look, and the name by which `netcond explain` tells more.
  public var description: String {
    explanation.ending(sentence)
  }

  package var sentence: String {
    switch self {
    case .nested:
      "A simulation cannot begin inside another one: use the network that the running one handed to its closure."
    case .profile(let reason): reason
    case .deadlock(let time, let waiting, let blocked):
      """
      Nothing can happen any more at \(time) of virtual time, and the closure has not returned. \
      \(Self.list(waiting + blocked))
      """
    case .stuck(let time, let patience, let waiting): Self.stuck(time, patience, waiting)
    case .blockedThread(let time, let patience, let waiting, let remedy):
      "\(Self.stuck(time, patience, waiting).dropLast()), which may be waited for: the run would not be exact. \(remedy)"
    case .unseenWait(let time, let remedy):
      "After \(time) of virtual time the closure waits for what the simulation does not see, such as a GCD delay: the run "
        + "would not be exact. \(remedy)"
    case .endlessLoop(let time, jobs: 0, let place):
      "Time stands still at \(time): a thread waits in a loop\(place.map { ", at \($0)" } ?? ""), and nothing else can run "
        + "meanwhile. Let it wait for a semaphore, a condition or a continuation."
    case .endlessLoop(let time, let jobs, let place):
      "Time stands still at \(time) after \(jobs) jobs\(place.map { ", the last at \($0)" } ?? ""): something runs for ever "
        + "without waiting."
    case .unending(let limit, let time, let waiting, let run):
      "The closure has not returned after \(time) of virtual time: the limit is \(limit). \(Self.list(waiting)) Give "
        + "the client an end, such as a number of attempts or a deadline, or raise `NetworkOptions.\(limit.option)` "
        + "\(Explanation.unending.reference). It ran \(run)"
    case .notCaptured(let call, let place, let remedy):
      "\(call)\(place.map { ", at \($0)" } ?? ""): the run would not be exact. \(remedy)"
    case .nondeterministic(let seed, let run, let difference):
      "Run \(run) of seed \(seed) took another course than run 1. First difference: \(difference)"
    }
  }

  private static func stuck(_ time: SimulatedInstant, _ patience: Duration, _ waiting: [String]) -> String {
    """
    Nothing has moved for \(patience) of real time; virtual time stands at \(time). A thread is blocked, or \
    something outside of the simulation is waited for. \(list(waiting))
    """
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
  /// Requests (``NetworkOptions/requestLimit``; a twelfth of it, at least 20,000, at one instant at which one and the same
  /// fails again and again).
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
public struct SimulationFailure: ExplainedError {
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
  public var description: String { explanation.ending(sentence) }

  /// That of the error where it is one of this package.
  package var explanation: Explanation { (error as? any ExplainedError)?.explanation ?? .clientError }

  package var sentence: String {
    var text = "\(errorText) (profile \"\(profile)\", seed \(seed), after \(time) of virtual time)"
    if !unusedFaults.isEmpty {
      text += "; scheduled, but never came to happen: \(unusedFaults.map(\.description).joined(separator: "; "))"
    }
    return captureObstacle.map { "\(text). \($0)" } ?? text
  }
}
