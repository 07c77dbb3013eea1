import Foundation
import Internals
import NetworkConditions
import NetworkConditionsTesting
import Testing
import Thoroughness

/// Runs this test program again for a test that ends its process, and checks its output.
struct DyingTests {
  #if os(Linux)
    @Test(.enabled(if: !Thoroughness.isSanitized))
    func `a crash under the network trait is reported with its seed and token`() throws {
      let text = try said(by: "index out of range")
      #expect(
        text.contains(
          " ends a simulated run under \"tunnel\", seed 5\nTo repeat it: NETCOND_SEED=5 or NETCOND_REPLAY=netcond1:"),
        "\(text)")
      #expect(
        text.contains(
          """
          It is a run of DyingTest.`the client reads an array index out of range`.
          With `workers: .processes()` a trap is a failure like any other: it is cut down, and the tests go on.
          """), "\(text)")
    }

    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `a crash on a captured thread is reported for its own run while other tests run`() throws {
      let text = try said(by: "own thread")
      #expect(text.contains(" ends a simulated run under \"tunnel\", seed 5\n"), "\(text)")
      #expect(!text.contains("under \"EDGE\""), "\(text)")
    }

    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `a test that waits for ever records an issue and the next tests run`() throws {
      let text = try said(by: "nobody resumes", ends: .exit)
      #expect(text.contains("Nothing can happen any more at 0.000000 s of virtual time"), "\(text)")
      #expect(text.contains("Test run with ") && !text.contains("cannot be ended"), "\(text)")
    }

    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `a test that computes for ever records an issue and then ends the process with a reason`() throws {
      let text = try said(by: "never waits", ends: .exit)
      let issue = try #require(text.range(of: "Issue recorded"), "\(text)")
      let words = "The test DyingTest.`a client counts for ever` cannot be ended: 1.0 s"
      let end = try #require(text.range(of: words), "\(text)")
      #expect(issue.upperBound < end.lowerBound)
      #expect(text[issue.upperBound..<end.lowerBound].contains("under \"3G\", seed 1\n"))
      #expect(text.hasSuffix(" (netcond explain unended-test)\n"), "\(text)")
    }

    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `in a worker process a test that waits for ever fails and the other seeds are tried`() throws {
      let text = try said(by: "nobody resumes in processes", ends: .exit)
      #expect(text.contains("Nothing can happen any more at 0.000000 s of virtual time"), "\(text)")
      #expect(text.contains("It fails without any fault") && text.contains(" failed after "), "\(text)")
    }

    @Test(.enabled(if: CaptureMode.obstacle == nil))
    func `a process can be awaited after a simulation was refused because it started one`() throws {
      #expect(try said(by: "another process", ends: .exit).contains(" passed after "))
    }

    private func said(by test: String, ends expected: Process.TerminationReason = .uncaughtSignal) throws -> String {
      let (text, end) = try TestProgram.run(
        "DyingTest", with: ["NETCOND_TEST_DIES": test, "SWIFT_BACKTRACE": "enable=no"])
      #expect(end == expected)
      return text
    }
  #endif
}

struct DyingTest {
  private static func isAsked(_ test: String) -> Bool {
    ProcessInfo.processInfo.environment["NETCOND_TEST_DIES"] == test
  }

  @Test(.network("tunnel", seeds: 0..<9), .enabled(if: isAsked("index out of range")))
  func `the client reads an array index out of range`() async throws {
    let numbers = [Int](repeating: 0, count: NetworkUnderTest.network.seed == 5 ? 0 : 1)
    #expect(numbers[0] == 0)
  }

  @Test(.network("tunnel", seeds: 5..<6), .enabled(if: isAsked("own thread")))
  func `a thread of the client reads an array index out of range`() async throws {
    // Polls instead of waiting: a run woken by another run would continue on that run's thread.
    while !Self.otherRuns.value { try await NetworkUnderTest.clock.sleep(for: .milliseconds(1)) }
    let numbers: [Int] = NetworkUnderTest.network.seed == 5 ? [] : [0]
    await withCheckedContinuation { waiter in
      DispatchQueue(label: "client").asyncAfter(deadline: .now() + 1) {
        let thread = Thread { print(numbers[0]) }
        thread.start()
        Thread.sleep(forTimeInterval: 1)
        waiter.resume()
      }
    }
  }

  @Test(.network("EDGE", seed: 2), .enabled(if: isAsked("own thread")))
  func another() async throws {
    Self.otherRuns.withLock { $0 = true }
    // Runs until the other test ends the process.
    while true { try await NetworkUnderTest.clock.sleep(for: .milliseconds(1)) }
  }

  private static let otherRuns = Locked(false)

  #if os(Linux)
    @Test(.enabled(if: isAsked("another process"))) func `a process starts after a refused simulation`() async throws {
      // Ends this program if it waits for ever.
      alarm(60)
      let program = URL(fileURLWithPath: "/bin/true")
      await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1) { _ in try Process.run(program, arguments: []) }
      }
      let process = try Process.run(program, arguments: [])
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  #endif

  #if os(Linux)
    @Test(
      .network("3G", seeds: 0..<9, workers: .processes(1)), .enabled(if: isAsked("nobody resumes in processes")))
    func `nobody resumes a continuation in a worker process`() async throws {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  #endif

  @Test(
    .network("3G", seed: 1, options: NetworkOptions(patience: .milliseconds(200))), .enabled(if: isAsked("never waits"))
  )
  func `a client counts for ever`() {
    // Behind a lock, so that no optimizer removes the loop.
    while Self.counted.value < .max { Self.counted.withLock { $0 &+= 1 } }
  }

  private static let counted = Locked<UInt64>(0)

  @Test(.network("3G", seed: 1), .enabled(if: isAsked("nobody resumes")))
  func `nobody resumes a continuation`() async throws {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}
