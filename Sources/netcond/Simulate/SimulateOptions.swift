import Foundation
import NetworkConditions

/// What `netcond simulate` is asked to do, read from its command line and checked.
struct SimulateOptions {
  /// Where what is simulated comes from.
  enum Subject {
    /// One transfer, and over what.
    case transfer(TransferScenario, over: Network)
    /// Those of a file.
    case cases(String)
  }

  /// A network as the command line said it.
  enum Network: Equatable {
    /// A profile by its name.
    case profile(String)
    /// A link in words.
    case link(String)

    var profile: String? { if case .profile(let name) = self { name } else { nil } }
    var link: String? { if case .link(let text) = self { text } else { nil } }
    /// As a sentence calls it.
    var phrase: String { profile ?? "a link: \(link ?? "")" }
  }

  let subject: Subject
  var seeds = SeedRange(count: 200)
  var limit = Duration.seconds(180)
  /// What is added to the round trip of each case.
  var excess = Duration.microseconds(150)
  var json = false

  init(_ arguments: Arguments) throws {
    json = arguments[flag: .json]
    if let seeds = try arguments.value(of: Self.seedsOption, such: SeedRange.expected, { SeedRange($0) }) {
      self.seeds = seeds
    }
    if let text = arguments[Self.limitOption] {
      limit = try Self.quantity(Self.limitOption) { try Duration(parsing: text) }
      guard limit > .zero else { throw UsageError("--limit: \"\(text)\" leaves no time; write for example \"180 s\"") }
    }
    if let path = arguments[Self.casesOption] {
      if let other = Self.transferOptions.first(where: { arguments[flag: $0] }) {
        throw UsageError("--cases and --\(other.name) exclude each other: the file says what is sent over which link")
      }
      if let text = arguments[Self.excessOption] {
        excess = try Self.quantity(Self.excessOption) { try Duration(parsing: text) }
      }
      guard seeds.seeds.upperBound <= 1 << 32 else {
        throw UsageError("--seeds: with --cases the seeds lie below 4294967296; write for example 101")
      }
      subject = .cases(path)
    } else {
      guard arguments[Self.excessOption] == nil else {
        throw UsageError("--rtt-excess belongs to --cases; a link's round trip is what --link or the profile says")
      }
      let (schedule, network) = try Self.network(arguments)
      var scenario = try Self.scenario(arguments, over: schedule)
      scenario.limit = limit
      subject = .transfer(scenario, over: network)
    }
  }

  private static func network(_ arguments: Arguments) throws -> (ConditionSchedule, Network) {
    guard let link = arguments[linkOption] else {
      let profile = try ProfileFacts.load(
        arguments[profileOption] ?? "3G", at: arguments[ProfileFacts.beginningOption])
      return (profile.schedule, .profile(profile.name))
    }
    guard arguments[profileOption] == nil else {
      throw UsageError("--profile and --link exclude each other: both say what the network does")
    }
    guard arguments[ProfileFacts.beginningOption] == nil else {
      throw UsageError("--at belongs to --profile: a link is the same at all times")
    }
    return (ConditionSchedule(try LinkText.conditions(link)), .link(link))
  }

  private static func scenario(_ arguments: Arguments, over schedule: ConditionSchedule) throws -> TransferScenario {
    guard arguments[getOption] == nil || arguments[putOption] == nil else {
      throw UsageError("--get and --put exclude each other: a transfer goes one way")
    }
    let isPut = arguments[putOption] != nil
    let option = isPut ? putOption : getOption
    let size = try quantity(option) { try ByteQuantity(parsing: arguments[option] ?? "100 kB") }
    guard size.bytes <= TransferCase.mostBytes else {
      throw UsageError("--\(option.name): \"\(arguments[option] ?? "")\" is more than 100 GB, packet by packet")
    }
    var scenario = TransferScenario(isPut ? .put : .get, bytes: size.bytes, over: schedule)
    scenario.isWarm = arguments[flag: warmOption]
    scenario.isSecure = arguments[flag: secureOption]
    scenario.needsResolution = arguments[flag: resolutionOption]
    let number = "a number of transfers from 1 to \(TransferCase.mostParallel); write for example 6"
    if let parallel = try arguments.value(
      of: parallelOption, such: number,
      { text in Int(text).flatMap { (1...TransferCase.mostParallel).contains($0) ? $0 : nil } })
    {
      scenario.parallel = parallel
    }
    let version = "a version of HTTP; write 1.1 or 2"
    if let version = try arguments.value(
      of: versionOption, such: version, { StreamRequest.HTTPVersion(rawValue: $0) })
    {
      scenario.version = version
    }
    let names = PathConfiguration.CongestionControl.allCases.map(\.rawValue).joined(separator: " or ")
    let control = "a congestion control that there is; write \(names)"
    if let control = try arguments.value(
      of: congestionOption, such: control, { PathConfiguration.CongestionControl(rawValue: $0.lowercased()) })
    {
      scenario.configuration.congestionControl = control
    }
    return scenario
  }

  /// Reads a quantity, and puts the option's name before what is wrong with it.
  private static func quantity<Value>(_ option: Option, _ parse: () throws -> Value) throws -> Value {
    do {
      return try parse()
    } catch let error as ProfileError {
      throw UsageError("--\(option.name): \(error)")
    }
  }
}
