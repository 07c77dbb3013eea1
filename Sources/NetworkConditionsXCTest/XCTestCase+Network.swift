// Users need no further import for `workers: .processes()`.
@_exported public import FailureSearch
import Foundation
import Internals
public import NetworkConditions
public import XCTest

extension XCTestCase {
  /// Runs a closure once in virtual time, under a profile.
  ///
  /// A failure is reported at the line of the call, with the ways to repeat it. The environment variables
  /// `NETCOND_PROFILE`, `NETCOND_SEED` and `NETCOND_REPLAY` override the arguments.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, such as `"3G"` or `"tunnel@portal"`, a file, or a profile.
  ///   - seed: decides everything that is left to chance.
  ///   - clients: how many clients run the closure at the same time, each with its own view of the network.
  ///   - startsAnywhere: whether the seed chooses where in the profile's phases the run begins.
  ///   - capture: what is captured for virtual time: the whole client, or nothing.
  ///   - options: time limits of the simulation, and settings of the two ends of the path.
  ///   - file: the file in which a failure is reported.
  ///   - line: the line at which a failure is reported.
  ///   - body: what the client does with its network, which ends with the closure.
  /// - Throws: an error that ends a test without failing it, such as `XCTSkip`, and `CancellationError`.
  public func withNetwork(
    _ profile: some ProfileSource, seed: UInt64 = 0, clients: Int = 1, startsAnywhere: Bool = true,
    capturing capture: CaptureMode = .everything, options: NetworkOptions = NetworkOptions(),
    file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws {
    try await perform(
      RequestedNetwork(
        .seed(profile, seed), clients: clients, startsAnywhere: startsAnywhere, capturing: capture, options: options),
      file, line, body)
  }

  /// Runs a closure under many seeds until one fails, and reports that failure, cut down to the faults that cause it.
  ///
  /// If no run met a fault, the search has shown nothing, and a warning says so.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, a file, or a profile.
  ///   - seeds: the seeds, such as `0..<200` or `1...200`; the first failing one is reported.
  ///   - clients: how many clients run the closure at the same time, each with its own view of the network.
  ///   - startsAnywhere: whether each seed chooses where in the profile's phases its run begins.
  ///   - capture: what is captured for virtual time: the whole client, or nothing.
  ///   - options: time limits of the simulation, and settings of the two ends of the path.
  ///   - workers: where the runs are made, by default one after another in this process. In `.processes()` a client that
  ///     traps is a failure like any other (Linux).
  ///   - file: the file in which a failure is reported.
  ///   - line: the line at which a failure is reported.
  ///   - body: what the client does with its network, which ends with the closure.
  /// - Throws: an error that ends a test without failing it, such as `XCTSkip`, and `CancellationError`.
  public func withNetwork<Seeds: RangeExpression>(
    _ profile: some ProfileSource, seeds: Seeds, clients: Int = 1, startsAnywhere: Bool = true,
    capturing capture: CaptureMode = .everything, options: NetworkOptions = NetworkOptions(),
    workers: FailureSearch.Workers = 1,
    file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws where Seeds.Bound: FixedWidthInteger {
    try await perform(
      RequestedNetwork(
        .seeds(profile, range: seeds), clients: clients, startsAnywhere: startsAnywhere, capturing: capture,
        options: options,
        workers: workers),
      file, line, body)
  }

  /// Runs a closure under every fault that can happen to it, and reports each way in which the closure fails.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, a file, or a profile: only its base conditions hold, without chance.
  ///   - bound: how many faults may happen in one run.
  ///   - kinds: the kinds of faults that are tried, such as `.all.subtracting([.corrupt])`.
  ///   - clients: how many clients run the closure at the same time, each with its own view of the network.
  ///   - capture: what is captured for virtual time: the whole client, or nothing.
  ///   - options: time limits of the simulation, and settings of the two ends of the path.
  ///   - workers: where the runs are made, by default one after another in this process. In `.processes()` a client that
  ///     traps is a failure like any other (Linux).
  ///   - file: the file in which a failure is reported.
  ///   - line: the line at which a failure is reported.
  ///   - body: what the client does with its network, which ends with the closure.
  /// - Throws: an error that ends a test without failing it, such as `XCTSkip`, and `CancellationError`.
  public func withNetwork(
    _ profile: some ProfileSource, everyFault bound: Int, of kinds: Set<FaultKinds.Kind> = .all, clients: Int = 1,
    capturing capture: CaptureMode = .everything,
    options: NetworkOptions = NetworkOptions(), workers: FailureSearch.Workers = 1, file: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws {
    try await perform(
      RequestedNetwork(
        .everyFault(profile, upTo: bound, of: kinds), clients: clients, capturing: capture, options: options,
        workers: workers),
      file, line, body)
  }

  /// Runs a closure again from a replay token, or under exactly the faults of a schedule.
  public func withNetwork(
    replaying run: some ReplaySource, clients: Int = 1, capturing capture: CaptureMode = .everything,
    options: NetworkOptions = NetworkOptions(), file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws {
    try await perform(
      RequestedNetwork(.replay(run), clients: clients, capturing: capture, options: options), file, line, body)
  }

  /// Makes the runs that the test asks for, and records what they found.
  private func perform(
    _ request: RequestedNetwork, _ file: StaticString, _ line: UInt,
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws {
    let name = Self.plainName(name)
    let run = NetworkRun(request: request, file: "\(file)", name: name, selector: selector, body: body)
    let failedBefore = testRun?.failureCount ?? 0
    let findings = try await run.findings()
    let unseen = self is NetworkTestCase ? 0 : (testRun?.failureCount ?? 0) - failedBefore
    if unseen > 0 {
      let count = FigureText.count(unseen, "failed assertion")
      XCTFail(
        "\(count) of the runs did not count: derive the test from NetworkTestCase, or throw", file: file, line: line)
    }
    for finding in findings {
      keep(finding)
      switch finding.kind {
      case .failure: XCTFail(finding.text, file: file, line: line)
      // The first failure ends with the summary. With failures that did not count, it would be wrong.
      case .summary: if unseen == 0, !findings.contains(where: { $0.kind == .failure }) { print(finding.text) }
      case .note: print("\(file):\(line): warning: \(name): \(finding.text)")
      }
    }
  }

  /// The test's name as an argument of the test program.
  private var selector: String {
    "\(String(reflecting: type(of: self)))/\(Self.plainName(name).split(separator: ".").last ?? "")"
  }

  /// Converts a test's name from Apple's form, `-[FeedTests testSync]`, to the form on Linux, `FeedTests.testSync`.
  ///
  /// On Apple platforms the selector of a throwing or asynchronous method has one more parameter.
  static func plainName(_ name: String) -> String {
    let words = name.split(separator: " ")
    guard name.hasPrefix("-["), name.hasSuffix("]"), words.count == 2 else { return name }
    var method = String(words[1].dropLast())
    for suffix in ["WithCompletionHandler:", "AndReturnError:"] where method.hasSuffix(suffix) {
      method.removeLast(suffix.count)
    }
    return "\(words[0].dropFirst(2).split(separator: ".").last ?? "").\(method)"
  }
}
