import RetryBenchmark

/// One trial as `--show-trial` names it: `subway/full-jitter/17`.
struct TrialName: Hashable {
  let profile: String
  let policy: String
  let seed: Int

  /// Reads a name; throws a ``UsageError`` that says which part is unknown and what there is.
  init(_ text: String, among profiles: [String], _ policies: [String]) throws {
    // A profile from a file may have a slash in its name.
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3, let seed = Int(parts[parts.count - 1]), seed >= 0 else {
      throw UsageError(
        "--show-trial: \"\(text.printable.shortened(to: 60))\" names no trial; write PROFILE/POLICY/SEED, for example "
          + "\(profiles.first ?? "3G")/\(policies.first ?? "none")/0")
    }
    self.seed = seed
    profile = try Self.known(parts.dropLast(2).joined(separator: "/"), among: profiles, "profiles")
    policy = try Self.known(parts[parts.count - 2], among: policies, "policies")
  }

  init(profile: String, policy: String, seed: Int) {
    self.profile = profile
    self.policy = policy
    self.seed = seed
  }

  private static func known(_ name: String, among names: [String], _ kind: String) throws -> String {
    if let known = names.first(where: { $0.lowercased() == name.lowercased() }) { return known }
    throw UsageError(
      "--show-trial: \"\(name.printable.shortened(to: 60))\" is not among the \(kind) of this run: "
        + names.map(\.printable).joined(separator: ", "))
  }
}

extension RetryOptions {
  /// Runs the trials again that are to be drawn: those that were named, or all policies under the first profile with the
  /// seed that tells them apart most.
  func courses(of report: RetryReport) async throws -> [TrialCourse] {
    var names = shown
    if names.isEmpty, let profile = report.profiles.first, let seed = report.tellingSeed(of: profile) {
      names = policies.map { TrialName(profile: profile, policy: $0, seed: Int(seed)) }
    }
    var courses: [TrialCourse] = []
    for name in names {
      let trial = try await benchmark.trial(
        of: try Contender(named: name.policy), under: name.profile, seed: name.seed)
      courses.append(TrialCourse(profile: name.profile, policy: name.policy, trial: trial))
    }
    return courses
  }
}
