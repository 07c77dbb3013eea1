import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import FailureSearch

struct KnownFailuresTests {
  struct Broken: Error {}

  /// A temporary folder, removed at the test's end.
  private static func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("known-failures-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func `a failed seed is stored in a file and tried first in the next search`() async throws {
    try await Self.withFolder { folder in
      var search = try FailureSearch("3G", seeds: 0..<50)
      search.known = KnownFailures(folder: folder, name: "check out()")
      search.workers = 1
      let seeds = Mutex<[UInt64]>([])
      let body: @Sendable (SimulatedNetwork) async throws -> Void = { network in
        seeds.withLock { $0.append(network.seed) }
        if network.seed == 33 { throw Broken() }
      }
      _ = try await search.run(body)
      let file = folder.appendingPathComponent("check-out--.seeds")
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.hasSuffix("\"3G\" 33 # Broken()\n"))
      seeds.withLock { $0 = [] }
      let report = try await search.run(body)
      #expect(seeds.withLock { $0.first } == 33)
      #expect(report.runs == 1)
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
  }

  @Test func `a failed seed gets its own line in a file that lacks its last line end`() async throws {
    try await Self.withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var search = try FailureSearch("3G", seeds: 0..<3)
      search.known = KnownFailures(folder: folder, name: "x")
      let file = try #require(search.known?.file)
      try Data("\"3G\" 7 # repaired".utf8).write(to: file)
      _ = try await search.run { network in if network.seed == 2 { throw Broken() } }
      #expect(try String(contentsOf: file, encoding: .utf8) == "\"3G\" 7 # repaired\n\"3G\" 2 # Broken()\n")
    }
  }

  @Test func `a search without failures writes no file of known failures`() async throws {
    try await Self.withFolder { folder in
      var search = try FailureSearch("3G", seeds: 0..<3)
      search.known = KnownFailures(folder: folder, name: "x")
      _ = try await search.run { _ in }
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
  }

  @Test(arguments: [
    "3G 33", "\"3G\"", "\"3G\" x # y", "\"3G 33", "\"3G\" 99999999999999999999",
  ])
  func `a malformed line in a file of known failures is reported with its number`(_ line: String) async throws {
    try await Self.withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("x.seeds")
      try Data("# a comment\n\n\(line)\n".utf8).write(to: file)
      var search = try FailureSearch("3G", seeds: 0..<3)
      search.known = KnownFailures(file: file)
      let reason = "line 3 is \"\(line)\"; write for example \"tunnel\" 42 # what failed"
      await #expect(throws: FailureSearchError.knownFailures(file: file.path, reason: reason)) {
        try await search.run { _ in }
      }
    }
  }

  @Test func `a known failure under a profile name with quotation marks is found again`() async throws {
    try await Self.withFolder { folder in
      let profile = NetworkProfile(name: #"a "b" \c"#)
      var search = FailureSearch(profile, seeds: 0..<3)
      search.known = KnownFailures(folder: folder, name: "x")
      _ = try await search.run { network in if network.seed == 2 { throw Broken() } }
      #expect(try await search.run { network in if network.seed == 2 { throw Broken() } }.runs == 1)
    }
  }

  @Test func `a known failure is run and counted once even if the search includes its seed`() async throws {
    try await Self.withFolder { folder in
      var search = try FailureSearch("3G", "4G", seeds: 0..<20, until: .allFailures)
      search.known = KnownFailures(folder: folder, name: "x")
      let runs = Mutex<[String]>([])
      let body: @Sendable (SimulatedNetwork) async throws -> Void = { network in
        runs.withLock { $0.append("\(network.timeline.profile) \(network.seed)") }
        if [7, 8].contains(network.seed), network.timeline.profile == "4G" { throw Broken() }
        if network.seed == 0 { throw URLError(.badURL) }
      }
      _ = try await search.run(body)
      let first = runs.withLock { runs in
        defer { runs = [] }
        return Set(runs)
      }
      let report = try await search.run(body)
      #expect(report.runs == 40 && report.failures.map(\.seedCount).sorted() == [2, 2])
      #expect(runs.withLock { Set($0) }.isSuperset(of: first))
      #expect("\(report)".contains("in 2 of 40 runs"), "\(report)")
    }
  }

  @Test func `a known failure that stands twice in its file is run once`() async throws {
    try await Self.withFolder { folder in
      var search = try FailureSearch("3G", seeds: 5..<6, until: .allFailures)
      let known = KnownFailures(folder: folder, name: "x")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("\"3G\" 2 # a\n\"3G\" 2 # b\n".utf8).write(to: known.file)
      search.known = known
      #expect(try await search.run { _ in }.runs == 2)
    }
  }

  @Test func `the file of a search has the search's name without the characters that a file system refuses`() {
    func name(_ name: String) -> String {
      KnownFailures(folder: URL(fileURLWithPath: "/x"), name: name).file.lastPathComponent
    }
    #expect(name("a_b-c é/09.x") == "a_b-c-é-09-x.seeds")
    // One byte and 80 characters of three bytes are 241 bytes.
    #expect(name("a" + String(repeating: "通", count: 80)) == "a" + String(repeating: "通", count: 79) + ".seeds")
    // At most 120 characters and 240 bytes.
    for (character, count) in [("a", 120), ("é", 120), ("通", 80), ("𠮷", 60)] {
      #expect(name(String(repeating: character, count: 200)) == String(repeating: character, count: count) + ".seeds")
    }
  }

  @Test func `known failures in a file with Windows line ends are tried first`() async throws {
    try await Self.withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var search = try FailureSearch("3G", seeds: 0..<9)
      search.known = KnownFailures(folder: folder, name: "x")
      let file = try #require(search.known?.file)
      try Data("# a comment\r\n\"3G\" 7 # Broken\r\n\"3G\" 8\r\n".utf8).write(to: file)
      #expect(try await search.run { network in if network.seed == 7 { throw Broken() } }.runs == 1)
    }
  }

  // iOS, tvOS, watchOS and visionOS start no process for a test, and its closure captures nothing before Swift 6.3.
  #if compiler(>=6.3) && (os(macOS) || os(Linux))
    @Test(.enabled(if: CrashReporter.areSpoken))
    func `a seed that crashes the process is reported with its token and tried first next time`() async throws {
      try await Self.withFolder { folder in
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.path
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          [path = path as String] in
          var search = try FailureSearch("tunnel", seeds: 0..<50)
          search.known = KnownFailures(folder: URL(fileURLWithPath: path), name: "feed")
          _ = try await search.run { network in
            let numbers = [Int](repeating: 0, count: network.seed == 33 ? 0 : 1)
            print(numbers[0])
          }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let word = try #require(text.components(separatedBy: "NETCOND_REPLAY=").dropFirst().first, "\(text)")
        #expect(
          text.contains(
            " ends a simulated run under \"tunnel\", seed 33\nTo repeat it: NETCOND_SEED=33 or NETCOND_REPLAY=netcond1:"
          ))
        let profile = try NetworkProfile.named("tunnel")
        #expect(
          try ReplayToken(word.components(separatedBy: "\n")[0])
            == ReplayToken(profile, seed: 33, start: profile.drawnStart(33)))

        let file = folder.appendingPathComponent("feed.seeds")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3 && lines.last == "\"tunnel\" 33 # it ended the process", "\(lines)")
        var search = try FailureSearch("tunnel", seeds: 0..<50)
        search.known = KnownFailures(file: file)
        let report = try await search.run { network in if network.seed == 33 { throw Broken() } }
        #expect(report.runs == 1)
      }
    }
  #endif
}
