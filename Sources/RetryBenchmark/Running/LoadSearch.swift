import Internals
import NetworkConditions
import RetryPolicies

/// The loads under which a server recovers from an outage or a brown-out, for each policy of its clients.
///
/// A server that was out for a moment may stay overloaded for ever. It works on requests that have timed out, and their retries
/// come on top: a metastable failure (Bronson, Aghayev, Charapko and Zhu, "Metastable failures in distributed systems", HotOS
/// 2021; Huang and others, "Metastable failures in the wild", OSDI 2022). By theory it recovers below its capacity divided by
/// the attempts per request while all of them fail.
public struct RecoveryLoads: Hashable, Sendable, Encodable {
  /// What was found of one policy.
  public struct Found: Hashable, Sendable, Encodable {
    /// The name of the policy.
    public let policy: String
    /// The greatest load, in requests a second, under which the server recovers; `nil` where there is none among those tried.
    public let recoversUpTo: Double?
    /// The least load under which it does not; `nil` where it recovers under all that its capacity allows.
    public let failsFrom: Double?
    /// The attempts per request under the greatest load, where it does not recover from that.
    public let attempts: Double?
    /// The load below which theory says that the server recovers: its capacity divided by the attempts.
    ///
    /// `nil` where it always did, and where the policy refused requests by itself: then attempts do not tell the load.
    public let theory: Double?
    /// For how long after the trouble the load went on: 30 s, and longer by the time for which the policy may refuse requests.
    public let window: Duration
    /// How far the policy goes at most; `nil` of a client of the user's own.
    public let limits: AttemptLimits?
  }

  /// The name of the network's profile.
  public let profile: String
  /// What clients ask for; their number is what was searched.
  public let workload: Workload
  /// The server.
  public let server: ServerModel
  /// How many requests a second it can carry out.
  public let capacity: Double
  /// The policies, in their order.
  public let policies: [Found]
}

extension RetryBenchmark {
  /// For how long the load goes on after the trouble, and for how long at its end successes are counted.
  private static let (loadWindow, judgedWindow) = (Duration.seconds(30), Duration.seconds(10))
  /// The longest time for which a breaker, or a policy that sheds load, is waited for.
  private static let longestPause = Duration.seconds(120)

  /// Searches the load above which a server does not recover, for each contender under the first profile.
  ///
  /// The number of ``workload``'s clients is varied, up to the server's capacity, by bisection. Each load is tried with one
  /// seed after another, from the first of ``seeds`` on, until it is known whether the server recovers in most trials: by a
  /// sequential test of one in five against four in five, which is wrong in one of a hundred cases (Wald, "Sequential tests
  /// of statistical hypotheses", 1945). A load from which about half of the trials recover goes to either side by chance. A
  /// trial has recovered where nine of ten requests succeed that are begun in the last 10 s of the 30 s after the trouble.
  /// The load of a policy with a circuit breaker goes on for as much longer as that stays open, up to two minutes, and that of
  /// one that sheds load for as long as failures count.
  /// A load that 24 trials leave open counts for neither side.
  ///
  /// - Parameters:
  ///   - contenders: those whose loads are searched.
  ///   - progress: is called after each trial.
  /// - Throws: ``RetryBenchmarkError`` where the clients are no open loop, the server has no capacity or no trouble, or a breaker
  ///   stays open for longer than two minutes.
  public func findLoads(
    _ contenders: [Contender], progress: (@Sendable () -> Void)? = nil
  ) async throws -> RecoveryLoads {
    guard let every = workload.every, let capacity = server.capacity, server.hasTroubles else {
      throw RetryBenchmarkError.impossible(
        "the search for a load needs clients in an open loop, a server with a number at once, and an outage or a brown-out: "
          + "take --scenario overload, or write for example --every 'exponential 1 s' --server '20 ms, 1 at once' "
          + "--brown-out '3 s..6 s x5'"
      )
    }
    let zones = max(1, server.zones?.all.count ?? 1)
    let most = Double(capacity * zones) / server.serviceTime.mean.inSeconds
    let greatest = Int((most * every.mean.inSeconds).rounded(.down))
    guard most.isFinite, greatest >= 2 else {
      throw RetryBenchmarkError.impossible(
        "a server for fewer than two of these clients: let them ask less often, or give it more at once")
    }
    var found: [RecoveryLoads.Found] = []
    for contender in contenders {
      var tried: [Int: Trials] = [:]
      let pause = contender.longestPause
      guard pause <= Self.longestPause else {
        throw RetryBenchmarkError.impossible(
          "\(contender.name) may refuse requests for \(RetryReport.time(pause)) after failures, and the search "
            + "waits for two minutes at most: write for example circuit-breaker(open 30 s) or shed(window 30 s)")
      }
      let window = Self.loadWindow + pause
      /// Narrows where something ceases to hold, to a twentieth or one client; it is taken to hold of no client.
      func bisect(while holds: (Bool?) -> Bool) async throws -> (inside: Int, outside: Int) {
        var (inside, outside, next) = (0, greatest + 1, greatest)
        while outside - inside > max(1, outside / 20) {
          let known: Trials
          if let trials = tried[next] {
            known = trials
          } else {
            known = try await recovery(of: contender, clients: next, every: every, window, progress)
            tried[next] = known
          }
          if holds(known.recovers) { inside = next } else { outside = next }
          if inside == greatest { break }
          next = (inside + outside) / 2
        }
        return (inside, outside)
      }
      // A load that is left open lies between the two.
      let recovers = try await bisect { $0 == true }.inside
      let fails = try await bisect { $0 != false }.outside
      let rate = 1 / every.mean.inSeconds
      let failed = tried[greatest].flatMap { $0.recovers == true ? nil : $0 }
      found.append(
        RecoveryLoads.Found(
          policy: contender.name, recoversUpTo: recovers > 0 ? Double(recovers) * rate : nil,
          failsFrom: fails <= greatest ? Double(fails) * rate : nil, attempts: failed?.attempts,
          theory: failed.flatMap { $0.refuses ? nil : most / $0.attempts }, window: window,
          limits: limits(of: contender)))
    }
    return RecoveryLoads(
      profile: profiles[0].name, workload: workload, server: server, capacity: most, policies: found)
  }

