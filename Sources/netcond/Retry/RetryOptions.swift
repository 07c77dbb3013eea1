import FailureSearch
import Foundation
import Internals
import NetworkConditions
import RetryBenchmark
import RetryPolicies

struct RetryOptions {
  let benchmark: RetryBenchmark
  let candidates: [Candidate]
  /// Whether to run more seeds until every comparison is decided (`--until-decided`).
  let goesOn: Bool
  /// Whether to search for the loads from which the server recovers (`--find-load`).
  let findsLoads: Bool
  var policies: [String] { candidates.map(\.name) }

  init(_ arguments: Arguments) throws {
    findsLoads = arguments[flag: Self.findLoadOption]
    // Only in the scenario overload may the server stay overloaded.
    var scenario = findsLoads ? RetryScenario.overload : .mobile
    let names = Self.scenarios
    try arguments.set(&scenario, to: Self.scenarioOption, such: "one of \(names.joined(separator: ", "))") { name in
      RetryScenario.all.first { $0.name == name }
    }
    var plans = try PolicyList.read(arguments[Self.policyOption] ?? scenario.policies.joined(separator: ", "))
    if arguments[flag: Self.equalOption] {
      let equal = try RetryPolicyPlan.equalised(plans.map(\.plan))
      plans = zip(plans, equal).map { (name: $0.name ?? $0.plan.description, plan: $1) }
    }
    candidates = plans.map { Candidate(name: $0.name, plan: $0.plan) }
    let policies = candidates.map(\.name)
    goesOn = arguments[flag: Self.untilDecidedOption]
    if goesOn, arguments[Self.shardOption] != nil {
      throw UsageError("--until-decided: a shard has only a part of the seeds, so it cannot decide; leave --shard out")
    }
    if findsLoads, let other = Self.notOfLoads.first(where: { arguments[flag: $0] }) {
      throw UsageError("--find-load prints loads, not a report; leave --\(other.name) out")
    }
    if goesOn, policies.count < 2 {
      throw UsageError("--until-decided: one policy cannot be compared; name two or more")
    }
    let profiles = try
      (arguments[Self.profileOption].map { try Self.list($0, of: Self.profileOption) } ?? scenario.profiles)
      .map { try ProfileFacts.load($0, at: arguments[ProfileFacts.beginningOption]) }
    if let twice = Self.twice(profiles.map(\.name)) { throw UsageError("--profile: \(twice) is named twice") }
    let workload = try Self.workload(arguments, scenario.workload)
    var seeds = SeedRange(count: goesOn ? 100_000 : Self.seedCount(scenario, workload))
    try arguments.set(&seeds, to: Self.seedsOption, such: SeedRange.expected) { SeedRange($0) }
    do {
      var benchmark = try RetryBenchmark(
        profiles: profiles, seeds: seeds.seeds, workload: workload,
        server: try Self.server(arguments, scenario.server))
      try arguments.set(&benchmark.margin, to: Self.marginOption, such: "a margin; write 0.5 points or 1.5 times") {
        SuccessMargin($0).map { $0 }
      }
      try arguments.set(&benchmark.shard, to: Self.shardOption, such: "a shard of the seeds; write 1/4 to 4/4") {
        text in
        FaultExploration.Shard(text).map { ($0.number - 1, $0.count) }
      }
      self.benchmark = benchmark
    } catch let error as RetryBenchmarkError {
      throw UsageError("\(error)")
    }
  }

  /// The default number of seeds: the scenario's, or fewer if each has many more requests, so that a run takes seconds.
  private static func seedCount(_ scenario: RetryScenario, _ workload: Workload) -> UInt64 {
    let (usual, asked) = (scenario.workload.requests, max(1, workload.requests))
    return UInt64(min(scenario.seedCount, max(200, scenario.seedCount * usual / asked)))
  }

  var trials: Int {
    let (index, count) = benchmark.shard
    return benchmark.profiles.count * policies.count * ((benchmark.seeds.count - index + count - 1) / count)
  }

