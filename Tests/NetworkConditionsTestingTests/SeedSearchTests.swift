import Foundation
import Internals
import NetworkConditions
import Testing

@testable import NetworkConditionsTesting

struct SeedSearchTests {
  @Test func `a test that always passes runs once for each seed and records no issue`() async throws {
    let seeds = Mutex<[UInt64]>([])
    let issues = try await recorded(.network("flaky", seeds: 10..<30)) {
      seeds.withLock { $0.append(NetworkUnderTest.network.seed) }
      await loadWhatComes()
    }
    #expect(issues.isEmpty)
    #expect(seeds.withLock { $0 } == Array(10..<30))
  }

  @Test func `a search in which no seed meets a fault records a warning that suggests what to change`() async throws {
    let issues = try await recorded(.network("3G", seeds: 0..<4)) { await loadWhatComes() }
    #if compiler(>=6.3)
      #expect(issues.map(\.severity) == [.warning])
      #expect(issues.first?.text.hasPrefix("None of 4 runs met a fault under \"3G\": take") == true, "\(issues)")
    #endif
    #expect(try await recorded(.network("3G", seeds: 0..<1)) { await loadWhatComes() }.isEmpty)
  }

  @Test func `a test without a request records a warning, unless the trait is its suite's`() async throws {
    let trait: NetworkTrait = .network("flaky", seeds: 0..<4)
    let issues = try await recorded(trait) {}
    #if compiler(>=6.3)
      #expect(issues.map(\.severity) == [.warning])
      #expect(issues.first?.text == "None of 4 runs made a request: give the client the network's session.")
    #endif
    let place = trait.sourceLocation
    let before = SourceLocation(fileID: place.fileID, filePath: place.fileID, line: 1, column: 1)
    let elsewhere = SourceLocation(fileID: "Other/File.swift", filePath: place.fileID, line: 9_999, column: 1)
    for suite in [before, elsewhere] {
      #expect(try await recorded(NetworkTrait(trait.request, at: suite)) {}.isEmpty)
    }
  }

  @Test func `a failing seed is one issue that begins with the error, the seed and the fault`() async throws {
    let issues = try await recorded(.network("flaky", seeds: 0..<200), payThreeItems)
    let issue = try #require(issues.first)
    #expect(issues.count == 1)
    #expect(issue.sourceLocation == Test.current?.sourceLocation)
    let lines = issue.lines
    #expect(lines[0] == "Expectation failed: (payments.requests.count → 4) == 3 at Recorded.swift:59")
    #expect(lines[1] == "under \"flaky\", seed 6")
    #expect(lines[2] == "It takes: the 1st POST https://shop.example.com/pay/1: connection reset after 0 bytes down")
    #expect(issue.text.contains("It failed in 10 of 10 runs of this schedule, which all took the same course."))
    #expect(issue.text.contains("POST /pay/0"))
  }

