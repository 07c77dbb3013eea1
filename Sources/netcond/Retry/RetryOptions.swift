import Foundation
import Internals
import NetworkConditions
import RetryBenchmark
import RetryPolicies

/// What `netcond retry` is asked to do, read from its command line and checked.
struct RetryOptions {
  let benchmark: RetryBenchmark
  let policies: [String]
  /// The trials that are to be drawn; none is to choose.
  let shown: [TrialName]

  static let names = RetryPolicyCatalogue.entries.map(\.name)
  static let usualPolicies = "none,immediate,exponential,full-jitter,hedging"
  static let usualProfiles = "subway,flaky"

  init(_ arguments: Arguments) throws {
    policies = try Self.list(arguments[Self.policyOption] ?? Self.usualPolicies, of: Self.policyOption).map(Self.policy)
    if arguments[Self.showTrialOption] != nil, arguments[ReportOutput.htmlOption] == nil {
      throw UsageError("--show-trial: a trial is drawn on a page; name its file with --html FILE")
    }
    if let twice = Self.twice(policies) { throw UsageError("--policy: \(twice) is named twice") }
    let profiles = try Self.list(arguments[Self.profileOption] ?? Self.usualProfiles, of: Self.profileOption)
      .map { try ProfileFacts.load($0, at: arguments[ProfileFacts.beginningOption]) }
    if let twice = Self.twice(profiles.map(\.name)) { throw UsageError("--profile: \(twice) is named twice") }
    let seeds = try arguments.value(of: Self.seedsOption, such: SeedRange.expected) { SeedRange($0) }
    let range = (seeds ?? SeedRange(count: 500)).seeds
    guard range.upperBound <= 1 << 62 else {
      throw UsageError("--seeds: seeds lie below \(UInt64(1) << 62); write for example 200")
    }
    do {
      var benchmark = try RetryBenchmark(
        profiles: profiles, seeds: Int(range.lowerBound)..<Int(range.upperBound),
        workload: try Self.workload(arguments), server: try Self.server(arguments))
      let share = "a share of the seeds; write 1/4 to 4/4"
      if let shard = try arguments.value(of: Self.shardOption, such: share, Self.shard) { benchmark.shard = shard }
      self.benchmark = benchmark
      let policies = policies
      shown = try arguments[all: Self.showTrialOption].map {
        try TrialName($0, among: profiles.map(\.name), policies)
      }
    } catch let error as RetryBenchmarkError {
      throw UsageError("\(error)")
    }
  }

  /// How many trials there will be.
  var trials: Int {
    let (index, count) = benchmark.shard
    return benchmark.profiles.count * policies.count * ((benchmark.seeds.count - index + count - 1) / count)
  }

  private static func workload(_ arguments: Arguments) throws -> Workload {
    func number(_ option: Option, _ most: Int) throws -> Int {
      try arguments.value(of: option, such: "a number from 1 to \(most)") {
        Int($0).flatMap { (1...most).contains($0) ? $0 : nil }
      } ?? 1
    }
    func size(_ option: Option, _ usual: String) throws -> Int {
      do {
        return Int(try ByteQuantity(parsing: arguments[option] ?? usual).bytes)
      } catch {
        throw UsageError("--\(option.name): \(error)")
      }
    }
    var workload = Workload(
      clients: try number(clientsOption, 100_000), requestsPerClient: try number(requestsOption, 10_000),
      requestBytes: try size(putOption, "0 B"), responseBytes: try size(getOption, "2 kB"))
    if let text = arguments[arrivalOption] { workload.arrival = try arrival(text) }
    let method = try arguments.value(of: methodOption, such: "an HTTP method; write for example POST") { text in
      !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isLetter } ? text.uppercased() : nil
    }
    if let method { workload.method = method }
    if let text = arguments[deadlineOption] { workload.deadline = Int(try ServerText.time(text, of: "deadline")) }
    return workload
  }

  private static func server(_ arguments: Arguments) throws -> ServerModel {
    var server = try arguments[serverOption].map(ServerText.server) ?? ServerModel()
    if let text = arguments[outageOption] { server.outages = try ServerText.outages(text) }
    return server
  }

  /// Reads `together` or `poisson 10 s`.
  private static func arrival(_ text: String) throws -> Workload.Arrival {
    let text = text[...].trimmed
    if text == "together" { return .together }
    guard text.hasPrefix("poisson ") else {
      throw UsageError("--arrival: \"\(text)\" is no way to come; write together or \"poisson 10 s\"")
    }
    return .poisson(over: Int(try ServerText.time(String(text.dropFirst(8).trimmed), of: "arrival")))
  }

  /// Reads `2/4` as the share with the number 1 of 4.
  private static func shard(_ text: String) -> (index: Int, count: Int)? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], count <= 1_000_000,
      (1...max(1, count)).contains(number), count > 0
    else { return nil }
    return (number - 1, count)
  }

  private static func list(_ text: String, of option: Option) throws -> [String] {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
    guard !names.contains("") else { throw UsageError("--\(option.name): \"\(text)\" has an empty name") }
    return names
  }

  /// The name as the catalogue writes it.
  private static func policy(_ name: String) throws -> String {
    if let known = names.first(where: { $0 == name.lowercased() }) { return known }
    let question = NearNames.question(NearNames.of(name, among: names))
    throw UsageError(
      "no policy is called \"\(name.printable.shortened(to: 60))\"\(question ?? "; netcond retry --help lists them")")
  }

  private static func twice(_ names: [String]) -> String? {
    names.enumerated().first { names[..<$0].contains($1) }?.element
  }
}
