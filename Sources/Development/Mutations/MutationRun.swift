#if os(Linux)
  import Dispatch
  import Foundation

  /// Runs the tests against every mutation, several in parallel.
  struct MutationRun {
    struct Verdict {
      var mutation: Mutation
      /// The failure that noticed it; nil if no test did.
      var killer: String?
    }

    let package: MutatedPackage
    let binary: URL

    init(_ package: MutatedPackage) {
      self.package = package
      binary = package.copy.appending(path: ".build/debug/network-conditionsPackageTests.xctest")
    }

    /// Builds the copy with all of its tests, once for all mutations.
    func build() throws -> Bool {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["swift", "build", "--build-tests", "--package-path", package.copy.path]
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0
    }

    /// The duration of each target without a mutation; nil, after a message, if one fails.
    func baseline(_ targets: [String]) throws -> [String: TimeInterval]? {
      var times: [String: TimeInterval] = [:]
      for target in targets {
        let (outcome, seconds) = try TestRun(binary: binary, target: target, mutant: nil, limit: 900).run()
        guard outcome == .passed else {
          say("\(target) fails with no mutation: \(outcome). Mend that first.")
          return nil
        }
        say("\(target) passes with no mutation, in \(Int(seconds)) s.")
        times[target] = seconds
      }
      return times
    }

    /// Tries the mutations with one test process per core.
    func verdicts(on mutations: [Mutation], times: [String: TimeInterval]) -> [Verdict] {
      let tests = Dictionary(uniqueKeysWithValues: package.lists.map { ($0.module, $0.tests) })
      let next = Cursor()
      let found = Found()
      DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
        while let index = next.take(below: mutations.count) {
          let mutation = mutations[index]
          var verdict = Verdict(mutation: mutation)
          for target in tests[mutation.module] ?? [] where verdict.killer == nil {
            let mirroring = package.mirroringSuites(of: mutation, in: target)
            for suites in mirroring.isEmpty ? [[]] : [mirroring, []] where verdict.killer == nil {
              // The limit is generous, since parallel runs are slower than the baseline.
              let limit = (times[target] ?? 60) * 6 + 30
              let run = TestRun(binary: binary, target: target, suites: suites, mutant: mutation.name, limit: limit)
              verdict.killer = Self.killer(try? run.run().outcome, target)
            }
          }
          found.add(verdict, index: index)
          say("\(mutation.name): \(verdict.killer.map { "killed by \($0)" } ?? "LIVES")")
        }
      }
      return found.inOrder
    }

    private static func killer(_ outcome: TestRun.Outcome?, _ target: String) -> String? {
      switch outcome {
      case .failed(let line): line
      case .timedOut: "\(target) does not end"
      case .passed, nil: nil
      }
    }
  }

  private final class Cursor: @unchecked Sendable {
    private let lock = NSLock()
    private var next = 0

    func take(below limit: Int) -> Int? {
      lock.withLock {
        guard next < limit else { return nil }
        defer { next += 1 }
        return next
      }
    }
  }

  private final class Found: @unchecked Sendable {
    private let lock = NSLock()
    private var verdicts: [Int: MutationRun.Verdict] = [:]

    func add(_ verdict: MutationRun.Verdict, index: Int) { lock.withLock { verdicts[index] = verdict } }

    var inOrder: [MutationRun.Verdict] { lock.withLock { verdicts.sorted { $0.key < $1.key }.map(\.value) } }
  }
#endif
