import Foundation
import NetworkConditions

/// The result of an exploration: what was covered, how the client behaved, and which faults break it.
///
/// Equal explorations have equal reports, and merging the reports of all shards gives that of the whole. The properties are
/// the keys of the report's JSON, which is flat.
public struct ExplorationReport: Codable, Sendable {
  /// The counts for one number of faults: how many points there were, and how many were run.
  public struct Level: Codable, Hashable, Sendable {
    /// The sets of this many faults that were covered.
    public var points = 0
    /// How many classes these points form.
    public var classes = 0
    /// How many of these points were run.
    public var run = 0
    /// How many runs of the previous level got no further fault, because they resembled others.
    public var alike = 0
  }

  /// A client's behaviour as seen from outside, and the points that lead to it.
  public struct Behaviour: Codable, Hashable, Sendable {
    /// The client's requests, how each ended, and the failure, if any.
    public let words: String
    /// Whether the client failed.
    public let isFailure: Bool
    /// How many points lead to this behaviour.
    public var points: Int
    /// How many classes these points form.
    public var classes: Int
    /// The faults of the first of these points.
    public var example: [String]
    /// The example's position in the order of the exploration.
    var place: [Int]
  }

  /// An error with which the client failed, in one or more of its behaviours.
  public struct Failure: Codable, Hashable, Sendable {
    /// The mark that failures of one cause have in common.
    public let fingerprint: String
    /// How many points lead to this failure.
    public var points: Int
    /// The faults of the first of these points, in words.
    public var example: [String]
    /// A few lines: what failed, and which faults it needs.
    public var summary = ""
    /// The full text: the faults it needs, a drawing of the run, the token.
    public var text = ""
    /// The token that repeats the failure.
    public var token = ""
    /// Code that repeats the failure; empty if there is none.
    public var code = ""
    var place: [Int]
    /// The messages of a failed expectation; `nil` for other errors.
    var forms: FailureForms?
  }

  /// A mark on the map: where a class of single faults falls in the run without a fault.
  public struct Mark: Codable, Hashable, Sendable {
    /// The kind of fault.
    public let kind: FaultKinds.Kind
    /// The time of the first of these points, in nanoseconds.
    public let first: Int64
    /// The time of the last of these points, in nanoseconds.
    public let last: Int64
    /// How many points there are.
    public let points: Int
    /// The behaviour of the client: ``Behaviour/words``.
    public let behaviour: String
    /// Whether the client failed.
    public let isFailure: Bool
    var place: [Int]
  }

  /// A transfer of the run without a fault.
  public struct Step: Codable, Hashable, Sendable {
    /// The method and the path.
    public let name: String
    /// When the transfer began, in nanoseconds.
    public let start: Int64
    /// When the transfer ended, in nanoseconds.
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
  public let kinds: [FaultKinds.Kind]
  /// Which of the points were run: all, or one per class.
  public let reduction: FaultExploration.Reduction
  /// Into how many shards the exploration is split.
  public internal(set) var shardCount: Int
  /// The numbers of the shards in this report, from 1.
  public internal(set) var shards: [Int]
  /// The counts for single faults, pairs, and so on.
  public internal(set) var levels: [Level]
  /// The behaviours of the client, the most frequent first.
  public internal(set) var behaviours: [Behaviour] = []
  /// The errors with which the client failed, the worst first.
  ///
  /// An end of the process ranks above a client that waits for ever, and this ranks above an error. Among equals, the
  /// failure with more points comes first.
  public internal(set) var failures: [Failure] = []
  /// How many points were run in addition to one per class.
  public internal(set) var checked = 0
  /// The classes whose points led to different behaviours, each named by its representative point.
  public internal(set) var splits: [String] = []
  /// The points that were left out, each with the reason.
  public internal(set) var omissions: [String] = []
  /// The fault lengths that were tried, by kind, the shortest first.
  public internal(set) var lengths: [Length] = []
  /// The client's own waits near which lengths were tried, in nanoseconds, the shortest first.
  public internal(set) var waits: [Int64] = []
  /// Whether the exploration was interrupted; the report then covers the runs until then.
  public internal(set) var isPartial = false
  /// The virtual time of all runs together, in nanoseconds.
  public internal(set) var virtualTime: Int64 = 0
  /// The client's behaviour without a fault, in the words of ``Behaviour/words``.
  public let usual: String
  /// How long the run without a fault took, in nanoseconds.
  public let length: Int64
  /// The transfers of the run without a fault.
  public let steps: [Step]
  /// Where the single faults fall.
  public internal(set) var marks: [Mark] = []
  let hash: String
  private(set) var filling = Filling()

