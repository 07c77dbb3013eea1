/// A simulated network's behaviour: the conditions of both directions, phases, rules and faults.
///
/// A profile comes from the built-in catalogue, ``named(_:)``, from a file in the profile format, or from code:
///
/// ```swift
/// let slow = NetworkProfile(
///   name: "slow", down: LinkConditions(rate: .kilobitsPerSecond(400), delay: .milliseconds(200)),
///   faults: [FaultRule(.status(code: 503), probability: .percent(2))])
/// ```
public struct NetworkProfile: Hashable, Sendable {
  /// The profile's name.
  public var name: String {
    didSet { faultKeys = FaultRule.keys(of: faults, profile: name) }
  }
  /// The profile's other names.
  public var aliases: [String]
  /// A one-line description.
  public var summary: String
  /// The source of the profile's numbers.
  public var source: String
  /// The conditions from which phases inherit; without phases, they hold all the time.
  public let base: PathConditions
  /// The phases, which follow one another; if empty, the base holds all the time.
  public private(set) var phases: [Phase]
  /// Whether the first phase follows the last; otherwise the last phase continues.
  public let repeats: Bool
  /// The rules that send requests to another profile; the first matching rule decides.
  public var rules: [ProfileRule]
  /// The fault rules; each matching rule is drawn separately.
  public var faults: [FaultRule] {
    didSet { faultKeys = FaultRule.keys(of: faults, profile: name) }
  }
  /// The settings of the path's ends: congestion control, connections for each host, keep-alive.
  ///
  /// They take effect when a network starts. A profile that replaces it later changes only the conditions.
  public var configuration: PathConfiguration
  /// The conditions over time, computed from base and phases.
  public private(set) var schedule: ConditionSchedule
  private(set) var faultKeys: [UInt64]

  /// A span of time with one set of conditions; only the last phase may have no length, and then lasts for ever.
  public typealias Phase = ConditionSchedule.Phase

  /// Creates a profile from its base conditions, and optional phases, rules and faults.
  ///
  /// These mistakes stop the program: an empty name, and phases that repeat before ``ConditionSchedule/shortestCycle``.
  /// Only the last phase of a profile that does not repeat may have no length.
  public init(
    name: String, aliases: [String] = [], summary: String = "", source: String = "", base: PathConditions,
    phases: [Phase] = [], repeats: Bool = false, rules: [ProfileRule] = [], faults: [FaultRule] = [],
    configuration: PathConfiguration = PathConfiguration()
  ) {
    precondition(!name.isEmpty, "a profile needs a name")
    for phase in phases {
      precondition(
        phase.duration.map { $0.wholeNanoseconds > 0 } ?? true, "a phase needs a length: \(phase.name.quoted)")
    }
    let endless = phases.firstIndex { $0.duration == nil }
    precondition(
      endless == nil || (endless == phases.count - 1 && !repeats),
      "only the last phase of a profile that does not repeat may last for ever")
    if repeats, let problem = Self.problem(ofCycle: phases) { preconditionFailure(problem) }
    self.name = name
    self.aliases = aliases
    self.summary = summary
    self.source = source
    self.base = base.normalized
    self.phases = phases.map { Phase($0.name, for: $0.duration, conditions: $0.conditions.normalized) }
    self.repeats = repeats && !phases.isEmpty
    self.rules = rules
    self.faults = faults
    self.configuration = configuration
    faultKeys = FaultRule.keys(of: faults, profile: name)
    schedule = ConditionSchedule(phases: self.phases, repeats: repeats) ?? ConditionSchedule(self.base)
  }

  static func problem(ofCycle phases: [Phase]) -> String? {
    let length = phases.reduce(Duration.zero) { $0.saturatingAdd($1.duration ?? .nanoseconds(Int64.max)) }
    guard !phases.isEmpty, length < ConditionSchedule.shortestCycle else { return nil }
    return """
      the phases repeat every \(length.formatText); they may repeat no faster than every \
      \(ConditionSchedule.shortestCycle.formatText)
      """
  }

  /// Creates a profile from the conditions of each direction.
  ///
  /// - Parameters:
  ///   - name: the profile's name, not empty.
  ///   - down: the conditions from the server to the client.
  ///   - up: the conditions from the client to the server.
  ///   - dnsDelay: the time that the resolver adds to a name look-up's round trip.
  ///   - phases: the phases in order, each with all of its conditions.
  ///   - repeats: whether the first phase follows the last.
  ///   - rules: the rules that send requests to another profile.
  ///   - faults: the fault rules.
  public init(
    name: String, down: LinkConditions = .unlimited, up: LinkConditions = .unlimited, dnsDelay: Duration = .zero,
    phases: [Phase] = [], repeats: Bool = false, rules: [ProfileRule] = [], faults: [FaultRule] = []
  ) {
    self.init(
      name: name, base: PathConditions(down: down, up: up, dnsDelay: dnsDelay), phases: phases, repeats: repeats,
      rules: rules, faults: faults)
  }

  func with(_ phases: [Phase]) -> NetworkProfile {
    var profile = self
    profile.phases = phases
    profile.schedule = ConditionSchedule(phases: phases, repeats: repeats) ?? ConditionSchedule(base)
    return profile
  }

  /// This profile with a change in its base and in each of its phases.
  ///
  /// ```swift
  /// let lossy = try NetworkProfile.named("3G").changing { $0.down.loss = .independent(.percent(5)) }
  /// ```
  public func changing(_ change: (inout PathConditions) -> Void) -> NetworkProfile {
    var base = base
    change(&base)
    let phases = phases.map { phase in
      var conditions = phase.conditions
      change(&conditions)
      return Phase(phase.name, for: phase.duration, conditions: conditions)
    }
    return NetworkProfile(
      name: name, aliases: aliases, summary: summary, source: source, base: base, phases: phases, repeats: repeats,
      rules: rules, faults: faults, configuration: configuration)
  }

  /// A network without limits, delays, losses or faults.
  public static let unlimited = NetworkProfile(name: "unlimited", base: .unlimited)
}

extension PathConditions {
  /// The round trip time without queues and jitter.
  package var roundTrip: Duration { down.delay + up.delay }

  /// These conditions in the form that files give them: a loss of 0 % becomes none.
  var normalized: PathConditions {
    var conditions = self
    if conditions.down.loss == .independent(.zero) { conditions.down.loss = .none }
    if conditions.up.loss == .independent(.zero) { conditions.up.loss = .none }
    return conditions
  }
}
