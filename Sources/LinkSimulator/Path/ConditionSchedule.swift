/// The conditions of a network over time: a sequence of phases, repeated or not.
public struct ConditionSchedule: Hashable, Sendable {
  /// A stretch of time with one set of conditions.
  public struct Phase: Hashable, Sendable {
    /// The name of the phase, such as `portal`; may be empty.
    public var name: String
    /// How long the phase lasts, above zero; `nil` means for ever.
    public var duration: Duration?
    /// The network's conditions during the phase.
    public var conditions: PathConditions

    /// Creates a phase.
    public init(_ name: String = "", for duration: Duration? = nil, conditions: PathConditions) {
      self.name = name
      self.duration = duration
      self.conditions = conditions
    }
  }

  /// The phase that holds at some time, with its start and end.
  public struct Position: Hashable, Sendable {
    /// The index of the phase in ``ConditionSchedule/phases``.
    public var index: Int
    /// When the phase began.
    public var start: SimulatedInstant
    /// When the next phase begins; `nil` when this one lasts for ever.
    public var end: SimulatedInstant?
  }

  /// The phases in their order, at least one.
  public let phases: [Phase]
  /// Whether the first phase follows the last; otherwise the last one never ends.
  public let repeats: Bool
  /// When the first phase begins; before it, the first phase holds.
  public let start: SimulatedInstant
  /// The sum of the phases' durations in nanoseconds; `nil` when one of them lasts for ever.
  package let period: Int64?

  /// The shortest total length of a schedule that repeats: 1 ms.
  ///
  /// A frame of a mobile network takes a millisecond or more, so faster changes show nothing. Each phase's start is an
  /// event: cycles of 1 ns would cost a billion events for each second of network time.
  public static let shortestCycle = Duration.milliseconds(1)

  /// Creates a schedule; `nil` without phases, with an empty phase, or when it repeats faster than ``shortestCycle``.
  public init?(phases: [Phase], repeats: Bool = false, startingAt start: SimulatedInstant = .zero) {
    guard !phases.isEmpty, phases.allSatisfy({ ($0.duration ?? .seconds(1)).wholeNanoseconds > 0 })
    else { return nil }
    self.phases = phases
    self.repeats = repeats
    self.start = start
    var total: Int64? = 0
    for phase in phases {
      guard let sum = total, let duration = phase.duration else {
        total = nil
        break
      }
      let (next, overflow) = sum.addingReportingOverflow(duration.wholeNanoseconds)
      total = overflow ? nil : next
    }
    self.period = total
    if repeats, let total, total < Self.shortestCycle.wholeNanoseconds { return nil }
  }

  /// Creates a schedule in which one set of conditions holds for ever.
  public init(_ conditions: PathConditions) {
    self.phases = [Phase(conditions: conditions)]
    self.repeats = false
    self.start = .zero
    self.period = nil
  }

  /// Returns the same schedule with another start of its first phase.
  public func starting(at start: SimulatedInstant) -> ConditionSchedule {
    ConditionSchedule(phases: phases, repeats: repeats, startingAt: start) ?? self
  }

  /// Returns the phase that holds at `time`.
  public func position(at time: SimulatedInstant) -> Position {
    var begin = start.nanoseconds
    if repeats, let period, time >= start {
      begin += (time.nanoseconds - start.nanoseconds) / period * period
    }
    for (index, phase) in phases.enumerated() {
      let last = index == phases.count - 1
      guard let duration = phase.duration, !(last && !repeats) else {
        return Position(index: index, start: SimulatedInstant(nanoseconds: begin), end: nil)
      }
      let (end, overflow) = begin.addingReportingOverflow(duration.wholeNanoseconds)
      if overflow || time.nanoseconds < end {
        let next = overflow ? nil : SimulatedInstant(nanoseconds: end)
        return Position(index: index, start: SimulatedInstant(nanoseconds: begin), end: next)
      }
      begin = end
    }
    preconditionFailure("a phase holds at every time")
  }

  /// The conditions that hold at `time`.
  public func conditions(at time: SimulatedInstant) -> PathConditions {
    phases[position(at: time).index].conditions
  }
}

/// The phase of a schedule that holds at a time.
struct PhaseCursor: Sendable {
  let schedule: ConditionSchedule
  let index: Int
  let conditions: PathConditions
  /// When the next phase begins; `.max` when never.
  let end: Int64

  init(_ schedule: ConditionSchedule, at time: SimulatedInstant) {
    let position = schedule.position(at: time)
    (self.schedule, index, end) = (schedule, position.index, position.end?.nanoseconds ?? .max)
    conditions = schedule.phases[index].conditions
  }
}
