import Dispatch
import Internals
import NetworkConditions

/// One exploration under way, level by level.
///
/// One point of each class is run, and a sample of the others. Where their behaviours differ, more points of the class
/// are run. The report does not depend on the number of workers.
struct ExplorationRun: Sendable {
  let exploration: FaultExploration
  /// The requested kinds that are not tried, because they need a captured client.
  private let lostKinds: Set<FaultKinds.Kind>
  private var runner: SearchRunner
  private let progress: (@Sendable (Int, Int) -> Void)?
  /// How many runs are known so far; each level knows its own when it begins.
  private let known = Locked(0)
  /// Whether a run in this process left a thread that never returns; then no further run begins.
  let isHeld = Locked(false)

  init(
    _ exploration: FaultExploration, _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void,
    progress: (@Sendable (Int, Int) -> Void)?
  ) {
    var exploration = exploration
    let isCaptured = exploration.capture == .everything && exploration.capture.obstacle == nil
    let lost: Set<FaultKinds.Kind> =
      isCaptured ? [] : exploration.faults.kinds.intersection([.kill, .powerLoss, .clock])
    exploration.faults.kinds.subtract(lost)
    self.exploration = exploration
    lostKinds = lost
    self.progress = progress
    runner = SearchRunner(
      profiles: [exploration.profile.networkProfile(under: exploration.options)], prepare: exploration.prepare,
      body: body, transport: exploration.transport, capture: exploration.capture,
      options: exploration.options, clients: exploration.clients, startsAnywhere: false)
    runner.name = exploration.scenario
  }

  private typealias Level = ExplorationLevel
  private typealias Node = ExplorationLevel.Node
  private typealias Point = ExplorationLevel.Point

  func run() async throws -> ExplorationReport {
    try await runner.withWorkers(exploration.workers) { runner in
      var run = self
      run.runner = runner
      return try await run.explored()
    }
  }

  private func explored() async throws -> ExplorationReport {
    // Three faults already have billions of points.
    guard 1...3 ~= exploration.bound else {
      throw FailureSearchError.impossible(
        "a bound of \(exploration.bound) faults: write 1 to try every single fault, 2 to try every pair, or at most 3")
    }
    if exploration.faults.kinds.isEmpty, !lostKinds.isEmpty {
      let reason = exploration.capture.obstacle ?? "Leave out `capturing: .nothing`."
      throw FailureSearchError.impossible(
        "only a captured client can be killed, or have its clock jump. \(reason)")
    }
    let (base, real) = try await makeBase()
    let verdict = Verdict(base)
    let usual = Dictionary(verdict.transfers.map { ($0.key, $0.bytes) }) { first, _ in first }
    var limited = runner
    // A client that repeats its request in a loop never ends. This stops it long before a simulation's usual limit.
    if limited.options.requestLimit == NetworkOptions().requestLimit {
      limited.options.requestLimit = max(500, 50 * base.timeline.transfers.count)
    }
    limited.horizon = exploration.horizon + SimulatedInstant.zero.duration(to: base.timeline.time)
    let isTimed = exploration.faults.kinds.contains(where: \.hasLength) && !base.timeline.transfers.isEmpty
    let (lengths, last) =
      isTimed ? try await waitLengths(of: base, limited, usual: usual) : (WaitLengths(), nil)
    let list = PointList(of: base.timeline, faultKinds: exploration.faults, lengths: lengths)
    if list.count == 0 {
      let kinds = exploration.faults.kinds
      let reason =
        if kinds.isEmpty {
          "the set of faults is empty: name some, or write `.all`"
        } else if kinds.isSubset(of: [.kill, .powerLoss]) {
          "nothing can be killed in this run: start the client with `network.launch { app in }`"
        } else if base.timeline.transfers.isEmpty {
          "no fault can happen, since no request was made: give the client the network's session"
        } else {
          "in this run no fault of these kinds can happen: "
            + "\(exploration.faults.ordered.map(\.rawValue).joined(separator: ", "))"
        }
      throw FailureSearchError.impossible(reason)
    }
    var report = ExplorationReport(
      exploration, base: base.timeline, usual: ExploredRun(verdict, usual: usual).behaviour)
    report.waits = lengths.waits.map(\.wholeNanoseconds)
    for kind in lostKinds { report.omissions.append("\(kind.words), since the client is not captured") }
    if lengths.hasMore { report.omissions.append("lengths around shorter waits of the client") }
    if let last {
      report.note(1, at: 0)
      report.add(last.run, [last.points[0]], of: last.points, place: [0, 0])
      report.isPartial = true
    }
    var nodes = last == nil ? [Node(list: list)] : []
    var seconds = real
    for level in 1...exploration.bound where !nodes.isEmpty {
      for node in nodes {
        report.omissions += node.list.omissions
        report.lengths += node.list.lengths
      }
      let explored = try await explore(nodes, level: level, limited, usual: usual, estimate: &seconds, into: &report)
      guard let next = explored else { break }
      nodes = next
    }
    await shrink(limited, into: &report)
    report.seal()
    return report
  }

