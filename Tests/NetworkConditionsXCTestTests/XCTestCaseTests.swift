import Internals
import NetworkConditions
import XCTest

@testable import FailureSearch
@testable import NetworkConditionsXCTest
import URLLoading

final class WithNetworkTests: NetworkTestCase {
  /// Loads three files, and asserts that each is whole.
  private static let fragile: @Sendable (SimulatedNetwork) async throws -> Void = { network in
    network.stub("/files/*", with: .bytes(count: 20_000))
    for number in 0..<3 {
      let url = URL(string: "https://api.example.com/files/\(number)")!
      let data = try? await network.session.data(from: url).0
      XCTAssertEqual(data?.count, 20_000)
    }
  }

  private func findings(
    _ course: RequestedNetwork.Runs, environment: [String: String] = [:],
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws -> [NetworkRun.Finding] {
    try await NetworkRun(
      request: RequestedNetwork(course), file: #filePath, name: name, selector: "", body: body,
      environment: environment
    ).findings()
  }

  func testATestHasTheSameNameOnAllPlatforms() {
    XCTAssertEqual(WithNetworkTests.plainName("FeedTests.testSync"), "FeedTests.testSync")
    XCTAssertEqual(WithNetworkTests.plainName("-[FeedTests testSync]"), "FeedTests.testSync")
    XCTAssertEqual(WithNetworkTests.plainName("-[App.FeedTests testSyncWithCompletionHandler:]"), "FeedTests.testSync")
    XCTAssertEqual(WithNetworkTests.plainName("-[FeedTests testSyncAndReturnError:]"), "FeedTests.testSync")
  }

  func testARunWithoutAFailureReportsNothing() async throws {
    try await withNetwork("3G", seeds: 7..<8, Self.fragile)
    try await withNetwork("3G", seed: 7, Self.fragile)
  }

  func testASearchInWhichNoSeedMeetsAFaultIsReportedAsANote() async throws {
    let found = try await findings(.seeds("3G", 0..<10), Self.fragile)
    XCTAssertEqual(found.map(\.kind), [.note])
    XCTAssertTrue(found[0].text.hasPrefix("None of 10 runs met a fault under \"3G\": take"), found[0].text)
  }

  func testAnAssertionThatFailsUnderSomeSeedIsOneShrunkFailure() async throws {
    let findings = try await findings(.seeds("flaky", 0..<300), Self.fragile)
    XCTAssertEqual(findings.count, 1)
    let lines = try XCTUnwrap(findings.first).text.components(separatedBy: "\n")
    XCTAssertTrue(lines[0].hasPrefix("XCTAssertEqual failed"), lines[0])
    XCTAssertTrue(lines[0].contains("at XCTestCaseTests.swift:16"), lines[0])
    // Without a message of the test's, XCTest ends the description with a dash.
    XCTAssertFalse(lines[0].contains(" - "), lines[0])
    XCTAssertTrue(lines[1].hasPrefix("under \"flaky\", seed "), lines[1])
    XCTAssertTrue(lines[2].hasPrefix("It takes: the "), lines[2])
    let code = try XCTUnwrap(lines.first { $0.hasPrefix("try await withNetwork(replaying: \"netcond1:") })
    XCTAssertTrue(code.hasSuffix("{ network in"))

    // The printed reproduction fails in the same way.
    let token = String(code.split(separator: "\"")[1])
    let again = try await self.findings(.replay(token), Self.fragile)
    XCTAssertEqual(again.count, 1)
    XCTAssertEqual(again.first?.text.components(separatedBy: "\n").first, lines[0])
  }

  func testAssertionsInACompletionHandlerAndUnmetExpectationsAreFailuresOfTheirRun() async throws {
    try XCTSkipIf(CaptureMode.obstacle != nil)
    nonisolated(unsafe) let test = self
    let findings = try await findings(.seed("3G", 1)) { network in
      network.stub("/feed", with: .text("feed"))
      let (answered, never) = (XCTestExpectation(description: "answered"), XCTestExpectation(description: "never"))
      network.session.dataTask(with: URL(string: "https://api.example.com/feed")!) { data, _, _ in
        XCTAssertEqual(data?.count, 5)
        answered.fulfill()
      }.resume()
      await test.fulfillment(of: [answered, never], timeout: 30)
    }
    XCTAssertEqual(findings.count, 1)
    let text = try XCTUnwrap(findings.first).text
    XCTAssertTrue(text.contains("(\"Optional(4)\") is not equal to (\"Optional(5)\")"), text)
    XCTAssertTrue(text.contains("Exceeded timeout of 30.0 seconds, with unfulfilled expectations: never"), text)
  }

  #if os(Linux)
    func testAClientThatCrashesInAWorkerProcessIsReportedAsAFailure() async throws {
      let selector = "\(String(reflecting: Self.self))/\(#function.dropLast(2))"
      // The second search on this line fails, and its worker processes must find that search.
      var found: [NetworkRun.Finding] = []
      for number in 0..<2 {
        let request = RequestedNetwork(.seeds("3G", 0..<9), workers: .processes(1))
        let body: @Sendable (SimulatedNetwork) async throws -> Void = { network in
          precondition(number == 0 || network.seed != 5, "no such seed")
        }
        XCTAssertFalse(found.contains { $0.kind == .failure })
        found = try await NetworkRun(
          request: request, file: #filePath, name: name, selector: selector, body: body, environment: [:]
        ).findings()
      }
      let text = try XCTUnwrap(found.first).text
      XCTAssertTrue(text.contains("Precondition failed: no such seed, at 0 ms of its time"), text)
    }
  #endif

  func testASeedThatFailedInASearchAlsoFailsAlone() async throws {
    let found = try await findings(.seeds("tunnel", 0..<300)) { network in
      network.stub("/", with: .text("ok"))
      let request = URLRequest(url: URL(string: "https://api.example.com/")!, timeoutInterval: 5)
      _ = try await network.session.data(for: request)
    }
    let line = try XCTUnwrap(found.first?.text.components(separatedBy: "\n").dropFirst().first)
    let seed = try XCTUnwrap(UInt64(line.components(separatedBy: "seed ")[1]))
    let alone = try await findings(.seed("tunnel", seed)) { network in
      network.stub("/", with: .text("ok"))
      let request = URLRequest(url: URL(string: "https://api.example.com/")!, timeoutInterval: 5)
      _ = try await network.session.data(for: request)
    }
    XCTAssertEqual(alone.count, 1)
    XCTAssertTrue(alone.first?.text.contains("\nUntil then: ") == true, "\(alone)")
  }

  func testAnExplorationReportsEachFailureAfterItsSummary() async throws {
    let found = try await findings(.everyFault("3G", upTo: 1, of: [.refused, .dns])) { network in
      network.stub("/", with: .text("ok"))
      _ = try await network.session.data(from: URL(string: "https://api.example.com/")!)
    }
    XCTAssertEqual(found.map(\.kind), [.summary, .failure, .failure], "\(found)")
  }

  func testARunThatCannotBeginIsOneFailureWithTheReason() async throws {
    let body: @Sendable (SimulatedNetwork) async throws -> Void = { _ in XCTFail("it is not run") }
    for (course, text) in [
      (RequestedNetwork.Runs.seed("tunel", 1), "\"tunnel\""),
      (.seeds("3G", 5..<5), "empty"),
      (.replay("netcond1:abc"), "damaged"), (.replay("hello"), "not a replay token"),
    ] {
      let found = try await findings(course, body)
      XCTAssertEqual(found.count, 1)
      XCTAssertTrue(found.first?.text.contains(text) == true, "\(found)")
    }
  }

  func testAReplayedFaultThatNeverHappensIsReportedAsANote() async throws {
    let schedule = try FaultSchedule("3G", faults: [.request(.post, "/pay", .refused)])
    let found = try await findings(.replay(schedule), Self.fragile)
    XCTAssertEqual(found.map(\.kind), [.note])
    XCTAssertTrue(found.first?.text.contains("the 1st POST /pay: connection refused") == true, "\(found)")
  }

  func testASkippedTestIsNotAFailure() async throws {
    for course in [RequestedNetwork.Runs.seed("3G", 1), .seeds("3G", 0..<3)] {
      do {
        _ = try await findings(course) { _ in throw XCTSkip("no need") }
        XCTFail("a skip is thrown on")
      } catch is XCTSkip {}
    }
  }

  func testASearchWithASkippedAndAFailedRunReportsTheFailure() async throws {
    let found = try await findings(.seeds("3G", 0..<3)) { network in
      throw network.seed == 1 ? URLError(.badURL) : XCTSkip("no need")
    }
    XCTAssertEqual(found.map(\.kind), [.failure])
  }

  func testASearchOfSkippedRunsThrowsTheFirstSkip() async throws {
    let run = NetworkRun(
      request: RequestedNetwork(.seeds("3G", 0..<3), workers: 1), file: #filePath, name: name, selector: "",
      body: { network in throw XCTSkip("seed \(network.seed)") }, environment: [:])
    do {
      _ = try await run.findings()
      XCTFail("no skip is thrown")
    } catch let skip as XCTSkip {
      XCTAssertEqual(skip.message, "seed 0")
    }
  }

  func testAnExplorationWithASkippedAndAFailedRunReportsTheFailure() async throws {
    let found = try await findings(.everyFault("3G", upTo: 1, of: [.refused])) { network in
      network.stub("/", with: .text("ok"))
      _ = try await network.session.data(from: URL(string: "https://api.example.com/")!)
      throw XCTSkip("no need")
    }
    XCTAssertEqual(found.map(\.kind), [.summary, .failure], "\(found)")
  }

  func testACancellationThatTheClientThrowsIsAFailure() async throws {
    let found = try await findings(.seed("3G", 1)) { _ in throw CancellationError() }
    XCTAssertEqual(found.map(\.kind), [.failure], "\(found)")
  }

  func testASearchKeepsAFailedSeedBesideTheTestIfThereIsAFolderForIt() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("beside-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let known = folder.appendingPathComponent("KnownFailures")
    for isThere in [false, true] {
      try FileManager.default.createDirectory(at: isThere ? known : folder, withIntermediateDirectories: true)
      let run = NetworkRun(
        request: RequestedNetwork(.seeds("3G", 0..<3), workers: 1), file: folder.path + "/Tests.swift",
        name: "FeedTests.testSync", selector: "", body: { if $0.seed == 2 { throw URLError(.badURL) } },
        environment: [:])
      let found = try await run.findings()
      XCTAssertEqual(found.map(\.kind), [.failure])
      let text = try? String(contentsOf: known.appendingPathComponent("FeedTests-testSync.seeds"), encoding: .utf8)
      XCTAssertEqual(text?.hasSuffix("\n\"3G\" 2 # URLError.badURL\n"), isThere ? true : nil, text ?? "no file")
    }
  }
  func testARunThatFailsAnAssertionAndThrowsIsReportedWithTheAssertion() async throws {
    let found = try await findings(.seed("3G", 1)) { _ in
      XCTAssertEqual(1, 2)
      throw URLError(.timedOut)
    }
    XCTAssertEqual(found.map(\.kind), [.failure])
    XCTAssertTrue(found.first?.text.hasPrefix("XCTAssertEqual failed") == true, "\(found)")
  }

  func testAnAssertionOutsideAllTasksBelongsToARunOnlyWhileThereIsNoOther() async throws {
    let network = SimulatedNetwork("unlimited", pace: .immediate)
    let (one, other) = (AssertionLog(of: network), AssertionLog(of: network))
    var found: [Bool] = []
    await one.collect {
      found.append(AssertionLog.only === one)
      await other.collect { found.append(AssertionLog.only == nil) }
      found.append(AssertionLog.only === one)
    }
    found.append(AssertionLog.only == nil)
    XCTAssertEqual(found, [true, true, true, true])
  }

  func testEnvironmentVariablesReplaceTheProfileAndTheSeed() async throws {
    let profiles = Mutex<[String]>([])
    _ = try await findings(
      .seed("3G", 1), environment: ["NETCOND_PROFILE": "EDGE", "NETCOND_SEED": "0..<4"]
    ) { network in profiles.withLock { $0.append("\(network.profile.name) \(network.seed)") } }
    XCTAssertEqual(profiles.withLock { $0 }, ["EDGE 0", "EDGE 1", "EDGE 2", "EDGE 3"])
    let wrong = try await findings(.seed("3G", 1), environment: ["NETCOND_SEED": "many"]) { _ in }
    XCTAssertTrue(wrong.first?.text.hasPrefix("NETCOND_SEED: ") == true, "\(wrong)")
  }
}

/// A plain test case, because the log under test would swallow its failures.
final class GivenUpRunTests: XCTestCase {
  func testARunThatIsRefusedOrNeverEndsKeepsNoLaterAssertion() async throws {
    for body: @Sendable (SimulatedNetwork) async throws -> Void in [
      { _ = try? await $0.session.data(from: URL(string: "https://api.example.com/without-a-stub")!) },
      { _ in await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } },
    ] {
      let run = NetworkRun(
        request: RequestedNetwork(.seed("3G", 1)), file: #filePath, name: name, selector: "", body: body,
        environment: [:])
      let findings = try await run.findings()
      XCTAssertEqual(findings.count, 1)
      XCTAssertNil(AssertionLog.only)
    }
  }
}

