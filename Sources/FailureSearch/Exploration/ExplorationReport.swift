import Foundation
import NetworkConditions

/// The result of an exploration: what was covered, what the client did, and what breaks it.
///
/// Equal explorations have equal reports, and the reports of all shares put together are that of the whole. Its properties
/// are the keys of its JSON, which has them side by side.
public struct ExplorationReport: Codable, Sendable {
  /// How many points there were with so many faults, and how many were run.
  public struct Level: Codable, Hashable, Sendable {
    /// The sets of so many faults that were covered.
    public var points = 0
    /// How many classes they are in.
    public var classes = 0
    /// How many of them were run.
    public var run = 0
    /// How many runs of the level before were not followed, since they were like others that were.
    public var alike = 0
  }

  /// A behaviour of the client, as others see it, under some of the points.
  public struct Behaviour: Codable, Hashable, Sendable {
    /// Its requests, how each ended, and the failure, if it was one.
    public let words: String
    /// Whether the client failed.
    public let isFailure: Bool
    /// How many points lead to it.
    public var points: Int
    /// In how many classes they are.
    public var classes: Int
    /// The faults of one of the points: the first.
    public var example: [String]
    /// Where that stands in the order of the exploration.
    var place: [Int]
  }

  /// An error with which the client failed, in one or more of its ways to behave.
  public struct Failure: Codable, Hashable, Sendable {
    /// The mark that equal failures have in common.
    public let fingerprint: String
    /// How many points lead to it.
    public var points: Int
    /// The faults of the first of them, in words.
    public var example: [String]
    /// In a few lines: what failed, and what it takes.
    public var summary = ""
    /// All that is known about it: what it takes, a drawing of the run, the token.
    public var text = ""
    /// The token that repeats it.
    public var token = ""
    /// The code that repeats it, where there is any.
    public var code = ""
    var place: [Int]
  }

  /// Where in the run without a fault a class of single faults falls: a mark on the map.
  public struct Mark: Codable, Hashable, Sendable {
    /// The kind of fault.
    public let kind: FaultAlphabet.Kind
    /// When the first of the points shows, in nanoseconds.
    public let first: Int64
    /// When the last of them does.
    public let last: Int64
    /// How many points there are.
    public let points: Int
    /// The behaviour of the client: ``Behaviour/words``.
    public let behaviour: String
    /// Whether it failed.
    public let isFailure: Bool
    var place: [Int]
  }

  /// A transfer of the run without a fault.
  public struct Step: Codable, Hashable, Sendable {
    /// The method and the path.
    public let name: String
    /// When it began, in nanoseconds.
    public let start: Int64
    /// When it ended.
    public let end: Int64
  }

  private var exploration = Version()
  /// The name of the client that was explored: ``FaultExploration/scenario``.
  public let scenario: String
  /// The profile's name.
  public let profile: String
  /// How many faults may happen in one run.
  public let bound: Int
  /// The kinds of faults.
  public let kinds: [FaultAlphabet.Kind]
  /// How many of the points were run.
  public let reduction: FaultExploration.Reduction
  /// Into how many shares it is split.
  public internal(set) var shardCount: Int
  /// Which of the shares are in this report, from 1.
  public internal(set) var shards: [Int]
  /// Single faults, pairs, and so on.
  public internal(set) var levels: [Level]
  /// The behaviours of the client, the most frequent first.
  public internal(set) var behaviours: [Behaviour] = []
  /// The errors with which it failed, the worst first.
  ///
  /// An end of the process is worse than a client that waits for ever, and that is worse than an error. Of two alike the one
  /// with more points comes first.
  public internal(set) var failures: [Failure] = []
  /// How many points were run beside those that stand for their classes.
  public internal(set) var checked = 0
  /// The classes that turned out to be more than one, by the point that was to stand for them.
  public internal(set) var splits: [String] = []
  /// The points that were left out, each with the reason.
  public internal(set) var omissions: [String] = []
  /// The lengths that were tried, of those faults that have one, kind by kind, the shortest first.
  public internal(set) var lengths: [Length] = []
  /// The client's own waits around which lengths were tried, in nanoseconds, the shortest first.
  public internal(set) var waits: [Int64] = []
  /// Whether it was interrupted: then it says what was covered until then.
  public internal(set) var isPartial = false
  /// How much of the client's time all runs took, in nanoseconds.
  public internal(set) var virtualTime: Int64 = 0
  /// The behaviour of the client without a fault, in the words of ``Behaviour/words``.
  public let usual: String
  /// How long the run without a fault took, in nanoseconds.
  public let length: Int64
  /// Its transfers.
  public let steps: [Step]
  /// Where the single faults fall.
  public internal(set) var marks: [Mark] = []
  let hash: String
  private(set) var filling = Filling()

