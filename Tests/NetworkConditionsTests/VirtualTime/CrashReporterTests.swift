import Foundation
import Testing

@testable import NetworkConditions

// iOS, tvOS, watchOS and visionOS start no process for a test.
#if os(macOS) || os(Linux)
  @Suite(.enabled(if: CrashReporter.areSpoken)) struct CrashReporterTests {
    enum Death: String, CaseIterable, Codable, Sendable {
      case index, unwrapping, abort, segmentation, arithmetic, overflow

      /// Ends the process in this way.
      func come() {
        let numbers = [Int](repeating: 1, count: Int(rawValue.count) - rawValue.count)
        switch self {
        case .index: print(numbers[3])
        case .unwrapping: print(numbers.first! as Int)
        case .abort: Foundation.abort()
        case .segmentation: print(UnsafePointer<Int>(bitPattern: 8 + numbers.count)!.pointee)
        case .arithmetic: raise(SIGFPE)
        case .overflow: print(Self.depth(numbers.count))
        }
      }

      @inline(never)
      private static func depth(_ number: Int) -> Int { number == .max ? 0 : depth(number + 1) + number % 7 }
    }

    /// On Apple platforms a handler has no separate stack, so a stack overflow is not reported.
    private static var told: [Death] {
      #if canImport(Darwin)
        Death.allCases.filter { $0 != .overflow }
      #else
        Death.allCases
      #endif
    }

    private static func waitForEver() { DispatchSemaphore(value: 0).wait() }

    private static func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    // The closure of an exit test captures nothing before Swift 6.3.
    #if compiler(>=6.3)
      @Test(arguments: told)
      func `a run that ends its process first prints its profile and seed`(_ death: Death) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          [death = death as Death] in
          _ = try await Simulation("3G", seed: 42) { network in
            try await network.clock.sleep(for: .seconds(1))
            death.come()
          }
        }
        let text = Self.text(result)
        #expect(text.contains(#" ends a simulated run under "3G", seed 42\#n"#), "\(text)")
      }
    #endif

    @Test func `a run that crashes after a hundred others have ended is reported, too`() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        for _ in 0..<100 { _ = try await Simulation("3G") { _ in } }
        _ = try await Simulation("3G", seed: 42) { _ in Death.abort.come() }
      }
      let text = Self.text(result)
      #expect(text.contains(#" ends a simulated run under "3G", seed 42\#n"#), "\(text)")
    }

    @Test func `a crash is reported only for the run of the crashing thread`() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await SteppedSimulation("3G", seed: 1).advance(by: .seconds(1))
        let begun = AsyncStream<Void>.makeStream()
        async let other: Void = {
          _ = try await Simulation("EDGE", seed: 2) { _ in
            begun.continuation.finish()
            block(seconds: 20)
          }
        }()
        for await _ in begun.stream {}
        _ = try await Simulation("tunnel", seed: 3) { _ in Death.index.come() }
        try await other
      }
      let text = Self.text(result)
      #expect(text.contains(#" ends a simulated run under "tunnel", seed 3\#n"#), "\(text)")
      #expect(!text.contains("seed 1\n") && !text.contains("seed 2\n"))
    }

    @Test func `a crash on a thread outside of all runs is reported for the open run`() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let simulation = try SteppedSimulation("EDGE", seed: 2, capturing: .nothing)
        // Between two steps the run has no report.
        try await simulation.advance(by: .seconds(1))
        _ = simulation.run { _ in
          Thread { Death.index.come() }.start()
          block(seconds: 20)
        }
        try await simulation.advance(by: .seconds(1))
      }
      let text = Self.text(result)
      let beginning = " ends the process in the middle of a simulated run, on a thread that does not belong to it. "
      #expect(text.contains(beginning + "The run is under \"EDGE\", seed 2\n"), "\(text)")
    }

    @Test func `a crash on a thread outside of all runs is reported for each of two open runs`() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let begun = DispatchSemaphore(value: 0)
        Thread {
          for _ in 0..<2 { begun.wait() }
          Death.index.come()
        }.start()
        try await withThrowingTaskGroup(of: Void.self) { runs in
          for (name, seed) in [("EDGE", UInt64(2)), ("tunnel", 3)] {
            runs.addTask {
              _ = try await Simulation(NetworkProfile.named(name), seed: seed, capturing: .nothing) { _ in
                begun.signal()
                block(seconds: 20)
              }
            }
          }
          try await runs.waitForAll()
        }
      }
      let text = Self.text(result)
      let beginning = " ends the process in the middle of simulated runs, on a thread that belongs to none of them. "
      #expect(text.contains(beginning + "It may be one under "), "\(text)")
      #expect(text.contains("\nOr one under "), "\(text)")
      #expect(text.contains("under \"EDGE\", seed 2\n") && text.contains("under \"tunnel\", seed 3\n"), "\(text)")
    }

    @Test func `a worker process says how it dies, also outside of its runs`() async {
      let result = await #expect(processExitsWith: .exitCode(128 + SIGABRT), observing: [\.standardErrorContent]) {
        CrashReporter.onDeath { name in FileHandle.standardError.write(Data("it died of \(name)".utf8)) }
        abort()
      }
      #expect(Self.text(result).contains("it died of SIGABRT"), "\(Self.text(result))")
    }

    @Test func `a crash on another thread is not reported for an already refused run`() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await #expect(throws: SimulationError.self) {
          try await Simulation(
            "EDGE", seed: 2, capturing: .nothing, options: NetworkOptions(patience: .milliseconds(50))
          ) { _ in
            block(seconds: 3_600)
          }
        }
        Thread { Death.index.come() }.start()
        try await Task.sleep(for: .seconds(20))
      }
      let text = Self.text(result)
      #expect(!text.contains("simulated run") && !text.contains("EDGE\", seed 2\nTo"), "\(text)")
    }

    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `a crash on another thread is not reported for a run that ended as a deadlock`()
      async throws
    {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await #expect(throws: SimulationError.self) {
          try await Simulation("EDGE", seed: 2) { _ in CrashReporterTests.waitForEver() }
        }
        Death.index.come()
      }
      let text = Self.text(result)
      #expect(!text.contains("simulated run") && !text.contains("EDGE\", seed 2\nTo"), "\(text)")
    }

    @Test func `the report of a run with a schedule counts one fault in the singular`() throws {
      let profile = try "3G".networkProfile()
      let outage = ScheduledFault.outage(from: .seconds(2), for: .seconds(20))
      func text(_ faults: [ScheduledFault]) -> String {
        CrashReporter(profile, seed: 1, faults: .replayed(FaultSchedule(profile, faults: faults))).text
      }
      #expect(text([outage]) == "under \"3G\" with a schedule of 1 fault")
      #expect(text([]) == "under \"3G\" with a schedule of 0 faults")
    }

    @Test func `a process that aborts after all runs prints nothing about runs`() async throws {
      let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
        try await SteppedSimulation("3G", seed: 1).advance(by: .seconds(1))
        abort()
      }
      #expect(!Self.text(result).contains("simulated run"))
    }
  }
#endif