final class DyingTests: XCTestCase {
  #if os(Linux)
    func testACrashIsReportedWithItsSeedAndToken() throws {
      let text = try said(by: "DyingTest/testIndexOutOfRange", ends: .uncaughtSignal)
      XCTAssertTrue(
        text.contains(
          " ends a simulated run under \"tunnel\", seed 5\nTo repeat it: NETCOND_SEED=5 or NETCOND_REPLAY=netcond1:"),
        text)
    }

    func testAPlainTestCaseWhoseAssertionsFailInRunsIsAskedToDeriveFromNetworkTestCase() throws {
      let text = try said(by: "PlainTest/testAssertion", ends: .exit)
      XCTAssertTrue(text.contains("2 failed assertions of the runs did not count: derive the test from"), text)
      let explored = try said(by: "PlainTest/testExploredAssertion", ends: .exit)
      XCTAssertTrue(explored.contains("of the runs did not count: derive the test from NetworkTestCase"), explored)
      XCTAssertFalse(explored.contains("No fault"), explored)
    }

    /// Runs this test program again for one test, and returns its output.
    private func said(by test: String, ends expected: Process.TerminationReason) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["NetworkConditionsXCTestTests.\(test)"]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["NETCOND_TEST_DIES": "1", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
      let output = Pipe()
      (process.standardError, process.standardOutput) = (output, output)
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      XCTAssertEqual(process.terminationReason, expected)
      return text
    }
  #endif
}

final class PlainTest: XCTestCase {
  func testAssertion() async throws {
    guard ProcessInfo.processInfo.environment["NETCOND_TEST_DIES"] != nil else { return }
    try await withNetwork("3G", seeds: 0..<2) { _ in XCTAssertEqual(1, 2) }
  }

  func testExploredAssertion() async throws {
    guard ProcessInfo.processInfo.environment["NETCOND_TEST_DIES"] != nil else { return }
    try await withNetwork("3G", everyFault: 1) { network in
      network.stub("/feed", with: .text("feed"))
      _ = try? await network.session.data(from: URL(string: "https://api.example.com/feed")!)
      XCTAssertEqual(1, 2)
    }
  }
}

final class DyingTest: NetworkTestCase {
  func testIndexOutOfRange() async throws {
    guard ProcessInfo.processInfo.environment["NETCOND_TEST_DIES"] != nil else { return }
    try await withNetwork("tunnel", seeds: 0..<9) { network in
      let numbers = [Int](repeating: 0, count: network.seed == 5 ? 0 : 1)
      XCTAssertEqual(numbers[0], 0)
    }
  }
}
