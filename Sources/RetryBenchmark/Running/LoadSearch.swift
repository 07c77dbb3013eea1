import Internals
import NetworkConditions
import RetryPolicies

/// For each retry policy, the loads under which a server recovers from an outage or a brown-out.
///
/// A server may stay overloaded for ever after a short outage: a metastable failure. It works on requests that have
/// timed out, and their retries add load (Bronson, Aghayev, Charapko and Zhu, "Metastable failures in distributed
/// systems", HotOS 2021; Huang and others, "Metastable failures in the wild", OSDI 2022). In theory it recovers below
/// its capacity divided by the attempts per request while all of them fail.
public struct RecoveryLoads: Hashable, Sendable, Encodable {
  /// The loads that the search found for one policy.
  public struct Found: Hashable, Sendable, Encodable {
    /// The name of the policy.
    public let policy: String
    /// The highest load tried, in requests a second, under which the server recovers; `nil` if there is none.
    public let recoversUpTo: Double?
    /// The lowest load tried, in requests a second, under which the server does not recover; `nil` if there is none.
    public let failsFrom: Double?
    /// The attempts per request under the greatest load; `nil` if the server recovers even there.
    public let attempts: Double?
    /// The load below which theory says that the server recovers: its capacity divided by ``attempts``.
    ///
    /// `nil` if it always recovered, or if the policy refused requests, so that ``attempts`` does not give the load.
    public let theory: Double?
    /// How long the load continued after the outage: 30 s, plus the time for which the policy may refuse requests.
    public let window: Duration
    /// The policy's limits on attempts and times; `nil` for a client of the user's own.
    public let limits: AttemptLimits?
  }

  /// The name of the network's profile.
  public let profile: String
  /// The requests that clients send; the search varied the number of clients.
  public let workload: Workload
  /// The simulated server, with its outages and brown-outs.
  public let server: ServerModel
  /// How many requests a second the server can carry out.
  public let capacity: Double
  /// The results of the policies, in the order in which they were given.
  public let policies: [Found]
}

extension RetryBenchmark {
  /// How long the load continues after the last outage or brown-out; and its last part, in which successes are counted.
  private static let (loadWindow, judgedWindow) = (Duration.seconds(30), Duration.seconds(10))
  /// The longest time that the search waits for a circuit breaker, or for a policy that sheds load.
  private static let longestPause = Duration.seconds(120)