  /// Data needed only while the runs are added to a report; not part of its JSON.
  struct Filling: Sendable {
    fileprivate var code: ReplayCode?
    fileprivate var capture = CaptureMode.everything
    /// The index of each behaviour in the report, by its words.
    fileprivate var numbers: [String: Int] = [:]
    /// The first point of each failure, by fingerprint; its faults are shrunk later.
    fileprivate(set) var culprits: [String: (faults: [ScheduledFault], failure: SearchRun.Failure)] = [:]
  }

  init(_ exploration: FaultExploration, base: Timeline, usual: String) {
    self.usual = usual
    (scenario, profile, bound) = (exploration.scenario, exploration.profile.name, exploration.bound)
    (kinds, reduction) = (exploration.faults.ordered, exploration.reduction)
    (shardCount, shards) = (exploration.shard.count, [exploration.shard.number])
    (filling.code, filling.capture) = (exploration.code, exploration.capture)
    levels = Array(repeating: Level(), count: exploration.bound)
    length = SimulatedInstant.zero.duration(to: base.time).wholeNanoseconds
    hash = base.traceHash.description
    steps = zip(base.transfers, base.shownRequests).map { transfer, name in
      Step(
        name: name, start: transfer.started.nanoseconds, end: (transfer.ended ?? base.time).nanoseconds)
    }
  }

  /// How many points break the client.
  public var failingPoints: Int { failures.reduce(0) { $0 + $1.points } }

  /// How many sets of faults were covered.
  public var points: Int { levels.reduce(0) { $0 + $1.points } }

  /// Whether every point was run.
  public var isWhole: Bool { levels.allSatisfy { $0.run == $0.points && $0.alike == 0 } }

  /// How many classes the points form.
  public var classes: Int { levels.reduce(0) { $0 + $1.classes } }

  // MARK: Filling

  mutating func note(_ run: Int, at level: Int) {
    levels[level].run += run
    checked += run - 1
  }

  mutating func add(
    _ run: ExploredRun, _ faults: [PointClass.Member], of points: PointClass, place: [Int]
  ) {
    let count = points.count
    let level = faults.count - 1
    levels[level].points += count
    levels[level].classes += 1
    virtualTime += run.elapsed
    let example = faults.map { "\($0.fault)" }
    add(
      Behaviour(
        words: run.behaviour, isFailure: run.failure != nil, points: count, classes: 1, example: example,
        place: place))
    if level == 0 {
      for (kind, groups) in Dictionary(grouping: points.groups, by: \.kind) {
        let times = groups.flatMap { $0.times.map(\.nanoseconds) }
        guard let first = times.min(), let last = times.max() else { continue }
        marks.append(
          Mark(
            kind: kind, first: first, last: last, points: times.count, behaviour: run.behaviour,
            isFailure: run.failure != nil, place: place))
      }
    }
    guard let failure = run.failure else { return }
    let name = "\(failure.fingerprint)"
    var entry = Failure(fingerprint: name, points: count, example: example, place: place)
    if failure.fingerprint.place != nil {
      entry.forms = FailureForms(failure.message, count, example: example.joined(separator: "; "), place: place)
    }
    if add(entry) {
      filling.culprits[name] = (faults.map(\.fault), failure)
    }
  }

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

  /// Merges a failure's counts; returns whether its example comes first.
  private mutating func add(_ failure: Failure) -> Bool {
    guard let number = failures.firstIndex(where: { $0.fingerprint == failure.fingerprint }) else {
      failures.append(failure)
      return true
    }
    let points = failures[number].points + failure.points
    var forms = failures[number].forms
    if let others = failure.forms { forms?.add(others) }
    let isFirst = failure.place.precedes(failures[number].place)
    if isFirst { failures[number] = failure }
    (failures[number].points, failures[number].forms) = (points, forms)
    return isFirst
  }

  mutating func add(_ behaviours: [Behaviour], _ failures: [Failure]) {
    let known = zip(self.behaviours.map(\.words), self.behaviours.indices)
    filling.numbers = Dictionary(known) { first, _ in first }
    for behaviour in behaviours { add(behaviour) }
    for failure in failures { _ = add(failure) }
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

  /// Sorts the report, and drops the data needed only to fill it.
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

extension FaultKinds.Kind {
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension [Int] {
  /// Whether a position comes before another: fewer faults first, then by the order of the classes.
  func precedes(_ other: [Int]) -> Bool {
    count != other.count ? count < other.count : lexicographicallyPrecedes(other)
  }
}
