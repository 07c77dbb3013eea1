extension Explanation {
  // MARK: Simulations

  package static let notCaptured = Explanation(
    name: "not-captured", words: "the run would not be exact",
    why: """
      The client did something that takes real time: another process, DispatchIO, a dispatch source other than a \
      timer, a thread barrier, a socket timeout, or a request that is not HTTP in a session of its own. Or two \
      simultaneous runs share a static object. Where clients are not captured, work on a queue or in an unstructured \
      task is also refused.
      """,
    remedy: """
      The message names the call, its place and what to do instead. Processes and servers: replace them with stubs. \
      Static objects: give each run its own object, or its own process: `workers: .processes()`.
      """)

  package static let unseenWait = Explanation(
    name: "unseen-wait", words: "the closure waits for something that the simulation cannot see",
    why: "The client is not captured, and it sleeps or waits on one of the system's clocks.",
    remedy: "Make it sleep on `network.clock`, and wait in child tasks: `async let` or a task group.")

  package static let blockedThread = Explanation(
    name: "blocked-thread", words: "A thread may be waiting for one of these requests",
    why:
      "The client is not captured, and it blocks a thread while requests are open. They can only end on that thread.",
    remedy: "Do not block a thread to wait for a request: `await` it.")

  package static let deadlock = Explanation(
    name: "deadlock", words: "Nothing can happen any more",
    why: "The closure has not returned, and no request, timer or sleep is left that could resume it.",
    remedy: """
      Look at the listed requests, calls and continuations: one of them never ends. If none is listed, a continuation \
      is never resumed, but its place is not known.
      """)

  package static let stuck = Explanation(
    name: "stuck", words: "Nothing has moved for",
    why: "A thread is blocked in real time, computes for very long, or waits for something outside the simulation.",
    remedy: """
      Replace what it waits for with a stub, or raise `NetworkOptions.patience`. If the place is `#expect(a == b)`, compare \
      counts or hashes: Swift Testing searches long, unequal collections for their difference.
      """)

  package static let endlessLoop = Explanation(
    name: "endless-loop", words: "Time stands still at",
    why: "Something runs without waiting, and time advances only when everything waits. `Task.yield()` does not wait.",
    remedy: "Look at the place in the message. Make the loop wait for a condition, a continuation or a sleep.")

  package static let unending = Explanation(
    name: "unending", words: "the limit is",
    why: "The closure has not returned within an hour of virtual time, or within the limit on requests.",
    remedy: """
      Give the client an end: a maximum number of attempts, or a deadline. To change the limits, set \
      `NetworkOptions.timeLimit` or `NetworkOptions.requestLimit`.
      """)

  package static let nested = Explanation(
    name: "nested", words: "A simulation cannot begin inside another one",
    why: "A simulation has one clock, but the client would see two.",
    remedy: "Use the network that the running simulation passed to its closure.")

  package static let nondeterministic = Explanation(
    name: "nondeterministic", words: "differs from run 1",
    why: "The client depends on something that the seed does not control, such as the address of an object.",
    remedy: "Look at the first difference: what the client did there shows what it depends on.")

  // If a message contains the words of two explanations, the first in the list is used.
  static let simulations = [
    unseenWait, blockedThread, notCaptured, deadlock, stuck, endlessLoop, unending, nested, nondeterministic,
  ]

  // MARK: Requests

  package static let unusableNetwork = Explanation(
    name: "unusable-network", words: "The simulated network cannot be used",
    why: """
      It was created with an invalid profile, token or pace. That is a mistake in the test, so the error is not a \
      `URLError`.
      """,
    remedy: "Correct what the message names. `netcond profiles` lists the profiles.")

  package static let unusedNetwork = Explanation(
    name: "unused-network", words: "Nothing used a simulated network",
    why: """
      The network ended, but no session was created from it. The client uses its own session or `URLSession.shared`, \
      so its requests went to the real network.
      """,
    remedy: """
      Give `network.session` to the client, call `network.simulate(in: configuration)` on its configuration, or \
      intercept `URLSession.shared` with `network.interceptSharedSession()`.
      """)

  package static let noNetworkHere = Explanation(
    name: "no-network-here", words: "There is no network under test here",
    why: """
      `NetworkUnderTest` was read outside a test with the trait `.network(…)`: in a test without the trait, or, \
      where clients are not captured, in a detached task, a queue or a completion handler.
      """,
    remedy: """
      Add the trait. If the client runs outside the test, read `NetworkUnderTest.session` in the test itself, and pass \
      it to the client.
      """)

  package static let noStub = Explanation(
    name: "no-stub", words: "No stub matches",
    why: """
      No stub answers the request, and the network has no transport to a real server. The mistake ends a simulation, \
      because a client that expects network errors would not notice it. Elsewhere the request fails.
      """,
    remedy: """
      Add a stub, or create the network with `transport: URLSessionTransport()`. The message lists the nearest stubs. For \
      a server that is down, use `.error(.cannotConnectToHost)`.
      """)

  package static let unsupportedURL = Explanation(
    name: "unsupported-url", words: "cannot be simulated, only http: and https:",
    why: "The simulator supports only HTTP.",
    remedy: "Load the URL in a session that is not simulated.")

  package static let unusableStub = Explanation(
    name: "unusable-stub", words: "The stub's answer is unusable",
    why: """
      A stub cannot answer: its status or body is invalid, its sequence has no more answers, or its pattern is not a \
      URL. The mistake ends a simulation, as with `no-stub`.
      """,
    remedy:
      "Correct the stub that the message names, or end its sequence differently, for example with `then: .repeatLast`.")

  package static let noRecording = Explanation(
    name: "no-recording", words: "has no GET https://…",
    why: "The archive has no answer to the request, or its answer has a body that cannot be served.",
    remedy: "Record the request too, answer it with a stub, or use a `matching:` that compares less.")

  package static let unreadableUpload = Explanation(
    name: "unreadable-upload", words: "to upload cannot be read",
    why: "The upload's file or stream is missing or cannot be read, or the stream cannot be read a second time.",
    remedy: "Upload data or a file that exists, or let the delegate provide a new stream for each attempt.")

  package static let platformLimit = Explanation(
    name: "platform-limit", words: "Foundation on Linux",
    why:
      "On this platform, Foundation does not support this task, challenge or back-pressure in a custom `URLProtocol`.",
    remedy: "Use the alternative in the message, such as the network's own `download(for:)`.")

  package static let endedNetwork = Explanation(
    name: "ended-network", words: "The simulated network was invalidated",
    why: "The request came after the network had ended: its test or simulation is over, or `invalidate()` was called.",
    remedy: "Await all requests within the test, and create a new network for the next one.")

  static let requests = [
    noNetworkHere, unusableNetwork, unusedNetwork, noStub, unsupportedURL, unusableStub, noRecording, unreadableUpload,
    platformLimit,
    endedNetwork,
  ]

  // MARK: Names and tokens

  package static let unknownProfile = Explanation(
    name: "unknown-profile", words: "no profile is called",
    why: "No built-in profile and no profile in your folder has this name.",
    remedy: "Use a similar name from the message. `netcond profiles` lists all names.")

  package static let badToken = Explanation(
    name: "bad-token", words: "replay token",
    why: """
      The token is incomplete or changed, or it was made by another version of the package or for a profile that has \
      changed since.
      """,
    remedy: "Copy the whole token again, or repeat the search with this version.")

  package static let sharedSession = Explanation(
    name: "shared-session", words: "is already intercepted",
    why: "`URLSession.shared` is shared by the whole process, and another test is intercepting it.",
    remedy: "End the other interception, or wait for it with `network.interceptingSharedSession { }`.")

  package static let wrongValue = Explanation(
    name: "wrong-value", words: "… is not a rate; write for example …",
    why: "A profile, an archive, an option or a quantity contains an unknown value, key or unit.",
    remedy: """
      The message shows the place, the value and what to write instead. `netcond check FILE` finds all such mistakes \
      in a profile.
      """)

  package static let wrongSyntax = Explanation(
    name: "wrong-syntax", words: "line 3, column 5: …",
    why: "A file is not JSON, or not in the format given by its name or `--format`.",
    remedy: """
      Correct the file at the line and column in the message, counted from 1. `netcond import` lists the formats of \
      other tools.
      """)

  package static let unreadableFile = Explanation(
    name: "unreadable-file", words: "there is no such file, or it cannot be read",
    why: "A file is missing or too large, or it is a folder, an endless device, or not text.",
    remedy: "Name an existing file. Unpack or split a file that is too large.")

  package static let unwritableFile = Explanation(
    name: "unwritable-file", words: "cannot be written",
    why: "The disk is full, the folder is missing, or you may not write there.",
    remedy: "Create the folder, or name another file.")

  package static let fileExists = Explanation(
    name: "file-exists", words: "already exists; name another file",
    why: "A recording does not overwrite an existing file unless you allow it.",
    remedy: "Name another file, or allow it with `--force` or `overwrites: true`.")

  package static let environment = Explanation(
    name: "environment", words: "NETCOND_SEED: …",
    why: "An environment variable whose name begins with `NETCOND_` has an invalid value.",
    remedy: "Set the variable as the message says, or unset it.")

  static let inputs = [
    unknownProfile, badToken, sharedSession, wrongSyntax, unreadableFile, unwritableFile, fileExists, environment,
    wrongValue,
  ]

  // MARK: Searches and benchmarks

  package static let impossibleSearch = Explanation(
    name: "impossible-search", words: "Nothing can be searched",
    why: "The given seeds, number of faults, kinds or processes leave no run to make.",
    remedy: "Change the argument that the message names.")

  package static let knownFailures = Explanation(
    name: "known-failures", words: "The known failures in",
    why: "The file in the folder `KnownFailures` cannot be read or written, or one of its lines is damaged.",
    remedy: "Correct the line in the message, or delete the file: the search finds the seeds again.")

  package static let impossibleBenchmark = Explanation(
    name: "impossible-benchmark", words: "This cannot be run",
    why: "The benchmark's workload, server, seeds, profiles or candidates leave no trial to run.",
    remedy: "Change the argument that the message names.")

  package static let unlikeReports = Explanation(
    name: "unlike-reports", words: "These reports do not belong together",
    why: "The reports are from different benchmarks or explorations, or one contains only part of the trials.",
    remedy:
      "Merge only shards of the same benchmark or exploration, and compare only reports made with the same arguments.")

  package static let regression = Explanation(
    name: "regression", words: "… is worse: …",
    why: "A benchmark was compared with its baseline, and at least one figure is worse than chance explains.",
    remedy: "Fix the client or the policy. To accept the change, delete the baseline and run again.")

  package static let clientError = Explanation(
    name: "client-error", words: "(profile …, seed …, after … of virtual time)",
    why: "The client threw this error inside the simulation's closure. The simulation itself worked.",
    remedy:
      "Run the closure again with that profile and seed, and look at the timeline. Or expect the error in the test.")

  package static let unendedTest = Explanation(
    name: "unended-test", words: "cannot be ended",
    why: """
      A test was cancelled because its network could not continue, but one of its threads is blocked, or its client \
      is not captured. The process ends, because such a test may continue at any time.
      """,
    remedy: "Make the wait end when its task is cancelled (`withTaskCancellationHandler`), and give it a time limit.")

  static let searches = [
    impossibleSearch, knownFailures, impossibleBenchmark, unlikeReports, regression, clientError, unendedTest,
  ]

  // MARK: Policies, the proxy and the command line

  package static let retryRefused = Explanation(
    name: "retry-refused", words: "the retry policy let no attempt start",
    why: "The policy's circuit breaker is open after failures, its bulkhead is full, or it sheds load.",
    remedy: "Wait until the breaker's open time has passed, or raise its threshold or the bulkhead's limit.")

  package static let retryPolicy = Explanation(
    name: "retry-policy", words: "retry policy is called",
    why: "No policy has this name, or the text of a policy cannot be read at the given position, counted from 1.",
    remedy: "Use a similar name, or correct the text. `netcond retry --help` shows the names and the grammar.")

  package static let proxyAddress = Explanation(
    name: "proxy-address", words: "cannot listen on",
    why: "Another program is listening there, or the address does not belong to this machine.",
    remedy: "Use another port, or 0 for a free one.")

  package static let proxyRequest = Explanation(
    name: "proxy-request", words: "bad request body: …",
    why: "The proxy or its control API received something invalid.",
    remedy: "The message says what would be valid. `netcond proxy --help` and the page on the proxy have examples.")

  package static let proxyStopped = Explanation(
    name: "proxy-stopped", words: "the proxy has been stopped",
    why: "A stopped proxy cannot be started again.",
    remedy: "Create a new one.")

  package static let usage = Explanation(
    name: "usage", words: "netcond: …",
    why: "The command line has an unknown word, lacks a word, or has two words that exclude each other.",
    remedy: "Write what the message suggests. `netcond COMMAND --help` begins with examples.")

  package static let transferFailed = Explanation(
    name: "transfer-failed", words: "The server answered with status …",
    why: """
      A real transfer failed: the server answered with an error, could not be reached, or was too slow for the time \
      limit.
      """,
    remedy: "Try it with `--profile unlimited`. If it still fails, the network's conditions are not the cause.")

  static let programs = [
    retryRefused, retryPolicy, proxyAddress, proxyRequest, proxyStopped, usage, transferFailed,
  ]
}
