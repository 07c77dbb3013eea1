import Foundation
import NetworkConditions
import NetworkConditionsTesting
import Testing

/// Starts this test program once more for a test that ends its process, and looks at what it says.
@Suite struct DyingTests {
  #if os(Linux)
    @Test func `a trap under the trait is told with the seed and the token`() throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["--testing-library", "swift-testing", "--filter", "DyingTest/"]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["NETCOND_TEST_DIES": "1", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
      let errors = Pipe()
      (process.standardError, process.standardOutput) = (errors, FileHandle.nullDevice)
      try process.run()
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(
        text.contains(
          " ends a simulated run under \"tunnel\", seed 5\nTo repeat it: NETCOND_SEED=5 or NETCOND_REPLAY=netcond1:"),
        "\(text)")
    }
  #endif
}

@Suite(.enabled(if: ProcessInfo.processInfo.environment["NETCOND_TEST_DIES"] != nil)) struct DyingTest {
  @Test(.network("tunnel", seeds: 0..<9)) func `index out of range`() async throws {
    let numbers = [Int](repeating: 0, count: NetworkUnderTest.network.seed == 5 ? 0 : 1)
    #expect(numbers[0] == 0)
  }
}