  /// Makes the run without a fault twice, and returns it with the seconds of the faster one.
  private func makeBase() async throws -> (SearchRun, seconds: Double) {
    let token = ReplayToken(schedule([]))
    let base = try await runner.listed.wholeRun(token)
    let again = try await runner.wholeRun(token)
    // The behaviour of a cancelled client says nothing about the network.
    try Task.checkCancellation()
    if let difference = again.firstDifference(from: base) {
      throw FailureSearchError.impossible(
        "the client is not deterministic: two runs without a fault differ; first difference: \(difference)\n"
          + FailureText.unsteady)
    }
    if let error = base.errorText {
      let drawing = base.written?.drawing ?? "\(TimelineDrawing(base.timeline, faults: [], width: 80))"
      throw FailureSearchError.impossible(
        "the client fails without any fault: \(error)\n\n\(drawing)\n\n"
          + "To repeat it: \(NetworkEnvironment.replayKey)=\(token)")
    }
    let times = [base, again].compactMap(\.realTime)
    return (base, Double(times.min() ?? 0) / 1e9)
  }

  private func schedule(_ faults: [ScheduledFault]) -> FaultSchedule {
    FaultSchedule(runner.profiles[0], faults: faults)
  }

  // MARK: One level

  /// Runs the points of one level, and returns the runs to which the next level adds a fault; `nil` when interrupted.
  private func explore(
    _ nodes: [Node], level: Int, _ runner: SearchRunner, usual: [String: Int64], estimate seconds: inout Double,
    into report: inout ExplorationReport
  ) async throws -> [Node]? {
    let isLast = level == exploration.bound
    var run = Level(nodes, exploration.reduction)
    let own = run.items.indices.filter { exploration.shard.has(run.items[$0].family) }
    // To follow runs to the next level, each shard needs the runs of all shards.
    let all = isLast ? own : Array(run.items.indices)
    try refuse(run.isWhole ? all.reduce(0) { $0 + run.items[$1].points } : all.count, each: seconds, level: level)
    let isComplete = try await runAll(
      all, of: &run, runner, usual: usual, isListed: !isLast, estimate: &seconds)
    for item in own { take(item, of: run, into: &report) }
    guard isComplete else {
      report.isPartial = true
      return nil
    }
    return isLast ? [] : try await follow(all, of: run, runner, into: &report)
  }

  /// Runs one point of each class, then a sample of the others.
  ///
  /// Where points of a class differ, it looks for the boundary. Returns `false` when it was interrupted.
  private func runAll(
    _ items: [Int], of level: inout Level, _ runner: SearchRunner, usual: [String: Int64], isListed: Bool,
    estimate seconds: inout Double
  ) async throws -> Bool {
    var due = items.map { Point(item: $0, member: level.items[$0].representative) }
    var isFirst = true
    while !due.isEmpty {
      let runs = try await map(due.count) { [level, due] position in
        let begin = DispatchTime.uptime
        let run = try await run(of: level.faults(due[position]), runner, usual: usual, isListed: isListed)
        return (run: run, took: DispatchTime.uptime - begin)
      }
      for (point, run) in zip(due, runs) { level.runs[point.item, default: [:]][point.member] = run?.run }
      if runs.contains(where: { $0 == nil }) { return false }
      if isFirst {
        // The first quartile and not the mean: other work on the machine makes some runs slow.
        let times = runs.compactMap { $0?.took }.sorted()
        seconds = Double(times[times.count / 4]) / 1e9
        due = items.flatMap { level.members($0, pointsPerCheck: exploration.pointsPerCheck) }
        isFirst = false
      } else {
        due = level.between(items) + level.ends(items)
      }
    }
    return true
  }

  private func take(_ item: Int, of level: Level, into report: inout ExplorationReport) {
    let stretches = level.stretches(item)
    let representative = level.items[item].representative
    guard !stretches.isEmpty else { return }
    report.note(level.runs[item, default: [:]].count, at: level.depth)
    if stretches.count > 1, !level.isWhole {
      let faults = level.faults(Point(item: item, member: representative))
      report.splits.append(faults.map { "\($0.fault)" }.joined(separator: "; "))
    }
    for (range, run, member) in stretches {
      let shown = Point(item: item, member: stretches.count == 1 ? representative : member)
      report.add(run, level.faults(shown), of: level.points(item)[range], place: level.place(shown))
    }
  }

  private func run(
    of faults: [PointClass.Member], _ runner: SearchRunner, usual: [String: Int64], isListed: Bool
  ) async throws -> ExploredRun {
    try await make(faults, runner) { token in
      guard isListed else { return ExploredRun(try await runner.verdict(token), usual: usual) }
      let found = try await runner.listed.wholeRun(token)
      var run = ExploredRun(Verdict(found), usual: usual)
      if run.failure == nil {
        run.offers = list(of: found, after: faults).classes.map { ExploredRun.Offer(key: $0.key, count: $0.count) }
      }
      return run
    }
  }

