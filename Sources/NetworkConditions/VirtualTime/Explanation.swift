/// What a refusal or an error of the package means, under a short name.
///
/// `netcond explain NAME` prints it, and the page "When it says no" has the same words.
package struct Explanation: Hashable, Sendable {
  /// Its short name, such as `deadlock`.
  package let name: String
  /// Words that every such message has in it.
  package let words: String
  /// The cause, in a sentence or two.
  package let why: String
  /// What to do about it.
  package let remedy: String

  /// The part of a message that leads to it.
  package var reference: String { "(netcond explain \(name))" }

  /// Returns a message that ends with its reference, unless it has one.
  package func ending(_ message: String) -> String {
    message.contains("(netcond explain ") ? message : "\(message) \(reference)"
  }

  /// All, in the order of the page.
  package static let all: [Explanation] = simulations + requests + inputs + searches

  /// The one whose name the text is, or whose reference or words it has.
  package static func find(_ text: String) -> Explanation? {
    all.first { $0.name == text || text.contains($0.reference) } ?? all.first { text.contains($0.words) }
  }

  // MARK: Simulations

  static let notCaptured = Explanation(
    name: "not-captured", words: "the run would not be exact",
    why: """
      The client did something that virtual time cannot hold: a request in a session that the simulation does not know, \
      another process, DispatchIO, a dispatch source other than a timer, a barrier of threads, a socket's timeout. Where \
      clients are not captured, a thread of a queue's or of an unstructured task is one, too.
      """,
    remedy: """
      The message names the call, its place and the way round it. Sessions: hand over `network.session`, or call \
      `network.simulate(in: configuration)`. Processes and servers: replace them by stubs.
      """)

  static let unseenWait = Explanation(
    name: "unseen-wait", words: "the closure waits for what the simulation does not see",
    why: "The client is not captured, and sleeps or waits by a clock of the system's.",
    remedy: "Let it sleep on `network.clock`, and wait in child tasks: `async let` or a task group.")

  static let blockedThread = Explanation(
    name: "blocked-thread", words: "which may be waited for",
    why:
      "The client is not captured, and a thread is blocked while requests are open: those would end on that very thread.",
    remedy: "Let no thread wait for a request: `await` it.")

  static let deadlock = Explanation(
    name: "deadlock", words: "Nothing can happen any more",
    why: "The closure has not returned, and no request, timer or sleep is left that could let it go on.",
    remedy:
      "Look at the requests and the calls that are listed: one waits for what never comes, such as a lost continuation."
  )

  static let stuck = Explanation(
    name: "stuck", words: "Nothing has moved for",
    why:
      "A thread is blocked in real time, or computes for very long, or waits for something outside of the simulation.",
    remedy: "Replace what it waits for by a stub, or raise `NetworkOptions.patience`.")

  static let endlessLoop = Explanation(
    name: "endless-loop", words: "Time stands still at",
    why: "Something runs for ever without waiting, so that no time can pass.",
    remedy: "Look at the place that is named. Let the loop wait, for a condition, a continuation or a sleep.")

  package static let unending = Explanation(
    name: "unending", words: "the limit is",
    why: "The closure has not returned within an hour of virtual time, or within the limit of requests.",
    remedy: """
      Give the client an end: a number of attempts, or a deadline. `NetworkOptions.timeLimit` and \
      `NetworkOptions.requestLimit` set other limits.
      """)

  static let nested = Explanation(
    name: "nested", words: "A simulation cannot begin inside another one",
    why: "Time has one driver.",
    remedy: "Use the network that the running simulation gave to its closure.")

  static let nondeterministic = Explanation(
    name: "nondeterministic", words: "took another course than run 1",
    why: "The client depends on something that the seed does not decide, such as the address of an object.",
    remedy: "Look at the first difference: what the client did there tells what it depends on.")

  // What has the words of two is the first of them.
  private static let simulations = [
    unseenWait, blockedThread, notCaptured, deadlock, stuck, endlessLoop, unending, nested, nondeterministic,
  ]

  // MARK: Requests

  static let unusableNetwork = Explanation(
    name: "unusable-network", words: "The simulated network cannot be used",
    why: "It was made with a profile, a token or a pace that is wrong. It is the test's mistake, and no `URLError`.",
    remedy: "Mend what the message names; `netcond profiles` lists the profiles.")

  static let noStub = Explanation(
    name: "no-stub", words: "No stub matches",
    why: "No stub answers the request, and the network has no transport to a real server.",
    remedy: "Add a stub, or make the network with `transport: URLSessionTransport()`. The nearest stubs are listed.")

  static let unsupportedURL = Explanation(
    name: "unsupported-url", words: "cannot be simulated, only http: and https:",
    why: "The simulator carries HTTP alone.",
    remedy: "Load the URL in a session without the simulation.")

  private static let requests = [unusableNetwork, noStub, unsupportedURL]

  // MARK: Names and tokens

  static let unknownProfile = Explanation(
    name: "unknown-profile", words: "no profile is called",
    why: "Neither a built-in profile nor one of your folder has the name.",
    remedy: "Take the near name that the message tells; `netcond profiles` lists all.")

  static let badToken = Explanation(
    name: "bad-token", words: "replay token",
    why: "A token was cut off, changed, or made by another version of the package or for a profile that has changed.",
    remedy: "Copy it again in whole, or search once more with this version.")

  static let sharedSession = Explanation(
    name: "shared-session", words: "is intercepted already",
    why: "`URLSession.shared` is one for the whole process, and another test has it.",
    remedy: "End the other interception, or wait for it with `network.interceptingSharedSession { }`.")

  private static let inputs = [unknownProfile, badToken, sharedSession]

  // MARK: Searches and benchmarks

  package static let impossibleSearch = Explanation(
    name: "impossible-search", words: "Nothing can be searched",
    why: "The seeds, the number of faults, the kinds or the processes that were asked for leave no run to make.",
    remedy: "Change the argument that the message names.")

  package static let knownFailures = Explanation(
    name: "known-failures", words: "The known failures in",
    why: "The file in the folder `KnownFailures` cannot be read or written, or a line of it is damaged.",
    remedy: "Mend the line that is named, or delete the file: the search finds the seeds again.")

  package static let impossibleBenchmark = Explanation(
    name: "impossible-benchmark", words: "This cannot be run",
    why: "The workload, the server, the seeds, the profiles or the contenders of a benchmark leave no trial to make.",
    remedy: "Change the argument that the message names.")

  package static let unlikeReports = Explanation(
    name: "unlike-reports", words: "These parts do not make a whole",
    why: "The reports are of different benchmarks, or one has only a part of the trials.",
    remedy: "Put together shares of one benchmark alone, and compare a report with one of the same arguments.")

  private static let searches = [impossibleSearch, knownFailures, impossibleBenchmark, unlikeReports]
}