  private static func workload(_ arguments: Arguments, _ usual: Workload) throws -> Workload {
    var workload = usual
    func set(_ count: inout Int, to option: Option, _ most: Int) throws {
      try arguments.set(&count, to: option, such: "a number from 1 to \(most)") { Arguments.number($0, in: 1...most) }
    }
    func set(_ size: inout Int, to option: Option) throws {
      guard let text = arguments[option] else { return }
      size = Int(try UsageError.naming(option.name) { try ByteQuantity(parsing: text).bytes })
    }
    try set(&workload.clients, to: clientsOption, 100_000)
    try set(&workload.requestsPerClient, to: requestsOption, 10_000)
    try set(&workload.requestBytes, to: putOption)
    try set(&workload.responseBytes, to: getOption)
    if arguments[thinkOption] != nil { workload.every = nil }
    if let text = arguments[thinkOption] { workload.think = try ServerText.distribution(text, of: "think") }
    if let text = arguments[everyOption] { workload.every = try ServerText.distribution(text, of: "every") }
    if let text = arguments[arrivalOption] { workload.arrival = try arrival(text) }
    try arguments.set(&workload.method, to: methodOption, such: "an HTTP method; write for example POST") { text in
      !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isLetter } ? text.uppercased() : nil
    }
    if let text = arguments[deadlineOption] { workload.deadline = try ServerText.time(text, of: "deadline") }
    if let text = arguments[perTryOption] { workload.perTry = try ServerText.time(text, of: "per-try") }
    return workload
  }

  private static func server(_ arguments: Arguments, _ usual: ServerModel) throws -> ServerModel {
    var server = usual
    if let text = arguments[serverOption] {
      // Separate options set outages and brown-outs, so keep them.
      let (outages, brownOuts) = (server.outages, server.brownOuts)
      server = try ServerText.server(text)
      (server.outages, server.brownOuts) = (outages, brownOuts)
    }
    if let text = arguments[brownOutOption] { server.brownOuts = try ServerText.brownOuts(text) }
    if let text = arguments[outageOption] { server.outages = try ServerText.outages(text) }
    return server
  }

  /// Reads `together`, `poisson 10 s` or `evenly 10 s`.
  private static func arrival(_ text: String) throws -> Workload.Arrival {
    let text = text[...].trimmed
    if text == "together" { return .together }
    for (word, arrival) in [("evenly ", Workload.Arrival.evenly), ("poisson ", Workload.Arrival.poisson)]
    where text.hasPrefix(word) {
      return arrival(try ServerText.time(String(text.dropFirst(word.count).trimmed), of: "arrival"))
    }
    throw UsageError("--arrival: \"\(text)\" is not an arrival; write together or \"poisson 10 s\", or \"evenly 10 s\"")
  }

  private static func list(_ text: String, of option: Option) throws -> [String] {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
    guard !names.contains("") else { throw UsageError("--\(option.name): \"\(text)\" has an empty name") }
    return names
  }

  static func twice(_ names: [String]) -> String? {
    names.enumerated().first { names[..<$0].contains($1) }?.element
  }

  static let scenarios = RetryScenario.all.map(\.name)
  /// The hints below a report: the plans of the scenarios' named policies, and further options and scenarios.
  static func hint(_ arguments: Arguments, _ report: RetryReport) -> String {
    let plans = RetryScenario.named.filter { report.plans.contains("\($0.name) = \($0.plan)") }
    let shown = arguments[scenarioOption] ?? scenarios[0]
    let others = scenarios.filter { $0 != shown }.joined(separator: "|")
    let more = arguments[flag: ReportOutput.allOption] ? "--html FILE writes" : "--all prints more, --html FILE"
    return
      (plans.map { "\($0.name) = \($0.plan)" } + ["\(more) a page; --scenario \(others)"]).joined(separator: "\n")
  }
  static let scenarioOption = Option(
    "scenario", value: "NAME", help: "the situation, which all other options modify (mobile); see below")
  static let profileOption = Option(
    "profile", short: "p", value: "NAMES", help: "the networks' profiles, separated by commas (subway, flaky)")
  static let policyOption = Option(
    "policy", value: "PLANS",
    help:
      "the policies, separated by commas, such as \"none, ours = grpc(attempts 5) + per-try(5 s)\", or @FILE with one on "
      + "each line; the others are compared with the first")
  static let equalOption = Option(
    "equal",
    help: "compare at equal limits: the most attempts, the longest deadline and per-try limit that any of them has")
  static let untilDecidedOption = Option(
    "until-decided",
    help:
      "run seeds until each policy's success is known to differ from the first's, or to differ by less than matters; "
      + "--seeds is the limit (100000)")
  static let findLoadOption = Option(
    "find-load",
    help:
      "find, for each policy, the load above which the server does not recover from its outage or brown-out; in the "
      + "scenario overload, unless --scenario names another")
  /// The options for reports that cannot be combined with `--find-load`.
  static let notOfLoads = [
    untilDecidedOption, marginOption, clientsOption, requestsOption, shardOption,
    ReportOutput.baselineOption,
    ReportOutput.allOption, ReportOutput.csvOption, ReportOutput.htmlOption, ReportOutput.svgOption,
  ]
  static let marginOption = Option(
    "margin", value: "TEXT",
    help:
      "the least difference in success that matters: \"0.5 points\" of a hundred, or \"1.5 times\" the failures of the better "
      + "policy (1 point; 1.5 times where under 2 % fail, at least 0.1 points)")
  static let clientsOption = Option("clients", short: "c", value: "N", help: "how many clients send requests (1)")
  static let requestsOption = Option(
    "requests", value: "N", help: "how many requests each client sends (1)")
  static let arrivalOption = Option(
    "arrival", value: "TEXT",
    help: "when clients arrive: together, or for example \"poisson 10 s\" or \"evenly 10 s\" (together)")
  static let thinkOption = Option(
    "think", value: "TIME",
    help: "how long a client waits after an answer before its next request, such as \"exponential 2 s\" (0 s)")
  static let everyOption = Option(
    "every", value: "TIME",
    help: "the time from one request of a client to its next, answered or not, such as \"exponential 2 s\"")
  static let brownOutOption = Option(
    "brown-out", value: "A..B xN",
    help: "when the server takes N times as long for a request, such as \"3 s..10 s x5\"")
  static let methodOption = Option("method", value: "METHOD", help: "the method (GET); a POST is not sent twice")
  static let getOption = Option("get", value: "SIZE", help: "the size of an answer's body (2 kB)")
  static let putOption = Option("put", value: "SIZE", help: "the size of a request's body (0 B)")
  static let serverOption = Option(
    "server", value: "PARTS",
    help:
      "how fast the server works (20 ms; or exponential 20 ms, log-normal 20 ms x2.5, pareto 20 ms ^1.5, measured 10 ms 90 "
      + "times; 1 s 10 times); how much at once, such as \"20 ms, 4 at once\", where all others wait; add \"queue 2 s\" "
      + "to let them wait that long, \"queue 10, 503 after 2 s\" to reject the eleventh at once; \"keys 24 h\" "
      + "remembers an Idempotency-Key that long"
  )
  static let outageOption = Option(
    "outage", value: "A..B", help: "when the server is down, such as \"3 s..10 s\" after the first client may arrive")
  static let deadlineOption = Option(
    "deadline", value: "DURATION", help: "how long a request may take in all (as the scenario or the policy says)")
  static let perTryOption = Option(
    "per-try", value: "DURATION",
    help: "how long one attempt may take, for policies without such a limit (as the scenario says)")
  static let seedsOption = Option(
    "seeds", short: "s", value: "N|A..<B",
    help: "how many trials, or with which seeds (as many as the scenario says; fewer for more requests)")
  static let shardOption = Option(
    "shard", value: "I/N", help: "run the I-th of N shards of the seeds; netcond merge merges them")

  static let usage = Usage(
    options: [
      scenarioOption, profileOption, ProfileFacts.beginningOption, policyOption, equalOption, untilDecidedOption,
      marginOption, findLoadOption,
      clientsOption,
      requestsOption, thinkOption, everyOption, arrivalOption,
      methodOption, getOption, putOption,
      serverOption, brownOutOption, outageOption, deadlineOption, perTryOption, seedsOption,
      shardOption,
      ReportOutput.baselineOption, ReportOutput.junitOption, ReportOutput.annotationsOption,
    ] + ReportOutput.options,
    examples: [
      "netcond retry --scenario payment",
      "netcond retry --profile tunnel,3G --policy 'none, ours = full-jitter(attempts 5)' --html report.html",
      "netcond retry --find-load --server '50 ms, 4 at once' --policy none,immediate",
      "netcond retry --clients 50 --server '50 ms, 2 at once' --brown-out '3 s..6 s x5' --arrival 'poisson 10 s'",
      "netcond retry --shard 1/2 --json > a.json",
      "netcond retry --baseline kept.json --junit retry.xml",
    ],
    inCode: "RetryBenchmark, with Candidate(\"ours\") { network, request in ... } for your own client.",
    notes: ["Scenarios:"] + RetryScenario.all.flatMap(lines) + [
      "",
      "Time is virtual, so nothing waits. Under one seed, all policies meet the same network at the same moment, and are "
        + "compared in pairs. Clients start anywhere in the profile, or where --at says.",
      "", "Policies with their usual values; parts with + follow a policy, or the name of a scenario's policy:",
    ] + RetryPolicyCatalogue.grammar.map { "  \($0)" } + [
      "Each client has its own budget, breaker and the like. With the word shared, all clients have one, as in "
        + "budget(20 %, shared); with shared by 50, each process of 50 clients has one.",
      "",
      "--json prints a report that netcond merge reads. A FILE is written at the end, and replaced if it exists. "
        + "Ctrl-C prints the results so far, marked as partial; a second one quits at once.",
      "Exit status: 0 done, 1 worse than --baseline, or a policy never stops trying (the output names it), 2 wrong usage, "
        + "129 hung up, 130 interrupted, 143 terminated.",
    ])

  /// A scenario in the help: its summary, networks, seeds, and the plans of its policies.
  private static func lines(_ scenario: RetryScenario) -> [String] {
    let networks =
      "\(scenario.profiles.count == 1 ? "network" : "networks") \(scenario.profiles.joined(separator: ", "))"
    let plain = scenario.policies.filter { !$0.contains("=") }.joined(separator: ", ")
    return ["  \(scenario.name): \(scenario.summary) (\(networks); \(scenario.seedCount) seeds)", "      \(plain)"]
      + scenario.policies.filter { $0.contains("=") }.map { "      \($0)" }
  }

  /// Reruns the trials to draw: one of each policy under the seed where policies differ most.
  func drawnTrials(of report: RetryReport) async throws -> [NamedTrial] {
    guard let profile = report.profiles.first, let seed = report.tellingSeed(of: profile) else { return [] }
    var trials: [NamedTrial] = []
    for candidate in candidates where report[profile, candidate.name] != nil {
      let trial = try await benchmark.trial(of: candidate, under: profile, seed: seed)
      trials.append(NamedTrial(profile: profile, policy: candidate.name, trial: trial))
    }
    return trials
  }
}

extension Workload {
  /// The number of requests that all clients of a trial send together.
  fileprivate var requests: Int { clients * requestsPerClient }
}
