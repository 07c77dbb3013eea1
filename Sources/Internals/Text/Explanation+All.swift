extension Explanation {
  // MARK: Simulations

  package static let notCaptured = Explanation(
    name: "not-captured", words: "the run would not be exact",
    why: """
      The client did something that takes real time: a request in a session that the simulation does not know, another \
      process, DispatchIO, a dispatch source other than a timer, a barrier of threads, or a socket's timeout. Or two runs \
      at once share a static object. Where clients are not captured, work on a queue or in an unstructured task is \
      refused, too.
      """,
    remedy: """
      The message names the call, its place and the way round it. Sessions: hand over `network.session`, or call \
      `network.simulate(in: configuration)`. Processes and servers: replace them by stubs. Static objects: give each run \
      its own, or a process: `workers: .processes()`.
      """)

  package static let unseenWait = Explanation(
    name: "unseen-wait", words: "the closure waits for what the simulation does not see",
    why: "The client is not captured, and sleeps or waits by a clock of the system's.",
    remedy: "Let it sleep on `network.clock`, and wait in child tasks: `async let` or a task group.")

  package static let blockedThread = Explanation(
    name: "blocked-thread", words: "which may be waited for",
    why:
      "The client is not captured, and it blocks a thread while requests are open: they can only end on that thread.",
    remedy: "Let no thread wait for a request: `await` it.")

  package static let deadlock = Explanation(
    name: "deadlock", words: "Nothing can happen any more",
    why: "The closure has not returned, and no request, timer or sleep is left that could let it go on.",
    remedy:
      "Look at the requests and the calls that are listed: one waits for what never comes, such as a lost continuation."
  )

  package static let stuck = Explanation(
    name: "stuck", words: "Nothing has moved for",
    why:
      "A thread is blocked in real time, or computes for very long, or waits for something outside of the simulation.",
    remedy: "Replace what it waits for by a stub, or raise `NetworkOptions.patience`.")

  package static let endlessLoop = Explanation(
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

  package static let nested = Explanation(
    name: "nested", words: "A simulation cannot begin inside another one",
    why: "A simulation has one clock, and the client would see two.",
    remedy: "Use the network that the running simulation gave to its closure.")

  package static let nondeterministic = Explanation(
    name: "nondeterministic", words: "took another course than run 1",
    why: "The client depends on something that the seed does not decide, such as the address of an object.",
    remedy: "Look at the first difference: what the client did there tells what it depends on.")

  // If a message contains the words of two explanations, the first in the list is used.
  static let simulations = [
    unseenWait, blockedThread, notCaptured, deadlock, stuck, endlessLoop, unending, nested, nondeterministic,
  ]

  // MARK: Requests

  package static let unusableNetwork = Explanation(
    name: "unusable-network", words: "The simulated network cannot be used",
    why: "It was made with a wrong profile, token or pace. That is a mistake in the test, so it is no `URLError`.",
    remedy: "Correct what the message names; `netcond profiles` lists the profiles.")

  package static let unusedNetwork = Explanation(
    name: "unused-network", words: "Nothing used a simulated network",
    why: """
      The network ended, and no session was made of it: the client has a session of its own, or `URLSession.shared`, which \
      asked the real network.
      """,
    remedy: """
      Hand `network.session` to the client, call `network.simulate(in: configuration)` on its configuration, or intercept \
      `URLSession.shared` with `network.interceptSharedSession()`.
      """)

  package static let noNetworkHere = Explanation(
    name: "no-network-here", words: "There is no network under test here",
    why: """
      `NetworkUnderTest` was read where no test with the trait `.network(…)` is: in a test without it, or in a detached task, a \
      queue or a completion handler, which leave the test.
      """,
    remedy: """
      Add the trait. Where the client leaves the test, read `NetworkUnderTest.session` in the test before, and hand it over.
      """)

  package static let noStub = Explanation(
    name: "no-stub", words: "No stub matches",
    why: "No stub answers the request, and the network has no transport to a real server.",
    remedy: "Add a stub, or make the network with `transport: URLSessionTransport()`. The nearest stubs are listed.")

  package static let unsupportedURL = Explanation(
    name: "unsupported-url", words: "cannot be simulated, only http: and https:",
    why: "The simulator carries HTTP alone.",
    remedy: "Load the URL in a session without the simulation.")

  package static let unusableStub = Explanation(
    name: "unusable-stub", words: "The stub's answer is unusable",
    why: "A stub cannot answer: its status or body makes no sense, its sequence is over, or its pattern is no URL.",
    remedy: "Correct the stub that the message names, or give its sequence another end, such as `then: .repeatLast`.")

  package static let noRecording = Explanation(
    name: "no-recording", words: "has no GET https://…",
    why: "The archive has no answer to the request, or one whose body cannot be served.",
    remedy: "Record the request too, or answer it by a stub or by `matching:` that compares less.")

  package static let unreadableUpload = Explanation(
    name: "unreadable-upload", words: "to upload cannot be read",
    why: "The file or the stream of an upload gives nothing, or cannot be read a second time.",
    remedy: "Upload a file that is there or data, or let the delegate give a new stream for each attempt.")

  package static let platformLimit = Explanation(
    name: "platform-limit", words: "Foundation on Linux",
    why: "Foundation gives a custom `URLProtocol` no such task, challenge or back-pressure on this platform.",
    remedy: "Take the way that the message names, such as the network's own `download(for:)`.")

  package static let endedNetwork = Explanation(
    name: "ended-network", words: "The simulated network was invalidated",
    why: "The request came after the network's end: its test or simulation is over, or `invalidate()` was called.",
    remedy: "Await all requests within the test, and make a new network for the next one.")

  static let requests = [
    noNetworkHere, unusableNetwork, unusedNetwork, noStub, unsupportedURL, unusableStub, noRecording, unreadableUpload,
    platformLimit,
    endedNetwork,
  ]

  // MARK: Names and tokens

  package static let unknownProfile = Explanation(
    name: "unknown-profile", words: "no profile is called",
    why: "Neither a built-in profile nor one of your folder has the name.",
    remedy: "Take the near name that the message tells; `netcond profiles` lists all.")

  package static let badToken = Explanation(
    name: "bad-token", words: "replay token",
    why: "A token was cut off, changed, or made by another version of the package or for a profile that has changed.",
    remedy: "Copy it again in whole, or search once more with this version.")

  package static let sharedSession = Explanation(
    name: "shared-session", words: "is intercepted already",
    why: "`URLSession.shared` is one for the whole process, and another test has it.",
    remedy: "End the other interception, or wait for it with `network.interceptingSharedSession { }`.")

  package static let wrongValue = Explanation(
    name: "wrong-value", words: "… is not a rate; write for example …",
    why: "A value, a key or a unit in a profile, an archive, an option or a quantity is not one that is known there.",
    remedy: """
      The message has the place, the value and what would be right: write that. `netcond check FILE` finds all of a profile.
      """)

  package static let wrongSyntax = Explanation(
    name: "wrong-syntax", words: "line 3, column 5: …",
    why: "A file is not JSON, or not of the format that its name or `--format` says.",
    remedy: "Correct the place that is named, counted from 1; `netcond import` lists the formats of other tools.")

  package static let unreadableFile = Explanation(
    name: "unreadable-file", words: "there is no such file, or it cannot be read",
    why: "A file is missing, a folder, too large, a device without an end, or no text.",
    remedy: "Name a file that is there; unpack or split one that is too large.")

  package static let unwritableFile = Explanation(
    name: "unwritable-file", words: "cannot be written",
    why: "The disk is full, the folder is missing, or writing there is not allowed.",
    remedy: "Make the folder, or name another file.")

  package static let fileExists = Explanation(
    name: "file-exists", words: "already exists; name another file",
    why: "A recording never overwrites a file unasked.",
    remedy: "Name another file, or allow it: `--force`, or `overwrites: true`.")

  package static let environment = Explanation(
    name: "environment", words: "NETCOND_SEED: …",
    why: "A variable of the environment that begins with `NETCOND_` has a value that cannot be used.",
    remedy: "Set the variable to what the message asks for, or unset it.")

  static let inputs = [
    unknownProfile, badToken, sharedSession, wrongSyntax, unreadableFile, unwritableFile, fileExists, environment,
    wrongValue,
  ]

  // MARK: Searches and benchmarks

  package static let impossibleSearch = Explanation(
    name: "impossible-search", words: "Nothing can be searched",
    why: "The seeds, the number of faults, the kinds or the processes that were asked for leave no run to make.",
    remedy: "Change the argument that the message names.")

  package static let knownFailures = Explanation(
    name: "known-failures", words: "The known failures in",
    why: "The file in the folder `KnownFailures` cannot be read or written, or a line of it is damaged.",
    remedy: "Correct the line that is named, or delete the file: the search finds the seeds again.")

  package static let impossibleBenchmark = Explanation(
    name: "impossible-benchmark", words: "This cannot be run",
    why: "The workload, the server, the seeds, the profiles or the contenders of a benchmark leave no trial to make.",
    remedy: "Change the argument that the message names.")

  package static let unlikeReports = Explanation(
    name: "unlike-reports", words: "These parts do not make a whole",
    why: "The reports are of different benchmarks or explorations, or one has only a part of the trials.",
    remedy:
      "Merge shards of one benchmark or exploration only, and compare a report with one of the same arguments.")

  package static let baseline = Explanation(
    name: "baseline", words: "this is no baseline",
    why: "The file of known failures of an exploration is missing, damaged or of a newer version of the package.",
    remedy: "Correct or delete it, and write it anew from a report that is accepted.")

  package static let regression = Explanation(
    name: "regression", words: "… is worse: …",
    why: "A benchmark compared with its baseline: at least one figure is worse than chance explains.",
    remedy: "Repair the client or the policy. To accept the change, delete the baseline and run once more.")

  package static let clientError = Explanation(
    name: "client-error", words: "(profile …, seed …, after … of virtual time)",
    why: "The client threw the error within the simulation's closure; the simulation itself is sound.",
    remedy: """
      Run the closure once more with that profile and seed, and look at the timeline; or expect the error in the test.
      """)

  package static let unendedTest = Explanation(
    name: "unended-test", words: "cannot be ended",
    why: """
      A test was cancelled after its network could not go on, and still waits: the process ends, since no test can be left behind.
      """,
    remedy: "Let the wait end when its task is cancelled (`withTaskCancellationHandler`), and give it a time limit.")

  static let searches = [
    impossibleSearch, knownFailures, impossibleBenchmark, unlikeReports, baseline, regression, clientError, unendedTest,
  ]

  // MARK: Policies, the proxy and the command line

  package static let retryRefused = Explanation(
    name: "retry-refused", words: "the retry policy let no attempt start",
    why: "The circuit breaker of the policy is open after failures, its bulkhead is full, or it sheds load.",
    remedy: "Wait for the breaker's open time, or raise its threshold or the bulkhead's limit.")

  package static let retryPolicy = Explanation(
    name: "retry-policy", words: "retry policy is called",
    why: "No policy has the name, or the text of a policy cannot be read at the place that is counted from 1.",
    remedy: "Take a near name, or correct the text; `netcond retry --help` shows names and the grammar.")

  package static let proxyAddress = Explanation(
    name: "proxy-address", words: "cannot listen on",
    why: "Another program listens there, or the address is none of this machine.",
    remedy: "Name another port, or 0 for a free one.")

  package static let proxyRequest = Explanation(
    name: "proxy-request", words: "bad request body: …",
    why: "The proxy, or its control API, was asked for what makes no sense.",
    remedy: "The message says what would be right; `netcond proxy --help` and the page on the proxy have examples.")

  package static let proxyStopped = Explanation(
    name: "proxy-stopped", words: "the proxy has been stopped",
    why: "A proxy that was stopped cannot start again.",
    remedy: "Make a new one.")

  package static let usage = Explanation(
    name: "usage", words: "netcond: …",
    why: "The command line has an unknown word, a missing one, or two that exclude each other.",
    remedy: "Write what the message proposes; `netcond COMMAND --help` begins with examples.")

  package static let transferFailed = Explanation(
    name: "transfer-failed", words: "The server answered with status …",
    why: """
      A real transfer failed: the server answered with an error, could not be reached, or was too slow for the limit.
      """,
    remedy: "Try it without `--profile`; where it fails too, the simulation has no part in it.")

  static let programs = [
    retryRefused, retryPolicy, proxyAddress, proxyRequest, proxyStopped, usage, transferFailed,
  ]
}
