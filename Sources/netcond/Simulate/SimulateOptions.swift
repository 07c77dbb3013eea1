import Foundation
import NetworkConditions

struct SimulateOptions {
  enum Subject {
    case transfer(TransferScenario, over: Network)
    case cases(String)
    case page(PageSource, over: Network)
  }

  /// The network in the form that the command line gave: a profile or a link description.
  enum Network: Equatable {
    case profile(String)
    case link(String)

    var profile: String? { if case .profile(let name) = self { name } else { nil } }
    var link: String? { if case .link(let text) = self { text } else { nil } }
    var phrase: String { profile ?? "a link: \(link ?? "")" }
  }

  let subject: Subject
  var seeds = SeedRange(count: 200)
  var limit = Duration.seconds(180)
  /// The time that is added to the round trip of each measured case.
  var excess = Duration.microseconds(150)
  var json = false

  init(_ arguments: Arguments) throws {
    json = arguments[flag: .json]
    try arguments.set(&seeds, to: Self.seedsOption, such: SeedRange.expected) { SeedRange($0) }
    if let text = arguments[Self.limitOption] {
      limit = try UsageError.naming(Self.limitOption.name) { try Duration(parsing: text) }
      guard limit > .zero else { throw UsageError("--limit: \"\(text)\" leaves no time; write for example \"180 s\"") }
    }
    if let path = arguments[Self.casesOption] {
      let others = Self.transferOptions + [Self.workloadOption, Self.archiveOption]
      if let other = others.first(where: { arguments[flag: $0] }) {
        throw UsageError("--cases and --\(other.name) exclude each other: the file says what is sent over which link")
      }
      if let text = arguments[Self.excessOption] {
        excess = try UsageError.naming(Self.excessOption.name) { try Duration(parsing: text) }
      }
      guard seeds.seeds.upperBound <= 1 << 32 else {
        throw UsageError("--seeds: with --cases, the seeds must be below 4294967296; write for example 101")
      }
      subject = .cases(path)
    } else if let page = [Self.workloadOption, Self.archiveOption].first(where: { arguments[$0] != nil }) {
      subject = try Self.page(arguments, page, limit: limit)
    } else {
      guard arguments[Self.excessOption] == nil else {
        throw UsageError("--rtt-excess has an effect only with --cases; set the round trip with --link or --profile")
      }
      let (profile, network) = try Self.network(arguments)
      var scenario = try Self.scenario(arguments, over: profile.schedule, between: profile.configuration)
      scenario.limit = limit
      subject = .transfer(scenario, over: network)
    }
  }

  /// Reads a page from the file of an option, and its network from the other options.
  private static func page(_ arguments: Arguments, _ option: Option, limit: Duration) throws -> Subject {
    let own = [profileOption, ProfileFacts.beginningOption, linkOption].map(\.name)
    let others = transferOptions.filter { !own.contains($0.name) } + [excessOption, archiveOption]
    if let other = others.first(where: { $0.name != option.name && arguments[flag: $0] }) {
      throw UsageError("--\(option.name) and --\(other.name) exclude each other: the file says what is sent, and how")
    }
    let (profile, network) = try network(arguments)
    let path = arguments[option] ?? ""
    let source =
      option.name == archiveOption.name
      ? try PageSource(archive: path, over: profile, limit: limit)
      : try PageSource(contentsOf: path, over: profile, limit: limit)
    return .page(source, over: network)
  }

  private static func network(_ arguments: Arguments) throws -> (NetworkProfile, Network) {
    guard let link = arguments[linkOption] else {
      let profile = try ProfileFacts.load(
        arguments[profileOption] ?? "3G", at: arguments[ProfileFacts.beginningOption])
      return (profile, .profile(profile.name))
    }
    guard arguments[profileOption] == nil else {
      throw UsageError("--profile and --link exclude each other: both say what the network does")
    }
    guard arguments[ProfileFacts.beginningOption] == nil else {
      throw UsageError("--at has no effect with --link, which never changes; write --profile instead")
    }
    return (NetworkProfile(name: "link", base: try LinkText.conditions(link)), .link(link))
  }

