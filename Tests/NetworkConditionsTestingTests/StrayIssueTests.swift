import Foundation
import Internals
import NetworkConditions
import NetworkConditionsTesting
import Testing
import URLLoading

/// Runs this test program again, for expectations that fail in completion handlers while other tests run.
struct StrayIssueTests {
  #if os(Linux)
    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `an expectation that fails in a completion handler fails the test of its run, and no other`() throws {
      let (text, end) = try TestProgram.run("StrayIssueTest", with: ["NETCOND_TEST_STRAYS": "1"])
      #expect(end == .exit)
      let lines = text.split(separator: "\n").filter { !$0.contains("«unknown»") }
      func says(_ words: String...) -> Bool { lines.contains { line in words.allSatisfy(line.contains) } }
      #expect(says("\"one run\" recorded an issue at StrayIssueTests.swift"), "\(text)")
      #expect(says("($0 → nil) != nil, outside of the test's task"), "\(text)")
      #expect(says("1 of 1 point breaks StrayIssueTest.`every fault`"), "\(text)")
      #expect(text.contains("It failed outside of the test's task"), "\(text)")
      #expect(says("\"another run\" passed") && !says("to \"another run\""), "\(text)")
    }
  #endif
}

struct StrayIssueTest {
  private static var isAsked: Bool { ProcessInfo.processInfo.environment["NETCOND_TEST_STRAYS"] != nil }
  /// How many of the tests with failing expectations have ended.
  private static let ended = Locked(0)

  private static func load(_ check: @escaping @Sendable ((any Error)?) -> Void) async throws {
    NetworkUnderTest.network.stub("/feed", with: .json("[]"))
    let session = NetworkUnderTest.session
    let feed = URL(string: "https://api.example.com/feed")!
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      session.dataTask(with: feed) { _, _, error in
        check(error)
        continuation.resume()
      }.resume()
    }
  }

  @Test(.network("3G", seed: 3), .enabled(if: isAsked)) func `one run`() async throws {
    defer { Self.ended.withLock { $0 += 1 } }
    try await Self.load { #expect($0 != nil) }
  }

  @Test(.network("3G", everyFault: 1, of: [.refused]), .enabled(if: isAsked)) func `every fault`() async throws {
    try await Self.load { #expect($0 == nil) }
  }

  @Test(.enabled(if: isAsked)) func `without a network`() async {
    defer { Self.ended.withLock { $0 += 1 } }
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "client").async {
        #expect(Bool(false), "of no network")
        continuation.resume()
      }
    }
  }

  @Test(.network("EDGE", seed: 2), .enabled(if: isAsked)) func `another run`() async throws {
    while Self.ended.value < 2 { try await NetworkUnderTest.clock.sleep(for: .milliseconds(1)) }
  }
}
