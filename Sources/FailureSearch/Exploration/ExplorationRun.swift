import Dispatch
import Internals
import NetworkConditions

/// One exploration under way.
///
/// Level by level: the points of the courses that the level before led to are listed in classes, one of each class is run,
/// samples of the others are run, and where they disagree all are. All that is decided depends on numbers of classes and
/// points alone, so that neither the number of workers nor their order shows in the report.
struct ExplorationRun: Sendable {
  private let exploration: FaultExploration
  private var trial: SearchTrial
  private let stopwatch = Stopwatch()
  private let progress: (@Sendable (Int, Int) -> Void)?

  init(
    _ exploration: FaultExploration, _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void,
    progress: (@Sendable (Int, Int) -> Void)?
  ) {
    self.exploration = exploration
    self.progress = progress
    trial = SearchTrial(
      profiles: [exploration.profile.networkProfile(under: exploration.options)], prepare: exploration.prepare,
      body: stopwatch.timing(body), transport: exploration.transport, capture: exploration.capture,
      options: exploration.options, clients: exploration.clients, startsAnywhere: false)
  }

  /// A course that further faults are put into.
  private struct Node: Sendable {
    let path: [Int]
    let faults: [PointClass.Member]
    let list: PointList
  }

  /// A point to be run, which stands for others.
  private struct Item: Sendable {
    let node: Int
    let number: Int
    let member: Int
    let points: Int

    /// Another point of its class, which stands for itself.
    func member(_ member: Int) -> Item { Item(node: node, number: number, member: member, points: 1) }
  }

  func run() async throws -> ExplorationReport {
    try await trial.manned(by: exploration.workers) { trial in
      var run = self
      run.trial = trial
      return try await run.explored()
    }
  }

  private func explored() async throws -> ExplorationReport {
    if exploration.bound < 1 {
      throw FailureSearchError.impossible("a bound of \(exploration.bound) faults: write for example upTo: 1")
    }
    let start = DispatchTime.now().uptimeNanoseconds
    let base = try await makeBase()
    // The real time of the faster run in this process, without the wait before it where the process is busy; runs in
    // other processes are timed from outside, as half of the time of both.
    let real = stopwatch.shortest ?? Double(DispatchTime.now().uptimeNanoseconds - start) / 2e9
    let verdict = Verdict(base)
    let usual = ExploredCourse.sizes(of: verdict)
    var limited = trial
    limited.horizon = exploration.horizon + SimulatedInstant.zero.duration(to: base.timeline.time)
    let list = PointList(of: base.timeline, alphabet: exploration.alphabet)
    if list.count == 0 {
      let kinds = exploration.alphabet.ordered.map(\.rawValue).joined(separator: ", ")
      let reason = base.timeline.transfers.isEmpty ? "it makes no request" : "try others"
      throw FailureSearchError.impossible("this run offers no point to a fault of these kinds (\(kinds)): \(reason)")
    }
    var report = ExplorationReport(
      exploration, base: base.timeline, usual: ExploredCourse(verdict, usual: usual).behaviour)
    var nodes = [Node(path: [], faults: [], list: list)]
    var seconds = real
    for level in 1...exploration.bound where !nodes.isEmpty {
      for node in nodes { report.omissions.formUnion(node.list.omissions) }
      let explored = try await explore(nodes, level: level, limited, usual: usual, estimate: &seconds, into: &report)
      guard let next = explored else { break }
      nodes = next
    }
    await shrink(limited, into: &report)
    report.seal()
    return report
  }

  /// The run without a fault, twice.
  private func makeBase() async throws -> SearchCourse {
    let token = ReplayToken(schedule([]))
    let base = try await trial.listed.toldCourse(token)
    let again = try await trial.toldCourse(token)
    // The behaviour of a cancelled client says nothing of the network.
    try Task.checkCancellation()
    if let difference = again.firstDifference(from: base) {
      throw FailureSearchError.impossible(
        "the client is not deterministic: two runs without a fault differ; first difference: \(difference)")
    }
    if let failure = base.failure {
      throw FailureSearchError.impossible("the client fails without any fault: \(failure.message)")
    }
    return base
  }

  private func schedule(_ faults: [ScheduledFault]) -> FaultSchedule {
    FaultSchedule(trial.profiles[0], faults: faults)
  }

  // MARK: One level