  /// What is needed to fill a report, and forgotten when it is full.
  struct Filling: Sendable {
    fileprivate var code: ReplayCode?
    fileprivate var capture = CaptureMode.everything
    /// The place of each behaviour in the report, by its words.
    fileprivate var numbers: [String: Int] = [:]
    /// The first point of each way to fail, by the failure's fingerprint: its faults are cut down.
    fileprivate(set) var culprits: [String: (faults: [ScheduledFault], failure: SearchCourse.Failure)] = [:]
  }

  init(_ exploration: FaultExploration, base: Timeline, usual: String) {
    self.usual = usual
    (scenario, profile, bound) = (exploration.scenario, exploration.profile.name, exploration.bound)
    (kinds, reduction) = (exploration.alphabet.ordered, exploration.reduction)
    (shardCount, shards) = (exploration.shard.count, [exploration.shard.number])
    (filling.code, filling.capture) = (exploration.code, exploration.capture)
    levels = Array(repeating: Level(), count: exploration.bound)
    length = SimulatedInstant.zero.duration(to: base.time).wholeNanoseconds
    hash = base.traceHash.description
    steps = base.transfers.map { transfer in
      let path = URL(string: transfer.shownURL)?.path ?? transfer.shownURL
      return Step(
        name: "\(transfer.method) \(path.isEmpty ? "/" : path)", start: transfer.started.nanoseconds,
        end: (transfer.ended ?? base.time).nanoseconds)
    }
  }

  /// How many points break the client.
  public var failingPoints: Int { failures.reduce(0) { $0 + $1.points } }

  /// How many sets of faults were covered.
  public var points: Int { levels.reduce(0) { $0 + $1.points } }

  /// Whether every point was run.
  public var isWhole: Bool { levels.allSatisfy { $0.run == $0.points && $0.alike == 0 } }

  /// How many classes they are in.
  public var classes: Int { levels.reduce(0) { $0 + $1.classes } }

  // MARK: Filling

  mutating func note(_ run: Int, at level: Int) {
    levels[level].run += run
    checked += run - 1
  }

  mutating func add(
    _ course: ExploredCourse, _ faults: [PointClass.Member], of points: PointClass, place: [Int]
  ) {
    let count = points.count
    let level = faults.count - 1
    levels[level].points += count
    levels[level].classes += 1
    virtualTime += course.elapsed
    let example = faults.map { "\($0.fault)" }
    add(
      Behaviour(
        words: course.behaviour, isFailure: course.failure != nil, points: count, classes: 1, example: example,
        place: place))
    if level == 0 {
      marks += Self.marks(of: points).map { kind, first, last, count in
        Mark(
          kind: kind, first: first, last: last, points: count, behaviour: course.behaviour,
          isFailure: course.failure != nil, place: place)
      }
    }
    guard let failure = course.failure else { return }
    let name = "\(failure.fingerprint)"
    if add(Failure(fingerprint: name, points: count, example: example, place: place)) {
      filling.culprits[name] = (faults.map(\.fault), failure)
    }
  }

