import Internals
import LinkSimulator
import NetworkConditions

extension ExplorationReport {
  /// A length of time for which faults of one kind lasted.
  public struct Length: Codable, Hashable, Sendable {
    /// The kind of fault.
    public let kind: FaultKinds.Kind
    /// The length in nanoseconds; `nil` when the fault never ends.
    public let nanoseconds: Int64?

    init(_ kind: FaultKinds.Kind, _ duration: Duration?) {
      (self.kind, nanoseconds) = (kind, duration?.wholeNanoseconds)
    }

    fileprivate var text: String { nanoseconds.map(Self.text) ?? "for ever" }

    fileprivate static func text(_ nanoseconds: Int64) -> String {
      FigureText.time(nanoseconds: nanoseconds, zero: "0 ms", secondsBelow: .infinity)
    }
  }

  /// The result in words: the proved claim, or how many points break the client; then what was tried and what was not.
  public var summary: String { ([headline] + scope).joined(separator: " ") }

  /// The result in a sentence or two, about the points that were run.
  var headline: String {
    let numbers = shards.map(String.init).joined(separator: ", ")
    let shard = shardCount > 1 ? ", \(shards.count == 1 ? "shard" : "shards") \(numbers) of \(shardCount)" : ""
    let place = "under \"\(profile)\"\(shard)"
    if isPartial, points == 0, failures.isEmpty { return "It was interrupted \(place), before any fault was tried." }
    let interruption = isPartial ? "It was interrupted. Of what was covered until then: " : ""
    return interruption + (failures.isEmpty ? proof(place) : damage(place))
  }

  private func proof(_ place: String) -> String {
    let fault = bound == 1 ? "fault" : "set of up to \(bound) faults"
    let whole = "No \(fault) that was tried breaks \(scenario) \(place)"
    if isWhole, points == 1 { return "\(whole): 1 point, which was run." }
    if isWhole { return "\(whole): \(FigureText.grouped(points)) points, each of them run." }
    return "\(whole): \(FigureText.grouped(run)) points were run. \(rest)"
  }

  private func damage(_ place: String) -> String {
    let errors = failures.count == 1 ? "with one error" : "with \(FigureText.grouped(failures.count)) errors"
    let failing = "\(FigureText.grouped(failingPoints)) of \(FigureText.grouped(points)) point\(points == 1 ? "" : "s")"
    if isWhole {
      return "\(failing) \(failingPoints == 1 ? "breaks" : "break") \(scenario) \(place), \(errors).\(failingKinds)"
    }
    // Only a few points of each class were run, so classes are counted first.
    let failingClasses = behaviours.filter(\.isFailure).reduce(0) { $0 + $1.classes }
    let verb = failingClasses == 1 ? "breaks" : "break"
    return
      "\(FigureText.grouped(failingClasses)) of \(FigureText.grouped(classes)) classes \(verb) \(scenario) \(place), "
      + "\(errors): \(failing).\(failingKinds) \(FigureText.grouped(run)) points were run. \(rest)"
  }

  /// How many of the failing single faults are of each kind, the most first; empty if all are of one kind.
  private var failingKinds: String {
    let counts = marks.filter(\.isFailure).reduce(into: [:]) { $0[$1.kind, default: 0] += $1.points }
    guard counts.count > 1 else { return "" }
    let sorted = counts.sorted { ($1.value, $0.key.rank) < ($0.value, $1.key.rank) }
    let kinds = sorted.map { "\($0.key.rawValue) \(FigureText.grouped($0.value))" }.joined(separator: ", ")
    return bound == 1 ? " By kind: \(kinds)." : " Single faults by kind: \(kinds)."
  }

  private var run: Int { levels.reduce(0) { $0 + $1.run } }

  private var rest: String {
    var sentences: [String] = []
    if run < points {
      sentences.append(
        "\(FigureText.grouped(points - run)) more, in \(FigureText.grouped(classes)) classes, "
          + "are only assumed to behave as these do.")
    }
    let alike = levels.reduce(0) { $0 + $1.alike }
    if alike > 0 {
      let (courses, reason) = alike == 1 ? ("course was", "it was") : ("courses were", "they were")
      sentences.append("\(FigureText.grouped(alike)) \(courses) not followed further, because \(reason) like others.")
    }
    return sentences.joined(separator: " ")
  }

  /// The kinds that were tried, and the kinds for which the run without a fault has no point.
  var kindsText: String {
    // A shard knows only its own points.
    let isKnown = shardCount == 1 && !isPartial
    let idle = isKnown ? kinds.filter { kind in !marks.contains { $0.kind == kind } } : []
    let tried = "Kinds: \(kinds.filter { !idle.contains($0) }.map(\.words).joined(separator: ", "))."
    return idle.isEmpty ? tried : "\(tried) No point for: \(idle.map(\.words).joined(separator: ", "))."
  }

  var scope: [String] {
    var sentences: [String] = []
    // The sentence about waits covers the lengths around them.
    let around = Set(WaitLengths.around(waits.map { .nanoseconds($0) }))
    let kinds = kinds.compactMap { kind in
      let own = lengths.filter {
        $0.kind == kind && !($0.nanoseconds.map { around.contains(.nanoseconds($0)) } ?? false)
      }
      .map(\.text)
      return own.isEmpty ? nil : "\(kind.rawValue) \(own.joined(separator: ", "))"
    }
    if !waits.isEmpty {
      let all = waits.map(Length.text).joined(separator: ", ")
      sentences.append(
        "Faults with a length ended just before, just after and well after each of the client's waits (\(all)).")
      if self.kinds.contains(.delay) {
        sentences.append("Late starts also let each answer arrive just before and just after them.")
      }
    }
    if !kinds.isEmpty {
      sentences.append(
        "\(waits.isEmpty ? "Only" : "Besides these, only") these lengths were tried: \(kinds.joined(separator: "; ")).")
    }
    if !omissions.isEmpty { sentences.append("Not covered: \(omissions.joined(separator: "; ")).") }
    return sentences
  }
}
