// So that `workers: .processes()` needs no further import.
@_exported public import FailureSearch
import Foundation
public import NetworkConditions
public import XCTest

extension XCTestCase {
  /// Runs a closure once in virtual time, under a profile.
  ///
  /// A failure is reported at the line of the call, with what it takes to repeat it. `NETCOND_PROFILE`, `NETCOND_SEED` and
  /// `NETCOND_REPLAY` in the environment go before what is written.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, such as `"3G"` or `"tunnel@portal"`, a file, or a profile.
  ///   - seed: decides everything that is left to chance.
  ///   - clients: how many times the closure runs at once, each with a view of the network of its own.
  ///   - startsAnywhere: whether the run begins at a moment of the profile's phases that the seed draws.
  ///   - capture: what of the client's waiting is taken over beside the network and its clock.
  ///   - options: how long it is patient, and how the two ends of the path behave.
  ///   - file: the file in which a failure is reported.
  ///   - line: the line at which it is reported.
  ///   - body: what to run; the network is its to use, and ends with it.
  /// - Throws: what ends a test without failing it, such as `XCTSkip`, and `CancellationError`.
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

  /// Runs a closure under many seeds until one fails, and reports that failure alone, cut down to the faults that it takes.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, a file, or a profile.
  ///   - seeds: the seeds, such as `0..<200` or `1...200`; the first that fails is the one that is reported.
  ///   - clients: how many times the closure runs at once, each with a view of the network of its own.
  ///   - startsAnywhere: whether each run begins at a moment of the profile's phases of its own.
  ///   - capture: what of the client's waiting is taken over beside the network and its clock.
  ///   - options: how long it is patient, and how the two ends of the path behave.
  ///   - workers: where the runs are made: one after another in this process, unless it is said. In `.processes()` a client
  ///     that traps is a failure like any other (Linux).
  ///   - file: the file in which a failure is reported.
  ///   - line: the line at which it is reported.
  ///   - body: what each run does; the network is its to use, and ends with it.
  /// - Throws: what ends a test without failing it, such as `XCTSkip`, and `CancellationError`.
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

  /// Runs a closure under every fault that can happen to it, up to so many in one run, and reports each way in which it
  /// fails, cut down to the faults that it takes.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, a file, or a profile: its base conditions hold, and nothing is left to
  ///     chance.
  ///   - bound: how many faults may happen in one run.
  ///   - kinds: the kinds of faults that are tried, such as `.all.subtracting([.corrupt])`.
  ///   - clients: how many times the closure runs at once, each with a view of the network of its own.
  ///   - capture: what of the client's waiting is taken over beside the network and its clock.
  ///   - options: how long it is patient, and how the two ends of the path behave.
  ///   - workers: where the runs are made: one after another in this process, unless it is said. In `.processes()` a client
  ///     that traps is a failure like any other (Linux).
  ///   - file: the file in which a failure is reported.
  ///   - line: the line at which it is reported.
  ///   - body: what each run does; the network is its to use, and ends with it.
  /// - Throws: what ends a test without failing it, such as `XCTSkip`, and `CancellationError`.
  public func withNetwork(
    _ profile: some ProfileSource, everyFault bound: Int, of kinds: Set<FaultAlphabet.Kind> = .all, clients: Int = 1,
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

  /// Runs a closure once more as a replay token says, or in a network in which the faults of a schedule happen, and no
  /// others.
  public func withNetwork(
    replaying run: some ReplaySource, clients: Int = 1, capturing capture: CaptureMode = .everything,
    options: NetworkOptions = NetworkOptions(), file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws {
    try await perform(
      RequestedNetwork(.replay(run), clients: clients, capturing: capture, options: options), file, line, body)
  }

  /// Carries out a requested network's runs, and reports at most one failure.
  private func perform(
    _ request: RequestedNetwork, _ file: StaticString, _ line: UInt,
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws {
    let name = Self.plainName(name)
    let run = NetworkRun(request: request, file: "\(file)", name: name, selector: selector, body: body)
    for finding in try await run.findings() {
      keep(finding)
      switch finding.kind {
      case .failure: XCTFail(finding.text, file: file, line: line)
      case .note: print("\(file):\(line): warning: \(name): \(finding.text)")
      }
    }
  }

  /// The test's method, as the test program knows it on its command line.
  private var selector: String {
    "\(String(reflecting: type(of: self)))/\(Self.plainName(name).split(separator: ".").last ?? "")"
  }

  /// A test's name as it is on Linux, `FeedTests.testSync`, from the one on Apple platforms, `-[FeedTests testSync]`.
  ///
  /// There a method that throws or is asynchronous has the selector of Objective-C, with a parameter more.
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
