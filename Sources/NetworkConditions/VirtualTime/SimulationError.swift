import ClientCapture
public import Internals

/// The reason why a simulation did not reach its end.
public enum SimulationError: ExplainedError, Hashable, Sendable {
  /// A simulation was started inside another, but only one can drive time.
  case nested
  /// The profile is unknown or unusable; the text lists similar names.
  case profile(String)
  /// Nothing can happen any more in virtual time, but the closure has not returned.
  ///
  /// The lists name the open requests and, for a captured client, the continuations that nobody resumed, and the calls
  /// in which its threads are blocked.
  case deadlock(at: SimulatedInstant, waiting: [String], blocked: [String] = [])
  /// Nothing moved for this real time: a thread is blocked, or the run waits for something real.
  ///
  /// `running` is the place of a captured thread that computes for long, or polls. `blocked` is the system call, with
  /// its place, in which a thread waits.
  case stuck(
    at: SimulatedInstant, after: Duration, waiting: [String], running: String? = nil, blocked: String? = nil)
  /// An endless loop, at `place`, keeps time from advancing; `jobs` counts what ran there, and is 0 if one thread loops.
  case endlessLoop(at: SimulatedInstant, jobs: Int, place: String?)
  /// The run reached its limit of virtual time or requests; lists the open requests and how to repeat the run.
  ///
  /// In a search `run` is empty, because the report says how to repeat the run.
  case unending(limit: RunLimit, at: SimulatedInstant, waiting: [String], run: String)
  /// No stub matches a request; lists the stubs, nearest first.
  ///
  /// The run ends at once, because a client that expects network errors would not notice the mistake.
  case noStub(String)
  /// A stub cannot answer a request: its status or body is invalid, or its sequence has no more answers.
  ///
  /// The run ends at once, as with ``noStub(_:)``.
  case unusableStub(String)
  /// The client did something that cannot be simulated: the call, its place in the client's code, and the remedy.
  case notCaptured(call: String, place: String?, remedy: String)
  /// A client without capture waits for something that the simulation does not see.
  ///
  /// No request is open, and no client sleeps on the network's clock.
  case unseenWait(at: SimulatedInstant, remedy: String)
  /// A thread of a client without capture is blocked while requests are open.
  ///
  /// It may be waiting for one of them, although the answer can only come on that thread.
  case blockedThread(at: SimulatedInstant, after: Duration, waiting: [String], remedy: String)
  /// Two runs of the same seed differ.
  case nondeterministic(seed: UInt64, run: Int, firstDifference: String)

  /// Whether the closure waits for an event that cannot happen or that the simulation cannot see.
  package var isHang: Bool {
    switch self {
    case .deadlock, .unseenWait: true
    default: false
    }
  }