  /// Searches for the load above which a server does not recover, for each candidate under the first profile.
  ///
  /// A bisection varies the number of ``workload``'s clients, up to the server's capacity. A trial has recovered if
  /// nine of ten requests succeed among those that begin in the last 10 s of the load. The load goes on for 30 s after
  /// the last outage or brown-out. It goes on longer, by up to two minutes, while a circuit breaker may be open or a
  /// shedding policy counts failures.
  ///
  /// Each load is tried with seed after seed, from the first of ``seeds``, until a sequential test decides whether most
  /// trials recover. The test compares one in five with four in five, and is wrong in one of a hundred cases (Wald,
  /// "Sequential tests of statistical hypotheses", 1945). A load under which about half of the trials recover is
  /// decided by chance. A load that is undecided after 24 trials counts for neither side.
  ///
  /// - Parameters:
  ///   - candidates: the candidates whose loads are searched.
  ///   - progress: called after each trial.
  /// - Throws: ``RetryBenchmarkError`` if the clients are no open loop, the server has no capacity limit or no outage
  ///   or brown-out, or a breaker stays open for longer than two minutes.
  public func findLoads(
    _ candidates: [Candidate], progress: (@Sendable () -> Void)? = nil
  ) async throws -> RecoveryLoads {
    guard let every = workload.every, let capacity = server.capacity, server.hasTroubles else {
      throw RetryBenchmarkError.impossible(
        "the search for a load needs clients in an open loop, a server with a capacity, and an outage or a brown-out: "
          + "use --scenario overload, or write for example --every 'exponential 1 s' --server '20 ms, 1 at once' "
          + "--brown-out '3 s..6 s x5'"
      )
    }
    let most = Double(capacity) / server.serviceTime.mean.inSeconds
    let greatest = Int((most * every.mean.inSeconds).rounded(.down))
    guard most.isFinite, greatest >= 2 else {
      throw RetryBenchmarkError.impossible(
        "the server can serve fewer than two of these clients: make them send less often, or raise the server's capacity"
      )
    }
    var found: [RecoveryLoads.Found] = []
    for candidate in candidates {
      var tried: [Int: Trials] = [:]
      let pause = candidate.longestPause
      guard pause <= Self.longestPause else {
        throw RetryBenchmarkError.impossible(
          "\(candidate.name) may refuse requests for \(RetryReport.time(pause)) after failures, and the search "
            + "waits for two minutes at most: write for example circuit-breaker(open 30 s) or shed(window 30 s)")
      }
      let window = Self.loadWindow + pause
      /// Finds the largest number of clients for which `holds` is true, to within one client or 5 %; it holds for zero.
      func bisect(while holds: (Bool?) -> Bool) async throws -> (inside: Int, outside: Int) {
        var (inside, outside, next) = (0, greatest + 1, greatest)
        while outside - inside > max(1, outside / 20) {
          let known: Trials
          if let trials = tried[next] {
            known = trials
          } else {
            known = try await recovery(of: candidate, clients: next, every: every, window, progress)
            tried[next] = known
          }
          if holds(known.recovers) { inside = next } else { outside = next }
          if inside == greatest { break }
          next = (inside + outside) / 2
        }
        return (inside, outside)
      }
      // The loads that stay undecided lie between the two results.
      let recovers = try await bisect { $0 == true }.inside
      let fails = try await bisect { $0 != false }.outside
      let rate = 1 / every.mean.inSeconds
      let failed = tried[greatest].flatMap { $0.recovers == true ? nil : $0 }
      found.append(
        RecoveryLoads.Found(
          policy: candidate.name, recoversUpTo: recovers > 0 ? Double(recovers) * rate : nil,
          failsFrom: fails <= greatest ? Double(fails) * rate : nil, attempts: failed?.attempts,
          theory: failed.flatMap { $0.refuses ? nil : most / $0.attempts }, window: window,
          limits: limits(of: candidate)))
    }
    return RecoveryLoads(
      profile: profiles[0].name, workload: workload, server: server, capacity: most, policies: found)
  }

  private struct Trials {
    /// Whether the server recovers in most trials; `nil` if the trials do not decide it.
    let recovers: Bool?
    /// The attempts per request that began in the judged time.
    let attempts: Double
    /// Whether some requests had no attempt, because the policy refused it.
    let refuses: Bool
  }

  /// Runs trials with this number of clients until it is known whether the server recovers within `window`.
  private func recovery(
    of candidate: Candidate, clients: Int, every: TimeDistribution, _ window: Duration,
    _ progress: (@Sendable () -> Void)?
  ) async throws -> Trials {
    let troubles = TrialRecord.joined(server.outages + server.brownOuts.map(\.time))
    let end = (troubles.last?.upperBound ?? .zero) + window
    var load = workload
    load.clients = clients
    // Enough requests for 1.3 times the duration, so that few clients run out before the end.
    load.requestsPerClient = Int((end.inSeconds / every.mean.inSeconds * 1.3).rounded(.up)) + 1
    if let problem = load.problem { throw RetryBenchmarkError.impossible(problem) }
    var decision = SequentialTest()
    var (attempts, requests, refused) = (0, 0, 0)
    var seed = seeds.lowerBound
    while decision.outcome == nil, decision.trials < 24 {
      let trials = (0..<UInt64(min(workers, 4))).map { number in
        Trial(profile: profiles[0], candidate: candidate, seed: seed &+ number, workload: load, server: server)
      }
      seed &+= UInt64(trials.count)
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

/// Wald's sequential test of whether something happens in four of five trials, or in one of five.
///
/// Each answer is wrong in one of a hundred cases.
struct SequentialTest {
  private(set) var trials = 0
  private var balance = 0

  /// The lead in trials that one outcome needs over the other to decide the test: log 99 / log 4, rounded up.
  private static let lead = 4

  mutating func add(_ happened: Bool) {
    guard outcome == nil else { return }
    trials += 1
    balance += happened ? 1 : -1
  }

  /// Whether the tested event happens in most trials; `nil` while the test is undecided.
  var outcome: Bool? { abs(balance) >= Self.lead ? balance > 0 : nil }
}
