import Foundation
import NetworkConditionsTesting
import Testing

/// Runs this test program again for failing tests, and checks their attachments.
struct AttachmentTests {
  #if os(Linux)
    @Test(arguments: [("seeds", "AttachingTest-seeds"), ("one seed", "AttachingTest-the-one-seed-fails")])
    func `a failing seed attaches its page, timeline, token and faults, each with the test's name`(
      _ way: String, test: String
    ) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "attachments-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (text, end) = try TestProgram.run(
        "AttachingTest", with: ["NETCOND_TEST_ATTACHES": way], ["--attachments-path", folder.path])
      #expect(end == .exit)

      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      let expected = ["fault-schedule.json", "replay-token.txt", "timeline.html", "timeline.txt"]
      #expect(names == expected.map { "\(test)-\($0)" }, "\(text)")
      let page = try String(contentsOf: folder.appending(path: "\(test)-timeline.html"), encoding: .utf8)
      #expect(page.hasPrefix("<!doctype html>") && page.contains("/pay/1"))
    }
  #endif
}

struct AttachingTest {
  private static func isAsked(_ way: String) -> Bool {
    ProcessInfo.processInfo.environment["NETCOND_TEST_ATTACHES"] == way
  }

  @Test(.network("flaky", seeds: 0..<200), .enabled(if: isAsked("seeds")))
  func seeds() async throws { try await payThreeItems() }

  @Test(.network("flaky", seed: 6), .enabled(if: isAsked("one seed")))
  func `the one seed fails`() async throws { try await payThreeItems() }
}
