import ExampleClients
import ExampleSearches
import FailureSearch
import Internals
import NetworkConditions

/// One stop of the tour: demonstrates a job, and shows how users do it themselves.
struct TourStop: Sendable {
  let title: String
  /// What the stop will demonstrate, in a sentence or two.
  let story: String
  let run: @Sendable (Console) async throws -> ExitStatus
  /// The code or commands with which users do the same, one on each line.
  let yours: [String]

  static let all = [transfer, bug, policies]

  /// A download that meets a tunnel: with a moving bar on a terminal, computed at once elsewhere.
  static let transfer = TourStop(
    title: "A download meets a tunnel",
    story: "A train enters a 12 s tunnel two seconds after a 3 MB download starts.",
    run: { console in
      // Four times as fast as real time, so that it takes six seconds.
      let pace = console.isLive ? ["--speed", "4"] : ["--virtual"]
      return try await run(GetCommand.self, ["--profile", "tunnel"] + pace, on: console)
    },
    yours: [
      #"let network = SimulatedNetwork("tunnel", seed: 0)"#,
      "let session = URLSession(configuration: network.sessionConfiguration)",
      "netcond get --profile tunnel --virtual --trace tunnel.html   # as a page",
    ])

  /// A client with a bug that some seeds reveal, cut down to the fault that causes it.
  static let bug = TourStop(
    title: "An intermittent bug is found, cut down and kept as a test",
    story:
      "A client sets one time limit for all attempts at a page. It loads a feed in the tunnel under one seed after "
      + "another, until one makes it fail. Then the limit is fixed, and each single fault of six kinds is tried.",
    run: { console in
      let report = try await ExampleSearch.feed.run(.planted, seeds: 0..<200)
      let mended = try await ExampleSearch.feed.explore(
        .fixed, under: .named("3G"),
        changing: { $0.faults.kinds = [.dns, .refused, .connectTimeout, .tls, .status, .packet] })
      console.show(nil) { width, _ in
        found(report, width: width) + [""] + "Fixed: \(mended.summary)".wrapped(to: min(width, 100))
      }
      return .done
    },
    yours: [
      #"@Test(.network("tunnel", seeds: 0..<200)) func feed() async throws { ... }"#,
      #"@Test(.network("3G", everyFault: 1)) func feed() async throws { ... }"#,
    ])

  /// Compares retry policies on an overloaded server, where their results differ.
  static let policies = TourStop(
    title: "Which wait before a retry is best?",
    story:
      "Fifty clients at once ask a server that works on four requests and queues ten; it rejects the others.",
    run: { console in
      try await run(
        RetryCommand.self,
        [
          "--profile", "wifi", "--clients", "50", "--server", "20 ms, 4 at once, queue 10, 503", "--seeds", "10",
          "--policy", "none, immediate, exponential, full-jitter",
        ], on: console)
    },
    yours: [
      #"Candidate("ours") { network, request in try await ours(network.session) }"#,
      "netcond retry --policy 'none, ours = full-jitter(attempts 5)'",
    ])

  private static func run(
    _ command: any Subcommand.Type, _ words: [String], on console: Console
  ) async throws -> ExitStatus {
    try await command.init().run(Arguments(words, usage: command.usage), on: console)
  }

  /// The result of a search: the failure, its cause, a drawing, and a shortened token.
  private static func found(_ report: FailureReport, width: Int) -> [String] {
    guard let failure = report.failures.first else { return ["\(report)"] }
    let token = "\(failure.token)"
    return failure.summary.split(separator: "\n").flatMap { String($0).wrapped(to: min(width, 100)) }
      + ["", failure.drawing, "", #"@Test(.network(replaying: "\#(token.prefix(24))…"))  // the test to commit"#]
  }
}