  private static func scenario(
    _ arguments: Arguments, over schedule: ConditionSchedule, between ends: PathConfiguration
  ) throws -> TransferScenario {
    guard arguments[getOption] == nil || arguments[putOption] == nil else {
      throw UsageError("--get and --put exclude each other: a transfer goes one way")
    }
    let isPut = arguments[putOption] != nil
    let option = isPut ? putOption : getOption
    let size = try UsageError.naming(option.name) { try ByteQuantity(parsing: arguments[option] ?? "100 kB") }
    guard size.bytes <= TransferCase.mostBytes else {
      throw UsageError(
        "--\(option.name): \"\(arguments[option] ?? "")\" is more than 100 GB, too much to simulate packet by packet")
    }
    var scenario = TransferScenario(isPut ? .put : .get, bytes: size.bytes, over: schedule)
    scenario.configuration = ends
    scenario.isWarm = arguments[flag: warmOption]
    scenario.isSecure = arguments[flag: secureOption]
    scenario.needsResolution = arguments[flag: resolutionOption]
    let number = "a number of transfers from 1 to \(TransferCase.mostParallel); write for example 6"
    try arguments.set(&scenario.parallel, to: parallelOption, such: number) {
      Arguments.number($0, in: 1...TransferCase.mostParallel)
    }
    try arguments.set(&scenario.version, to: versionOption, such: "a version of HTTP; write 1.1, 2 or 3") {
      StreamRequest.HTTPVersion(rawValue: $0)
    }
    let names = PathConfiguration.CongestionControl.allCases.map(\.rawValue).joined(separator: " or ")
    let control = "a congestion control; write \(names)"
    try arguments.set(&scenario.configuration.congestionControl, to: congestionOption, such: control) {
      PathConfiguration.CongestionControl(rawValue: $0.lowercased())
    }
    return scenario
  }

  static let profileOption = GetOptions.profileOption
  static let linkOption = Option("link", short: "l", value: "PARTS", help: "a network in words: \(LinkText.summary)")
  static let getOption = Option("get", value: "SIZE", help: "fetch a body of this size (100 kB)")
  static let putOption = Option("put", value: "SIZE", help: "send a body instead")
  static let warmOption = Option("warm", help: "use a connection that received 1 kB just before")
  static let parallelOption = Option(
    "parallel", value: "N", help: "start N such transfers at once (1); the last to end counts")
  static let versionOption = Option(
    "http", value: "1.1|2|3",
    help: "use at most six connections (1.1), one for all (2), or one over QUIC (3)")
  static let secureOption = Option("tls", help: "start with a TLS 1.3 handshake")
  static let resolutionOption = Option("dns", help: "start with a name look-up")
  static let congestionOption = Option(
    "congestion", value: PathConfiguration.CongestionControl.allCases.map(\.rawValue).joined(separator: "|"),
    help: "how senders react to loss (\(PathConfiguration().congestionControl))")
  static let seedsOption = Option(
    "seeds", short: "s", value: "N|A..<B", help: "how many runs, or with which seeds (200)")
  static let limitOption = Option(
    "limit", value: "DURATION", help: "give up on a run after this long (180 s)")
  static let casesOption = Option(
    "cases", value: "FILE", help: "simulate the transfers or workloads of a file of measurements, and compare")
  static let workloadOption = Option(
    "workload", value: "FILE", help: "load a page: a file of requests, and what each waits for")
  static let archiveOption = Option("har", value: "FILE", help: "load the page that an HTTP archive recorded")
  static let excessOption = Option(
    "rtt-excess", value: "DURATION",
    help: "what the apparatus of a case adds to its round trip (0.15 ms)")