  @Test func `the reproduction in an issue calls the test, and its token fails again`() async throws {
    let issue = try #require(try await recorded(.network("flaky", seeds: 0..<200), payThreeItems).first)
    #expect(
      issue.lines.contains(
        "  try await SeedSearchTests().`the reproduction in an issue calls the test, and its token fails again`()"))
    // Raw identifiers contain no backticks.
    let title = try #require(issue.lines.first { $0.hasPrefix("func `") })
    #expect(
      title.hasPrefix("func `SeedSearchTests.the reproduction in an issue calls the test, and its token fails again "))
    #expect(title.count { $0 == "`" } == 2, "\(title)")
    let line = try #require(issue.lines.first { $0.hasPrefix("@Test(.network(replaying: \"netcond1:") })
    let token = String(line.split(separator: "\"")[1])
    let again = try await recorded(.network(replaying: token), payThreeItems)
    #expect(again.count == 1)
    guard case .expectationFailed = again.first?.kind else {
      Issue.record("\(again)")
      return
    }
  }

  @Test func `a seed that failed in a range also fails alone`() async throws {
    let issues = try await recorded(.network("tunnel", seeds: 0..<400), loadFiveFilesInAHurry)
    let line = try #require(issues.first?.lines[1])
    let seed = try #require(UInt64(line.components(separatedBy: "seed ")[1]))
    #expect(try await recorded(.network("tunnel", seed: seed), loadFiveFilesInAHurry).count == 1)
    // The first phase of the profile `tunnel` is an open track, in which no request fails.
    #expect(try await recorded(.network("tunnel", seed: seed, startsAnywhere: false), loadFiveFilesInAHurry).isEmpty)
  }

  private let loadFiveFilesInAHurry: @Sendable () async throws -> Void = {
    let clock = NetworkUnderTest.clock
    let start = clock.now
    try await loadFiveFiles()
    try #require(clock.now < start.advanced(by: .seconds(5)))
  }

  @Test(arguments: ["expect", "require", "record", "throw", "child", "confirmation"])
  func `every kind of failed check is recorded, also in a child task`(_ way: String) async throws {
    let issues = try await recorded(.network("3G", seeds: 0..<5)) {
      switch way {
      case "expect": #expect(Bool(false))
      case "require": try #require(Bool(false))
      case "record": Issue.record("this is wrong")
      case "throw": throw CocoaError(.fileNoSuchFile)
      case "child": await withTaskGroup(of: Void.self) { group in group.addTask { #expect(Bool(false)) } }
      default: await confirmation { _ in }
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("\nunder \"3G\", seed 0\nIt fails without any fault") == true)
    // A test with arguments cannot be called from another: it gets a trait.
    #expect(issues.first?.text.contains("@Test") == false)
  }

  @Test func `the first line of a recorded issue has its comment`() async throws {
    let issues = try await recorded(.network("3G", seeds: 0..<5)) { Issue.record("the badge is stale") }
    let text = try #require(issues.first?.text)
    #expect(text.hasPrefix("Issue recorded: the badge is stale at SeedSearchTests.swift:"), "\(text)")
    #expect(text.components(separatedBy: "the badge is stale").count == 2, "\(text)")
  }

  @Test(arguments: [1])
  func `the issue of a test with arguments shows a trait to add`(_ argument: Int) async throws {
    let issue = try #require(
      try await recorded(.network("flaky", seeds: 0..<200, capturing: .nothing), payThreeItems).first)
    #expect(issue.text.contains("To repeat it, in the test:\n"))
    #expect(issue.text.contains(".network(replaying: \"netcond1:"))
    #expect(issue.text.hasSuffix("\", capturing: .nothing)"))
  }

  private struct Wordy: Error, CustomStringConvertible {
    let description = "first line\nsecond line"
  }

  @Test func `an error text of several lines becomes one line of the issue`() async throws {
    let issues = try await recorded(.network("3G", seeds: 0..<5)) { throw Wordy() }
    #expect(issues.first?.lines.prefix(2) == ["Wordy: first line second line", "under \"3G\", seed 0"])
  }

  @Test func `a known issue is recorded once and is not a failure`() async throws {
    let issues = try await recorded(.network("flaky", seeds: 0..<20)) {
      await loadWhatComes()
      withKnownIssue("known") { #expect(Bool(false)) }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.isFailure == false)
  }

  @Test func `a test with several clients gives each client its own view of the network`() async throws {
    let issues = try await recorded(.network("flaky", seeds: 0..<200, clients: 4), payThreeItems)
    #expect(issues.count == 1)
    let alone = try await recorded(.network("3G", seeds: 0..<1, clients: 3)) {
      try await loadFiveFiles()
      #expect(NetworkUnderTest.network.timeline.transfers.allSatisfy { $0.client != nil })
    }
    #expect(alone.isEmpty)
    let calls = Mutex(0)
    let replayed = try await recorded(.network(replaying: FaultSchedule("3G"), clients: 3)) {
      calls.withLock { $0 += 1 }
    }
    #expect(replayed.isEmpty && calls.withLock { $0 } == 3)
  }

  @Test func `a simulation inside a test's simulation is an issue that says why`() async throws {
    let nested = try await recorded(.network("3G", seeds: 0..<3)) { _ = try await Simulation("3G") { _ in } }
    #expect(nested.first?.text.hasPrefix("A simulation cannot begin inside another one") == true)
  }

  @Test func `failed seeds are stored in an existing KnownFailures folder and tried first`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("network-\(UUID())")
    let known = folder.appendingPathComponent("KnownFailures")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Tests.swift").path

    _ = try await recorded(.network("flaky", seeds: 0..<200), in: file, payThreeItems)
    #expect(!FileManager.default.fileExists(atPath: known.path))

    try FileManager.default.createDirectory(at: known, withIntermediateDirectories: true)
    _ = try await recorded(.network("flaky", seeds: 0..<200), in: file, payThreeItems)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: known.path).first)
    #expect(name.hasPrefix("SeedSearchTests-"))
    let text = try String(contentsOf: known.appendingPathComponent(name), encoding: .utf8)
    #expect(text.contains("\n\"flaky\" 6 # expectation failed"))

    let seeds = Mutex<[UInt64]>([])
    _ = try await recorded(.network("flaky", seeds: 20..<22), in: file) {
      seeds.withLock { $0.append(NetworkUnderTest.network.seed) }
    }
    #expect(seeds.withLock { $0 } == [6, 20, 21])
  }
}