  /// Runs the points of one level, which are sets of so many faults.
  ///
  /// - Returns: the courses that may be followed to the next; `nil` when it was interrupted.
  private func explore(
    _ nodes: [Node], level: Int, _ trial: SearchTrial, usual: [String: Int64], estimate seconds: inout Double,
    into report: inout ExplorationReport
  ) async throws -> [Node]? {
    let isLast = level == exploration.bound
    let shard = exploration.shard
    let items = items(of: nodes)
    // Where courses are followed every share needs all of them.
    let own = items.indices.filter { shard.has($0) }
    let due = isLast ? own : Array(items.indices)
    try refuse(due.count, each: seconds, level: level)
    let begin = DispatchTime.now().uptimeNanoseconds
    let courses = try await map(due.count) { position in
      let item = items[due[position]]
      return try await course(of: faults(item, nodes), trial, usual: usual, isListed: !isLast)
    }
    let wasInterrupted = courses.contains { $0 == nil }
    seconds =
      Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9 / Double(max(1, courses.count))
      * Double(exploration.workers.count)
    let known = Dictionary(
      uniqueKeysWithValues: zip(due, courses).compactMap { index, course in course.map { (index, $0) } })
    let isWhole = try await add(
      items, own.filter { known[$0] != nil }, known, nodes, trial, usual: usual, into: &report)
    if wasInterrupted || !isWhole {
      report.isPartial = true
      return nil
    }
    guard !isLast else { return [] }
    return follow(items, due, courses, nodes)
  }

  private func items(of nodes: [Node]) -> [Item] {
    nodes.enumerated().flatMap { index, node in
      node.list.classes.enumerated().flatMap { number, points in
        switch exploration.reduction {
        case .classes: [Item(node: index, number: number, member: points.count / 2, points: points.count)]
        case .none: (0..<points.count).map { Item(node: index, number: number, member: $0, points: 1) }
        }
      }
    }
  }

  private func faults(_ item: Item, _ nodes: [Node]) -> [PointClass.Member] {
    nodes[item.node].faults + [nodes[item.node].list.classes[item.number][item.member]]
  }

  private func place(_ item: Item, _ nodes: [Node]) -> [Int] { nodes[item.node].path + [item.number, item.member] }

  /// Runs a point.
  private func course(
    of faults: [PointClass.Member], _ trial: SearchTrial, usual: [String: Int64], isListed: Bool
  ) async throws -> ExploredCourse {
    let token = ReplayToken(schedule(faults.map(\.fault)))
    do {
      guard isListed else { return ExploredCourse(try await trial.verdict(token), usual: usual) }
      let told = try await trial.listed.toldCourse(token)
      var course = ExploredCourse(Verdict(told), usual: usual)
      if course.failure == nil {
        course.list = PointList(of: told.timeline, alphabet: exploration.alphabet, after: faults.last?.time)
      }
      return course
    } catch let error as SimulationError where error.isOfOneRun {
      return ExploredCourse(error)
    }
  }

  /// The courses that are followed: of those that the client takes in the same way, and that offer the same, the first.
  private func follow(_ items: [Item], _ due: [Int], _ courses: [ExploredCourse?], _ nodes: [Node]) -> [Node] {
    struct Identity: Hashable {
      let behaviour: String
      let offers: [PointClass.Key]
    }
    var seen: Set<Identity> = []
    var next: [Node] = []
    for (number, course) in zip(due, courses) {
      guard let course, let list = course.list, list.count > 0 else { continue }
      guard seen.insert(Identity(behaviour: course.behaviour, offers: list.classes.map(\.key))).inserted else {
        continue
      }
      let item = items[number]
      next.append(
        Node(path: place(item, nodes), faults: faults(item, nodes), list: list))
    }
    return next
  }

  // MARK: Checks

