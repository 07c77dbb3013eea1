import Foundation
import Internals
import NetworkConditions

extension FailureSearch {
  /// A failing run of the search, before it is cut down.
  struct Hit: Sendable {
    let number: Int
    let profile: NetworkProfile
    let seed: UInt64
    let failure: SearchRun.Failure
    let written: Verdict.WrittenTimeline?
    var fingerprint: Fingerprint { failure.fingerprint }
  }

  /// Failures with the same fingerprint: the first one, and all runs.
  struct Group: Sendable {
    var first: Hit
    /// The number of each run, with its message.
    var runs: [(number: Int, message: String)]
    var forms: FailureForms?
  }

  /// What the runs of a search have shown, before failures are cut down.
  struct Collected {
    let done: Int
    let met: Int
    let madeRequests: Bool
    let groups: [Group]
  }

  /// What one worker has seen: failures, and the numbers of the runs that met a fault.
  private struct Seen: Sendable {
    var groups: [Fingerprint: Group] = [:]
    var met: [Int] = []
    /// The number of the first run that made a request; `.max` for none.
    var firstRequesting = Int.max

    mutating func add(_ other: Seen) {
      for group in other.groups.values { groups.add(group) }
      met += other.met
      firstRequesting = min(firstRequesting, other.firstRequesting)
    }
  }

  /// Runs all seeds until the extent is reached, known failures first; the result does not depend on the number of workers.
  func collect(
    _ runner: SearchRunner, progress: (@Sendable (Int, Int) -> Void)?
  ) async throws -> Collected {
    let cases = try SearchCases(self)
    let cursor = WorkCursor(total: cases.count)
    let seen = try await withThrowingTaskGroup(of: Seen.self) { group in
      for _ in 0..<min(workers.count, cases.count) {
        group.addTask(executorPreference: DriverThreads.executor) {
          var seen = Seen()
          while !Task.isCancelled, let number = cursor.next() {
            let (profile, seed) = cases[number]
            let token = runner.token(profile, seed)
            let verdict: Verdict
            do {
              verdict = try await runner.verdict(token)
            } catch let error as SimulationError where error.isOfOneSeed {
              throw FailureSearchError.unfinished(error, run: RunNote(token, faults: []).crashReport)
            }
            if verdict.hasMetFault { seen.met.append(number) }
            if !verdict.transfers.isEmpty { seen.firstRequesting = min(seen.firstRequesting, number) }
            if let failure = verdict.failure {
              // A thread that never comes back disturbs all further runs in this process.
              let isLast = extent == .firstFailure || failure.holdsThread && runner.pool == nil
              if isLast { cursor.end(after: number) }
              let hit = Hit(number: number, profile: profile, seed: seed, failure: failure, written: verdict.written)
              seen.groups.add(Group(first: hit, runs: [(number, failure.message)]))
            }
            let done = cursor.finish()
            progress?(done, cases.count)
          }
          try Task.checkCancellation()
          return seen
        }
      }
      return try await group.reduce(into: Seen()) { $0.add($1) }
    }
    // Other workers may have run cases after the last one; they do not count.
    let done = cursor.end
    let groups = seen.groups.values.filter { $0.first.number < done }.sorted { $0.first.number < $1.first.number }
      .map { group in
        let runs = group.runs.filter { $0.number < done }
        return Group(
          first: group.first, runs: runs, forms: group.first.fingerprint.place.flatMap { _ in cases.forms(of: runs) })
      }
    return Collected(
      done: done, met: seen.met.count { $0 < done }, madeRequests: seen.firstRequesting < done, groups: groups)
  }
}

extension [Fingerprint: FailureSearch.Group] {
  fileprivate mutating func add(_ group: FailureSearch.Group) {
    guard let known = self[group.first.fingerprint] else {
      self[group.first.fingerprint] = group
      return
    }
    let first = known.first.number < group.first.number ? known.first : group.first
    self[group.first.fingerprint] = FailureSearch.Group(first: first, runs: known.runs + group.runs)
  }
}

/// The runs in order: known failures first, then each seed under all profiles.
private struct SearchCases: Sendable {
  private let known: [(NetworkProfile, UInt64)]
  private let profiles: [NetworkProfile]
  private let seeds: Range<UInt64>
  /// The indices of the known failures in the sequence of all runs, ascending; there they are not run a second time.
  private let skipped: [Int]
  let count: Int

  init(_ search: FailureSearch) throws(FailureSearchError) {
    profiles = search.profiles.map { $0.networkProfile(under: search.options) }
    seeds = search.seeds
    known = try search.known?.seeds(of: profiles) ?? []
    let seedCount = Int(clamping: search.seeds.upperBound - search.seeds.lowerBound)
    let (product, overflow) = seedCount.multipliedReportingOverflow(by: search.profiles.count)
    let (sum, overflowsInSum) = product.addingReportingOverflow(known.count)
    guard !overflow, !overflowsInSum, seedCount < .max else {
      throw FailureSearchError.impossible("there are more seeds than can be counted")
    }
    let names = profiles.map(\.name)
    skipped = known.compactMap { profile, seed -> Int? in
      guard search.seeds.contains(seed), let index = names.firstIndex(of: profile.name) else { return nil }
      return Int(seed - search.seeds.lowerBound) * names.count + index
    }.sorted()
    count = sum - skipped.count
  }

  /// The messages of runs, each with the first run that had it.
  func forms(of runs: [(number: Int, message: String)]) -> FailureForms? {
    runs.reduce(into: nil) { (forms: inout FailureForms?, run) in
      let (profile, seed) = self[run.number]
      let name = profiles.count > 1 ? " under \(profile.name.quoted)" : ""
      let form = FailureForms(run.message, 1, example: "seed \(seed)\(name)", place: [run.number])
      if forms?.add(form) == nil { forms = form }
    }
  }

  subscript(number: Int) -> (NetworkProfile, UInt64) {
    if number < known.count { return known[number] }
    var rest = number - known.count
    for place in skipped where place <= rest { rest += 1 }
    return (profiles[rest % profiles.count], seeds.lowerBound + UInt64(rest / profiles.count))
  }
}

extension SimulationError {
  /// Whether the error belongs to one run, which its seed and token can repeat.
  var isOfOneSeed: Bool {
    switch self {
    case .deadlock, .stuck, .endlessLoop, .unending, .noStub, .unusableStub, .notCaptured, .unseenWait, .blockedThread:
      true
    case .nested, .profile, .nondeterministic: false
    }
  }
}
