import Foundation
import NetworkConditions
public import RetryPolicies

/// A situation in which people choose a retry policy: networks, requests, a server, and policies to compare.
///
/// ```swift
/// let scenario = RetryScenario.payment
/// let report = try await RetryBenchmark(scenario).run(scenario.candidates())
/// ```
///
/// Change any part of a scenario. Its networks are chosen to make policies differ; on yours they may differ less.
public struct RetryScenario: Sendable {
  /// The name on the command line.
  public let name: String
  /// A sentence that says which clients send what, over which network.
  public let summary: String
  /// The names of the networks' profiles.
  public var profiles: [String]
  /// The requests that clients send.
  public var workload: Workload
  /// The simulated server.
  public var server: ServerModel
  /// The policies as `--policy` reads them: a plan, or `name = plan`; the first is the baseline.
  ///
  /// A name means the same plan in all scenarios, and is not a name of the catalogue.
  public var policies: [String]
  /// How many seeds are enough to tell these policies apart, in a few seconds of computing.
  public var seedCount: Int

  /// All scenarios, the default one first.
  public static let all = [mobile, overload, payment, poll, upload]

  /// One person on the move loads 2 kB; the time between outages decides how many attempts help.
  public static let mobile = RetryScenario(
    name: "mobile", summary: "one person on the move, who loads 2 kB in a subway or over a flaky network",
    profiles: ["subway", "flaky"], workload: Workload(), server: ServerModel(),
    policies: ["none", "immediate", "full-jitter", "patient = full-jitter(attempts 8) + per-try(10 s)", "hedging"],
    seedCount: 2_000)

  /// A server at 80 % of its capacity works five times as slowly for 3 s, and may never recover.
  ///
  /// After Bronson, Aghayev, Charapko and Zhu, "Metastable failures in distributed systems", HotOS 2021. Retries of
  /// requests that timed out keep the server busy with work whose clients have given up.
  public static let overload = RetryScenario(
    name: "overload", summary: "40 clients at 80 % of the capacity of a server that is five times slower for 3 s",
    profiles: ["wifi"],
    workload: Workload(
      clients: 40, requestsPerClient: 30, every: .exponential(mean: .seconds(1)), arrival: .poisson(over: .seconds(1)),
      deadline: .seconds(10), perTry: .seconds(1)),
    server: ServerModel(
      serviceTime: .exponential(mean: .milliseconds(20)), capacity: 1, overload: .queue,
      brownOuts: [ServerModel.BrownOut(.seconds(3)..<(.seconds(6)), factor: 5)]),
    policies: [
      "none", "immediate", "full-jitter", "shared-budget = full-jitter + budget(10 %, reserve 0/s, shared)",
    ],
    seedCount: 10)

  /// A person makes a payment, which must be carried out at most once, even if its answer is lost.
  ///
  /// A flaky network loses answers. In the subway the deadline can end a payment, even one with a key, whose outcome
  /// stays unknown. The server remembers an `Idempotency-Key` for a day, as Stripe's does.
  public static let payment = RetryScenario(
    name: "payment",
    summary: "one person who pays by POST; the server takes about 300 ms, and knows idempotency keys",
    profiles: ["flaky", "subway"],
    workload: Workload(
      method: "POST", requestBytes: 2_000, responseBytes: 500, deadline: .seconds(60), perTry: .seconds(10)),
    server: ServerModel(
      serviceTime: .logNormal(median: .milliseconds(300), spread: 2_000), keyMemory: .seconds(24 * 3_600)),
    policies: [
      "none", "careful = full-jitter(attempts 4)", "anyway = full-jitter(attempts 4) + any-method",
      "keyed = full-jitter(attempts 4) + idempotency-key",
    ],
    seedCount: 2_000)

  /// Devices poll a server that is down for 5 s; all their retries may reach it at one moment.
  public static let poll = RetryScenario(
    name: "poll", summary: "40 devices that ask every 5 s, and a server with a short queue that is down for 5 s",
    profiles: ["4G"],
    workload: Workload(
      clients: 40, requestsPerClient: 4, every: .seconds(5), arrival: .evenly(over: .seconds(5)), deadline: .seconds(20)
    ),
    server: ServerModel(
      serviceTime: .milliseconds(50), capacity: 2, queueLength: 10, outages: [.seconds(5)..<(.seconds(10))]),
    policies: [
      "none", "fixed-8 = fixed(attempts 8)", "exponential-8 = exponential(base 500 ms, attempts 8)",
      "jitter-8 = full-jitter(base 500 ms, attempts 8)",
    ],
    seedCount: 50)

  /// A person sends a photo from a train; an interrupted attempt starts again from the first byte.
  public static let upload = RetryScenario(
    name: "upload", summary: "one person who uploads 2 MB from a train with tunnels",
    profiles: ["tunnel"],
    workload: Workload(method: "PUT", requestBytes: 2_000_000, responseBytes: 500, deadline: .seconds(120)),
    server: ServerModel(),
    policies: [
      "none", "short-try = full-jitter(attempts 6) + per-try(5 s)",
      "long-try = full-jitter(attempts 6) + per-try(30 s)",
    ],
    seedCount: 100)

  /// Makes a candidate of each policy in ``policies``.
  ///
  /// - Throws: `RetryError` for a plan that is invalid.
  public func candidates() throws(RetryError) -> [Candidate] {
    var candidates: [Candidate] = []
    for text in policies {
      let (name, plan) = Self.parts(text)
      candidates.append(Candidate(name: name, plan: try RetryPolicyPlan(plan)))
    }
    return candidates
  }

  /// Splits `name = plan`; a plan itself contains no equals sign.
  private static func parts(_ text: String) -> (name: String?, plan: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    return (parts.count == 2 ? parts[0] : nil, parts.last ?? "")
  }

  /// All policies that scenarios name, with their plans.
  package static let named: [(name: String, plan: String)] = all.flatMap(\.policies).compactMap { text in
    let (name, plan) = parts(text)
    return name.map { ($0, plan) }
  }
}

extension RetryBenchmark {
  /// Creates a benchmark of a scenario, with the scenario's own ``RetryScenario/seedCount``.
  public init(_ scenario: RetryScenario) throws {
    try self.init(scenario, seeds: 0..<scenario.seedCount)
  }

  /// Creates a benchmark of a scenario with the given seeds.
  ///
  /// - Parameters:
  ///   - scenario: the networks, the requests and the server.
  ///   - seeds: each is one trial for each profile and candidate.
  /// - Throws: as ``init(profiles:seeds:workload:server:)``.
  public init<Seeds: RangeExpression>(_ scenario: RetryScenario, seeds: Seeds) throws
  where Seeds.Bound: FixedWidthInteger {
    try self.init(
      profiles: scenario.profiles, seeds: seeds, workload: scenario.workload, server: scenario.server)
  }
}