  /// What the trials of one load say.
  private struct Trials {
    /// Whether the server recovers in most of them; `nil` where they leave that open.
    let recovers: Bool?
    /// The attempts per request.
    let attempts: Double
    /// Whether requests had no attempt at all.
    let refuses: Bool
  }

  /// Whether the server recovers under so many clients, within so long a time after the trouble.
  private func recovery(
    of contender: Contender, clients: Int, every: TimeDistribution, _ window: Duration,
    _ progress: (@Sendable () -> Void)?
  ) async throws -> Trials {
    let troubles = TrialRecord.joined(server.allOutages + server.allBrownOuts)
    let end = (troubles.last?.upperBound ?? .zero) + window
    var load = workload
    load.clients = clients
    // So many that hardly a client is done before the end.
    load.requestsPerClient = Int((end.inSeconds / every.mean.inSeconds * 1.3).rounded(.up)) + 1
    if let problem = load.problem { throw RetryBenchmarkError.impossible(problem) }
    var decision = SequentialTest()
    var (attempts, requests, refused) = (0, 0, 0)
    var seed = seeds.lowerBound
    while decision.outcome == nil, decision.trials < 24 {
      let trials = (0..<UInt64(min(workers, 4))).map { number in
        Trial(profile: profiles[0], contender: contender, seed: seed + number, workload: load, server: server)
      }
      seed += UInt64(trials.count)
      let records = try await withThrowingTaskGroup(of: TrialRecord.self) { group in
        for trial in trials { group.addTask { try await trial.record() } }
        var records: [TrialRecord] = []
        for try await record in group { records.append(record) }
        return records.sorted { $0.seed < $1.seed }
      }
      for record in records where decision.outcome == nil {
        let judged = record.requests.filter { (end - Self.judgedWindow..<end).contains($0.start) }
        requests += judged.count
        attempts += judged.reduce(0) { $0 + $1.attempts.count }
        refused += judged.count { $0.attempts.isEmpty }
        decision.add(judged.count { $0.isSuccess } * 10 >= judged.count * 9)
        progress?()
      }
    }
    return Trials(
      recovers: decision.outcome, attempts: Double(attempts) / Double(max(1, requests)), refuses: refused > 0)
  }
}

/// Wald's sequential test of whether something happens in four of five trials or in one of five; each answer is wrong in one of
/// a hundred cases.
struct SequentialTest {
  private(set) var trials = 0
  private var balance = 0

  /// How far ahead one kind must be: log 99 by log 4, rounded up.
  private static let lead = 4

  mutating func add(_ happened: Bool) {
    guard outcome == nil else { return }
    trials += 1
    balance += happened ? 1 : -1
  }

  /// Whether it happens in most trials; `nil` as long as that is open.
  var outcome: Bool? { abs(balance) >= Self.lead ? balance > 0 : nil }
}