  /// Adds what leads to a behaviour, with the example that comes first.
  private mutating func add(_ behaviour: Behaviour) {
    guard let number = filling.numbers[behaviour.words] else {
      filling.numbers[behaviour.words] = behaviours.count
      return behaviours.append(behaviour)
    }
    behaviours[number].points += behaviour.points
    behaviours[number].classes += behaviour.classes
    guard behaviour.place.precedes(behaviours[number].place) else { return }
    (behaviours[number].place, behaviours[number].example) = (behaviour.place, behaviour.example)
  }

  /// Adds what leads to a failure, and says whether its example comes first.
  private mutating func add(_ failure: Failure) -> Bool {
    guard let number = failures.firstIndex(where: { $0.fingerprint == failure.fingerprint }) else {
      failures.append(failure)
      return true
    }
    let points = failures[number].points + failure.points
    let isFirst = failure.place.precedes(failures[number].place)
    if isFirst { failures[number] = failure }
    failures[number].points = points
    return isFirst
  }

  mutating func add(_ behaviours: [Behaviour], _ failures: [Failure]) {
    let known = zip(self.behaviours.map(\.words), self.behaviours.indices)
    filling.numbers = Dictionary(known) { first, _ in first }
    for behaviour in behaviours { add(behaviour) }
    for failure in failures { _ = add(failure) }
  }

  private static func marks(of points: PointClass) -> [(FaultAlphabet.Kind, Int64, Int64, Int)] {
    var marks: [(kind: FaultAlphabet.Kind, first: Int64, last: Int64, count: Int)] = []
    for group in points.groups {
      let times = group.times.map(\.nanoseconds)
      guard let first = times.min(), let last = times.max() else { continue }
      if let place = marks.firstIndex(where: { $0.kind == group.kind }) {
        marks[place] = (
          group.kind, min(first, marks[place].first), max(last, marks[place].last), marks[place].count + times.count
        )
      } else {
        marks.append((group.kind, first, last, times.count))
      }
    }
    return marks.map { ($0.kind, $0.first, $0.last, $0.count) }
  }

  mutating func noteSplit(_ faults: [PointClass.Member]) {
    splits.append(faults.map { "\($0.fault)" }.joined(separator: "; "))
  }

  mutating func take(_ found: FoundFailure, as name: String) {
    guard let number = failures.firstIndex(where: { $0.fingerprint == name }) else { return }
    failures[number].summary = found.summary
    failures[number].text = found.text
    failures[number].token = "\(found.token)"
    if let code = filling.code, case .shrunk(let shrunk) = found.outcome {
      failures[number].code = code.section(shrunk.schedule, clients: shrunk.clients, capturing: filling.capture)
    }
  }

  /// Sorts the contents into the order of the report, and drops everything that was needed to fill it alone.
  mutating func seal() {
    splits.sort()
    omissions = Set(omissions).sorted()
    lengths = Set(lengths).sorted { ($0.kind.rank, $0.nanoseconds ?? .max) < ($1.kind.rank, $1.nanoseconds ?? .max) }
    behaviours.sort { ($0.isFailure ? 0 : 1, $1.points, $0.words) < ($1.isFailure ? 0 : 1, $0.points, $1.words) }
    failures.sort { one, other in
      let ranks = (FailureText.rank(of: one.fingerprint), FailureText.rank(of: other.fingerprint))
      if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
      return one.points == other.points ? one.place.precedes(other.place) : one.points > other.points
    }
    marks.sort { one, other in
      one.kind == other.kind ? one.place.precedes(other.place) : one.kind.rank < other.kind.rank
    }
    filling = Filling()
  }
}

extension FaultAlphabet.Kind {
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension [Int] {
  /// Whether a place comes before another: with fewer faults, or in the order of the classes.
  func precedes(_ other: [Int]) -> Bool {
    count != other.count ? count < other.count : lexicographicallyPrecedes(other)
  }
}