  /// Makes a run with these faults; sets ``isHeld`` if its thread in this process never returns.
  func make(
    _ faults: [PointClass.Member], _ runner: SearchRunner, by run: (ReplayToken) async throws -> ExploredRun
  ) async throws -> ExploredRun {
    let token = ReplayToken(schedule(faults.map(\.fault)))
    do {
      let run = try await run(token)
      if run.failure?.holdsThread == true, runner.pool == nil { isHeld.withLock { $0 = true } }
      return run
    } catch let error as SimulationError where error.isOfOneSeed {
      throw FailureSearchError.unfinished(error, run: RunNote(token, faults: []).crashReport)
    }
  }

  private func list(of run: SearchRun, after faults: [PointClass.Member]) -> PointList {
    PointList(of: run.timeline, faultKinds: exploration.faults, after: faults.last?.time)
  }

  /// The runs to which the next level adds a fault.
  ///
  /// If they are few, these are all runs that offer a point. Otherwise only the first run is taken for each combination
  /// of behaviour, effects and offers.
  private func follow(
    _ items: [Int], of level: Level, _ runner: SearchRunner, into report: inout ExplorationReport
  ) async throws -> [Node]? {
    struct Identity: Hashable {
      let behaviour: String
      let offers: [PointClass.Key]
      let effects: [PointClass.Key]
    }
    var points: [Point] = []
    var offered = 0
    for item in items {
      for (member, run) in level.known(item) {
        guard let offers = run.offers, !offers.isEmpty else { continue }
        points.append(Point(item: item, member: member))
        offered += offers.reduce(0) { $0 + $1.count }
      }
    }
    if !level.isWhole || !exploration.reduction.runsEach(of: offered) {
      let all = points.count
      var seen: Set<Identity> = []
      points = points.filter { point in
        guard let run = level.runs[point.item]?[point.member], let offers = run.offers else { return false }
        return seen.insert(
          Identity(behaviour: run.behaviour, offers: offers.map(\.key), effects: level.effects(point))
        ).inserted
      }
      report.levels[level.depth + 1].alike = all - points.count
    }
    // The lists of all runs take too much memory, so only those of followed runs are made, by a second run.
    let lists = try await map(points.count) { [points] position in
      let faults = level.faults(points[position])
      return list(of: try await runner.listed.wholeRun(ReplayToken(schedule(faults.map(\.fault)))), after: faults)
    }
    var nodes: [Node] = []
    for (point, list) in zip(points, lists) {
      guard let list else { return nil }
      nodes.append(
        Node(path: level.place(point), faults: level.faults(point), effects: level.effects(point), list: list))
    }
    return nodes
  }

  /// Shrinks the first failure of each kind, even after a cancellation, because the result is worth the extra runs.
  private func shrink(_ runner: SearchRunner, into report: inout ExplorationReport) async {
    let limit = exploration.rerunLimit
    for (name, culprit) in report.filling.culprits.sorted(by: { $0.key < $1.key }) {
      let schedule = schedule(culprit.faults)
      let work = Task { try await Shrinker(runner, limit: limit).shrink(schedule, culprit.failure) }
      if let found = try? await work.value { report.take(found, as: name) }
    }
  }

  /// Refuses the runs of a level that would take longer than the time limit.
  private func refuse(_ runs: Int, each seconds: Double, level: Int) throws(FailureSearchError) {
    guard let limit = exploration.timeLimit else { return }
    let estimate = Double(runs) * seconds / Double(exploration.workers.count)
    guard estimate > limit / .seconds(1) else { return }
    let hours = Duration.seconds(Int64((estimate / 60).rounded()) * 60)
    throw .impossible(
      """
      \(level == 1 ? "all single faults" : "all sets of \(level) faults") take \(runs) runs, about \(hours.formatText), \
      and the limit is \(limit.formatText): name fewer kinds of faults, split it into shards, or raise the limit
      """)
  }

  /// Does pieces of work in parallel, and returns their results in order, `nil` for those that were not reached.
  func map<Result: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Result
  ) async throws -> [Result?] {
    let cursor = WorkCursor(total: count)
    let progress = progress
    let (before, known) = known.withLock { known in
      known += count
      return (known - count, known)
    }
    return try await withThrowingTaskGroup(of: [(Int, Result)].self) { group in
      for _ in 0..<min(exploration.workers.count, count) {
        group.addTask(executorPreference: DriverThreads.executor) {
          var results: [(Int, Result)] = []
          while !Task.isCancelled, !isHeld.value, let number = cursor.next() {
            do {
              let result = try await work(number)
              // The behaviour of a cancelled client says nothing about the network.
              if Task.isCancelled { break }
              results.append((number, result))
            } catch  where Task.isCancelled {
              break
            }
            progress?(before + cursor.finish(), known)
          }
          return results
        }
      }
      var all = [Result?](repeating: nil, count: count)
      for try await part in group {
        for (number, result) in part { all[number] = result }
      }
      return all
    }
  }
}