  /// Runs samples of the classes' other members; where members of a class behave differently, looks for the places in it
  /// where one way to behave ends and another begins; and takes all of it into the report.
  ///
  /// - Returns: whether it came to its end.
  private func add(
    _ items: [Item], _ own: [Int], _ known: [Int: ExploredCourse], _ nodes: [Node], _ trial: SearchTrial,
    usual: [String: Int64], into report: inout ExplorationReport
  ) async throws -> Bool {
    var courses: [Int: [Int: ExploredCourse]] = [:]
    for index in own { courses[index] = [items[index].member: known[index]].compactMapValues { $0 } }
    var due: [(index: Int, member: Int)] = own.flatMap { index in
      members(of: items[index], in: nodes, chance: index).map { (index, $0) }
    }
    var isWhole = true
    while !due.isEmpty, isWhole {
      let round = due
      let results = try await map(round.count) { position in
        let item = items[round[position].index].member(round[position].member)
        return try await course(of: faults(item, nodes), trial, usual: usual, isListed: false)
      }
      for ((index, member), course) in zip(round, results) {
        guard let course else {
          isWhole = false
          continue
        }
        report.checked += 1
        courses[index]?[member] = course
      }
      // Between two that differ, the middle.
      due = Set(round.map(\.index)).sorted().flatMap { index -> [(index: Int, member: Int)] in
        let members = courses[index, default: [:]].sorted { $0.key < $1.key }
        return zip(members, members.dropFirst()).compactMap { one, other in
          one.value.behaviour != other.value.behaviour && other.key - one.key > 1
            ? (index, (one.key + other.key) / 2) : nil
        }
      }
    }
    for index in own {
      let item = items[index]
      let members = courses[index, default: [:]].sorted { $0.key < $1.key }
      var stretches: [(start: Int, course: ExploredCourse, member: Int)] = []
      for (member, course) in members where stretches.last?.course.behaviour != course.behaviour {
        stretches.append((stretches.isEmpty ? 0 : member, course, member))
      }
      if stretches.count > 1 { report.noteSplit(faults(item, nodes)) }
      let points = nodes[item.node].list.classes[item.number]
      for (number, stretch) in stretches.enumerated() {
        let end = number + 1 < stretches.count ? stretches[number + 1].start : stretch.start + item.points
        let range = item.points == 1 ? item.member..<item.member + 1 : stretch.start..<min(end, item.points)
        let shown = stretches.count == 1 ? item.member : stretch.member
        report.add(
          stretch.course, faults(item.member(shown), nodes), of: points[range], place: place(item.member(shown), nodes))
      }
    }
    return isWhole
  }

  /// Which members of a class are run beside the one that stands for it: the first and the last where they differ in what
  /// the client reads, and as many at random as its size asks for.
  private func members(of item: Item, in nodes: [Node], chance index: Int) -> [Int] {
    guard item.points > 1, exploration.pointsPerCheck > 0 else { return [] }
    let random = KeyedRandom(seed: 0).keyed(by: "check").keyed(by: UInt64(index))
    let (sure, rest) = item.points.quotientAndRemainder(dividingBy: exploration.pointsPerCheck)
    let extra = random.number(below: Int64(exploration.pointsPerCheck)) < Int64(rest) ? 1 : 0
    var members: Set<Int> = []
    for draw in 0..<sure + extra {
      members.insert(Int(random.keyed(by: UInt64(draw)).number(below: Int64(item.points))))
    }
    if nodes[item.node].list.classes[item.number].key.place != .any { members.formUnion([0, item.points - 1]) }
    return members.subtracting([item.member]).sorted()
  }

  // MARK: Failures

  /// Cuts the first failure of each kind down.
  ///
  /// It does so also where the exploration was cancelled: the failures that were found are worth the runs.
  private func shrink(_ trial: SearchTrial, into report: inout ExplorationReport) async {
    let limit = exploration.rerunLimit
    for (name, culprit) in report.culprits.sorted(by: { $0.key < $1.key }) {
      let schedule = schedule(culprit.faults)
      let work = Task { try await Shrinker(trial, limit: limit).shrink(schedule, culprit.fingerprint) }
      if let found = try? await work.value { report.take(found, as: name) }
    }
  }

  // MARK: Work

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

  /// Does pieces of work side by side, and returns their results in order, with `nil` for those that were not reached.
  private func map<Result: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Result
  ) async throws -> [Result?] {
    let cursor = WorkCursor(total: count)
    let progress = progress
    return try await withThrowingTaskGroup(of: [(Int, Result)].self) { group in
      for _ in 0..<min(exploration.workers.count, count) {
        group.addTask {
          var results: [(Int, Result)] = []
          while !Task.isCancelled, let number = cursor.next() {
            do {
              let result = try await work(number)
              // The behaviour of a cancelled client says nothing of the network.
              if Task.isCancelled { break }
              results.append((number, result))
            } catch  where Task.isCancelled {
              break
            }
            progress?(cursor.finish(), count)
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

extension SearchTrial {
  /// The same trial, with contents and packets recorded, so that the points of its runs can be listed.
  fileprivate var listed: SearchTrial {
    var trial = self
    trial.isListed = true
    return trial
  }
}

/// Measures the real time of a client's runs, each from its beginning to its end.
private final class Stopwatch: Sendable {
  private let times = Mutex<Double?>(nil)

  /// Of the fastest run, in seconds.
  var shortest: Double? { times.withLock { $0 } }

  func timing(
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) -> @Sendable (SimulatedNetwork) async throws -> Void {
    { [self] network in
      let start = DispatchTime.now().uptimeNanoseconds
      defer {
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        times.withLock { $0 = min($0 ?? seconds, seconds) }
      }
      try await body(network)
    }
  }
}