  /// The options for a transfer and its network, which a file of cases replaces.
  static let transferOptions = [
    profileOption, ProfileFacts.beginningOption, linkOption, getOption, putOption, warmOption, parallelOption,
    versionOption, secureOption,
    resolutionOption, congestionOption,
  ]

  static let usage = Usage(
    options: transferOptions + [
      workloadOption, archiveOption, seedsOption, limitOption, casesOption, excessOption, .json,
    ],
    examples: [
      "netcond simulate --profile tunnel --get '2 MB' --seeds 1000",
      "netcond simulate --link 'down 5 Mbit/s, rtt 80 ms, loss 2 %' --tls --dns",
      "netcond simulate --har site.har --profile 3G --seeds 100",
    ],
    inCode: "PathSimulator, of LinkSimulator.",
    notes: [
      "All times are network time: nothing waits, and the same seeds give the same times. A profile's "
        + "phases count; its rules, faults and version of HTTP do not, and 1.1 is the default. --http 3 never changes "
        + "to TCP, as get does where UDP is blocked. What a link leaves out is unlimited or zero; delay, loss, jitter "
        + "and queue are the same in both directions. A run that does not end counts as later than all others in the "
        + "percentiles; min, max and mean are of those that ended.",
      "",
      "--json prints version 1 of this object: connect_s, first_byte_s and total_s hold min, p10, median, p90, p99, max "
        + "and mean, samples_s the total of each seed in seconds, null when it did not end, not_ended the reasons with "
        + "their counts, down and up the packets of all runs together.",
      "",
      "A file of cases is JSON: {\"cases\": [...]}, each with down_kbps, up_kbps, rtt_ms, loss (0 to 1), queue_packets, "
        + "congestion_control, kind (get, get-warm, put, get-parallelN: N connections) and bytes; total_s with a median "
        + "is what was measured. With --json the answer is {\"cases\": [{\"samples_s\": [...]}, ...]} in the same order; "
        + "a case with a congestion control that is not simulated has no samples. Each round trip is longer than rtt_ms by "
        + "--rtt-excess: the apparatus of the measurements was found to add 0.12 to 0.17 ms.",
      "",
      "Where the link changes with time, a case has profile, a whole profile as a file holds it, instead of a rate, a round "
        + "trip, a loss and a queue. Its kinds are get, put, tls (TLS 1.3, HTTP/1.1), h2 (count requests at once over one "
        + "TLS connection), parallel (count connections at once) and duplex (a get on its own connection, 1.000 to "
        + "1.010 s after a put of put_bytes has begun, counted from its own start). congestion_control is the profile's if "
        + "left out, rtt_excess_s stands before --rtt-excess, samples_s is what was measured, in seconds, null when it did "
        + "not end, and family a group of the summary.",
      "",
      "A case of many requests has name, kind, link (a profile), protocol (h1, h1-tls, h2 or h3: the last three over TLS 1.3), "
        + "connections_per_host and workload, a list of requests: id, host, path, method (GET or PUT), request_bytes, "
        + "response_bytes, at_ms, after (the ids that must have finished) with wait_ms, close (Connection: close) and "
        + "expect (Expect: 100-continue). apparatus holds what the ends cost: rtt_excess_ms, server_think_ms, "
        + "client_delay_ms, connect_delay_ms, call_ms, noise_ms; runs what was measured. With --json the answer is "
        + "{\"cases\": {NAME: {\"runs\": [{\"total\": s, \"finish\": {ID: s}}]}}}.",
      "A workload's file is {\"protocol\": \"h2\", \"workload\": [...]}, with the same requests and, where wanted, name, "
        + "connections_per_host, congestion_control and apparatus. In an archive (HAR), each request waits for the one that "
        + "caused it (_initiator), else for the one that had ended last, and then as long as it did there. With --json "
        + "the answer has page (the workload as a file), page_s, samples_s, changes and median_run.",
      "Exit status: 0 done, whether runs ended or not; 1 a file is missing or wrong; 2 wrong usage.",
    ])
}
