/// A network as a test names it: what both directions do, in which phases, with which exceptions and faults.
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
  /// Other names for it.
  public var aliases: [String]
  /// A description in one line.
  public var summary: String
  /// Where its numbers come from.
  public var source: String
  /// The conditions that hold when no phase says otherwise.
  public let base: PathConditions
  /// The phases that hold one after another; empty when the base holds all the time.
  public private(set) var phases: [Phase]
  /// Whether the first phase follows the last; otherwise the last one stays.
  public let repeats: Bool
  /// Which requests travel under another profile; the first rule that matches decides.
  public var rules: [ProfileRule]
  /// The fault rules; every rule that matches is drawn for itself.
  public var faults: [FaultRule] {
    didSet { faultKeys = FaultRule.keys(of: faults, profile: name) }
  }
  /// The ends of the path, whatever its conditions: congestion control, connections for each host, keep-alive.
  ///
  /// It holds from a network's beginning: a profile that is put in force later brings its conditions alone.
  public var configuration: PathConfiguration
  /// The conditions over time, made once of base and phases.
  public private(set) var schedule: ConditionSchedule
  /// The keys that identify each fault in every draw of chance.
  private(set) var faultKeys: [UInt64]

  /// A stretch of time with one set of conditions; in a profile it has a length, and only the last may last for ever.
  public typealias Phase = ConditionSchedule.Phase

  /// Creates a profile from the conditions that hold all the time or, beneath phases, when none says otherwise.
  ///
  /// A name must not be empty, only the last phase of a profile that does not repeat may last for ever, and phases repeat
  /// after ``ConditionSchedule/shortestCycle`` at the earliest: anything else is a mistake of the program, which stops it.
  public init(
    name: String, aliases: [String] = [], summary: String = "", source: String = "", base: PathConditions,
    phases: [Phase] = [], repeats: Bool = false, rules: [ProfileRule] = [], faults: [FaultRule] = [],
    configuration: PathConfiguration = PathConfiguration()
  ) {
    precondition(!name.isEmpty, "a profile has a name")
    for phase in phases {
      precondition(
        phase.duration.map { $0.wholeNanoseconds > 0 } ?? true, "a phase has a length: \(phase.name.quoted)")
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
      the phases repeat every \(length.formatText); no network does that faster than every \
      \(ConditionSchedule.shortestCycle.formatText)
      """
  }

  /// Creates a profile from what each direction does.
  ///
  /// - Parameters:
  ///   - name: what it is called, not empty.
  ///   - down: from the server to the client.
  ///   - up: from the client to the server.
  ///   - dnsDelay: what the resolver adds to the round trip of a name look-up.
  ///   - phases: what holds one after another, each with all of its conditions.
  ///   - repeats: whether the first phase follows the last.
  ///   - rules: which requests travel under another profile.
  ///   - faults: what goes wrong by decree.
  public init(
    name: String, down: LinkConditions = .unlimited, up: LinkConditions = .unlimited, dnsDelay: Duration = .zero,
    phases: [Phase] = [], repeats: Bool = false, rules: [ProfileRule] = [], faults: [FaultRule] = []
  ) {
    self.init(
      name: name, base: PathConditions(down: down, up: up, dnsDelay: dnsDelay), phases: phases, repeats: repeats,
      rules: rules, faults: faults)
  }

  /// The same profile with other phases, each of which has a length or is the last.
  func with(_ phases: [Phase]) -> NetworkProfile {
    var profile = self
    profile.phases = phases
    profile.schedule = ConditionSchedule(phases: phases, repeats: repeats) ?? ConditionSchedule(base)
    return profile
  }

  /// The same profile with a change made to its base and to each of its phases.
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

  /// A network without a limit, a delay, a loss or a fault.
  public static let unlimited = NetworkProfile(name: "unlimited", base: .unlimited)
}

extension PathConditions {
  /// The same conditions in the one form that files give them: a loss of 0 % is none.
  var normalized: PathConditions {
    var conditions = self
    if conditions.down.loss == .independent(.zero) { conditions.down.loss = .none }
    if conditions.up.loss == .independent(.zero) { conditions.up.loss = .none }
    return conditions
  }
}