  /// Whether a thread of the run is blocked or loops, so that it may never return.
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
    case .noStub: .noStub
    case .unusableStub: .unusableStub
    case .notCaptured: .notCaptured
    case .unseenWait: .unseenWait
    case .blockedThread: .blockedThread
    case .nondeterministic: .nondeterministic
    }
  }

  /// One sentence with the mistake and the place, and the name of its explanation in `netcond explain`.
  public var description: String {
    explanation.ending(sentence)
  }

  package var sentence: String {
    switch self {
    case .nested:
      "A simulation cannot begin inside another one: use the network that the running one passed to its closure."
    case .profile(let reason), .noStub(let reason), .unusableStub(let reason): reason
    case .deadlock(let time, let waiting, let blocked):
      """
      Nothing can happen any more at \(time) of virtual time, and the closure has not returned. \
      \(Self.list(waiting + blocked))
      """
    case .stuck(let time, let patience, let waiting, running: nil, let blocked):
      Self.stuck(time, patience, waiting, blocked)
    case .stuck(let time, let patience, let waiting, let place?, _):
      """
      Nothing has moved for \(patience) of real time; virtual time stands at \(time). A thread runs without waiting, at \
      \(place): it computes for long, or asks again and again. Let it wait for a semaphore, a condition or a \
      continuation.\(waiting.isEmpty ? "" : " \(Self.list(waiting))")
      """
    case .blockedThread(let time, let patience, let waiting, let remedy):
      "\(Self.stuck(time, patience, waiting)) A thread may be waiting for one of these requests: the run would not be "
        + "exact. \(remedy)"
    case .unseenWait(let time, let remedy):
      "After \(time) of virtual time the closure waits for something that the simulation cannot see, such as a GCD "
        + "delay: the run would not be exact. \(remedy)"
    case .endlessLoop(let time, jobs: 0, let place):
      "Time stands still at \(time): a thread is busy-waiting\(place.map { ", at \($0)" } ?? ""), and nothing else can run "
        + "meanwhile. Let it wait for a semaphore, a condition or a continuation."
    case .endlessLoop(let time, let jobs, let place):
      "Time stands still at \(time) after \(jobs) jobs\(place.map { ", the last at \($0)" } ?? ""): they follow each other "
        + "without waiting, and time advances only when everything waits. Task.yield() does not wait; Task.sleep() does."
    case .unending(let limit, let time, let waiting, let run):
      Explanation.unending.ending(
        """
        The closure has not returned after \(limit.spent(time)) of virtual time: the limit is \(limit). \
        \(limit.list(waiting))Give the client an end, such as a number of attempts or a deadline, or raise \
        `NetworkOptions.\(limit.option)`
        """, of: run)
    case .notCaptured(let call, let place, let remedy):
      "\(call)\(place.map { ", at \($0)" } ?? ""): the run would not be exact. \(remedy)"
    case .nondeterministic(let seed, let run, let difference):
      "Run \(run) of seed \(seed) differs from run 1. First difference: \(difference)"
    }
  }

  static func standstill(
    _ busy: BusyThread?, at time: SimulatedInstant, after patience: Duration, waiting: [String], in call: String?
  ) -> SimulationError {
    switch busy {
    case .loops(let place): .endlessLoop(at: time, jobs: 0, place: place.text)
    case .runs(let place):
      .stuck(at: time, after: patience, waiting: waiting, running: place.text ?? "a place that is not known")
    case nil: .stuck(at: time, after: patience, waiting: waiting, blocked: call)
    }
  }

  private static func stuck(
    _ time: SimulatedInstant, _ patience: Duration, _ waiting: [String], _ call: String? = nil
  ) -> String {
    """
    Nothing has moved for \(patience) of real time; virtual time stands at \(time). A thread is blocked\
    \(call.map { " in \($0)" } ?? ""), or waits for something outside of the simulation. \(list(waiting))
    """
  }

  fileprivate static func list(_ waiting: [String]) -> String {
    if waiting.isEmpty {
      return "No request is open: the closure waits for something that the simulation cannot see."
    }
    var counts: [String: Int] = [:]
    for name in waiting { counts[name, default: 0] += 1 }
    let names = waiting.compactMap { name in
      counts.removeValue(forKey: name).map { FigureText.repeated(name, $0) }
    }
    return "Open: \(names.joined(separator: "; "))."
  }
}

/// The limit of virtual time or requests that a run reached.
public enum RunLimit: Hashable, Sendable, CustomStringConvertible {
  /// The limit of virtual time (``NetworkOptions/timeLimit``).
  case time(Duration)
  /// The limit of requests (``NetworkOptions/requestLimit``).
  ///
  /// For one request that fails again and again at the same instant, the limit is a thirtieth, but at least 8,000.
  case requests(Int)

  /// The limit in words.
  public var description: String {
    switch self {
    case .time(let time): "\(time)"
    case .requests(let count): "\(count) requests"
    }
  }

  /// The virtual time that a run has used, for a sentence that continues with "of virtual time".
  fileprivate func spent(_ time: SimulatedInstant) -> String {
    if case .requests = self { "\(self) in \(time)" } else { "\(time)" }
  }

  /// The open requests, followed by a space; empty if the run reached its limit of requests with none open.
  fileprivate func list(_ waiting: [String]) -> String {
    if case .requests = self, waiting.isEmpty { return "" }
    return "\(SimulationError.list(waiting)) "
  }

  var option: String {
    switch self {
    case .time: "timeLimit"
    case .requests: "requestLimit"
    }
  }
}

/// The error of a simulation's closure, with all that is needed to repeat the run.
public struct SimulationFailure: ExplainedError {
  /// The closure's error.
  public let error: any Error
  /// The run's seed.
  public let seed: UInt64
  /// The run's profile.
  public let profile: String
  /// When the error was thrown, in virtual time.
  public let time: SimulatedInstant
  /// The events and transfers until then.
  public let timeline: Timeline
  /// The faults of a replayed schedule that did not happen, for example because their request was not sent.
  public let unusedFaults: [ScheduledFault]
  /// The reason why the client was not captured as asked; its clocks and threads then keep real time.
  public let captureObstacle: String?

  var errorText: String { timeline.redaction.text("\(error)") }

  /// The error, the seed and the profile.
  public var description: String { explanation.ending(sentence) }

  package var explanation: Explanation { (error as? any ExplainedError)?.explanation ?? .clientError }

  package var sentence: String {
    var text = "\(errorText) (profile \"\(profile)\", seed \(seed), after \(time) of virtual time)"
    if !unusedFaults.isEmpty {
      text += "; scheduled, but never happened: \(unusedFaults.map(\.description).joined(separator: "; "))"
    }
    return captureObstacle.map { "\(text). \($0)" } ?? text
  }
}
