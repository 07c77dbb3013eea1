import Foundation
import NetworkConditions
import Testing
import Thoroughness
import URLLoading

@testable import FailureSearch
@testable import NetworkConditionsTesting

/// Runs this test program again for tests whose clients end their processes, and checks its output.
struct WorkerTests {
  #if os(Linux) && compiler(>=6.3)
    @Test(.enabled(if: !Thoroughness.isSanitized))
    func `a client that crashes at some seeds is one shrunk issue and does not end the test program`() async throws {
      let text = try await said(by: "traps")
      #expect(text.contains("The client ended its process (SIG"), "\(text)")
      #expect(text.contains("Index out of range"), "\(text)")
      #expect(text.contains("It takes: "), "\(text)")
      #expect(text.contains("@Test(.network(replaying: \"netcond1:"), "\(text)")
      #expect(text.contains("with 1 issue"), "\(text)")
    }

    /// Real time limits, which a busy machine exceeds.
    @Test(.enabled(if: Thoroughness.isWhole))
    func `a client that exits, hangs or takes too much memory is an issue with the cause`() async throws {
      let text = try await said(by: "other ends")
      #expect(text.contains("The client ended its process (an exit of its own)"), "\(text)")
      #expect(text.contains("The client has not returned after 1.0 seconds of real time"), "\(text)")
      #expect(text.contains("The client used more than 300 MiB of memory"), "\(text)")
      #expect(text.contains("Nothing has moved for 0.3 seconds of real time"), "\(text)")
      #expect(text.contains("with 4 issues"), "\(text)")
      // The crash happened again, although the faults of its run are unknown.
      #expect(!text.contains("but gave \"The client ended its process"), "\(text)")
    }

    @Test func `an exploration continues after a client has crashed`() async throws {
      let text = try await said(by: "explored")
      #expect(text.contains(": Precondition failed: there is no such status, at "), "\(text)")
      #expect(text.contains("@Test(.network(replaying: \"netcond1:"), "\(text)")
      // A timeout has the same text in each process, so the failure is recognised and shrunk.
      #expect(text.contains("Code=-1001"), "\(text)")
      #expect(text.contains("It failed in 2 of 2 runs"), "\(text)")
      #expect(text.contains("with 2 issues"), "\(text)")
    }

    @Test func `arguments and worker processes for the same test record an issue with the reason`() async throws {
      #expect(try await said(by: "arguments").contains("a test with arguments cannot have its own process"))
    }

    @Test func `a worker process runs no test whose name begins like the one that it is for`() throws {
      let test = try #require(Test.current)
      let pattern = try #require(try test.workers(.processes(2)).processes?.arguments?.last)
      let name = "\(test.id.moduleName).\(test.id.nameComponents.joined(separator: "/"))"
      let isRun = ["/WorkerTests.swift:1:2", "", "2"].map {
        (name + $0).range(of: pattern, options: .regularExpression) != nil
      }
      #expect(isRun == [true, true, false])
    }

    private func said(by test: String) async throws -> String {
      let (text, end) = try TestProgram.run("WorkerTest", with: ["NETCOND_TEST_WORKER": test])
      #expect(end == .exit)
      return text
    }
  #endif
}

struct WorkerTest {
  private static func isAsked(_ test: String) -> Bool {
    ProcessInfo.processInfo.environment["NETCOND_TEST_WORKER"] == test
  }

  /// Loads three files, and expects each response to be complete.
  private static func load() async throws {
    NetworkUnderTest.network.stub("/files/*", with: .bytes(count: 20_000))
    for number in 0..<3 {
      let url = URL(string: "https://api.example.com/files/\(number)")!
      let data = try? await NetworkUnderTest.session.data(from: url).0
      _ = Array(data ?? Data())[19_999]
    }
  }

  @Test(.network("flaky", seeds: 0..<60, workers: .processes(2)), .enabled(if: isAsked("traps")))
  func traps() async throws { try await Self.load() }

  @Test(
    .network("3G", everyFault: 1, of: [.status, .connectTimeout], workers: .processes(2)),
    .enabled(if: isAsked("explored")))
  func `the client crashes at status 404`() async throws {
    NetworkUnderTest.network.stub("/state", with: .text("on"))
    let url = try #require(URL(string: "https://api.example.com/state"))
    let (_, response) = try! await NetworkUnderTest.session.data(from: url)
    precondition((response as? HTTPURLResponse)?.statusCode != 404, "there is no such status")
  }

  @Test(.network("3G", seeds: 0..<9, workers: .processes(1)), .enabled(if: isAsked("other ends")))
  func leaves() async throws { if NetworkUnderTest.network.seed == 5 { exit(0) } }

  @Test(
    .network("3G", seeds: 0..<9, workers: .processes(1, timeLimit: .seconds(1))), .enabled(if: isAsked("other ends")))
  func `the client loops for ever`() async throws { while NetworkUnderTest.network.seed == 5 {} }

  @Test(
    .network(
      "3G", seeds: 0..<9, capturing: .nothing, options: NetworkOptions(patience: .milliseconds(300)),
      workers: .processes(1)), .enabled(if: isAsked("other ends")))
  func blocks() async throws { if NetworkUnderTest.network.seed == 5 { block() } }

  @Test(
    .network("3G", seeds: 0..<9, workers: .processes(1, memoryLimit: 314_572_800)), .enabled(if: isAsked("other ends")))
  func eats() async throws {
    var food: [[UInt8]] = []
    while NetworkUnderTest.network.seed == 5 { food.append([UInt8](repeating: 1, count: 1 << 20)) }
    #expect(food.isEmpty)
  }

  @Test(.network("3G", seeds: 0..<9, workers: .processes(1)), .enabled(if: isAsked("arguments")), arguments: [1])
  func arguments(_ number: Int) {}
}

private func block() { DispatchSemaphore(value: 0).wait() }
