import NetworkConditions
import Testing

@testable import FailureSearch

struct ReplayCodeTests {
  @Test(arguments: [
    (0, "survives this: no fault"), (1, "survives this: the 1st GET /0: connection refused"),
    (2, "survives this: the 1st GET /0: connection refused and 1 more"),
    (3, "survives this: the 1st GET /0: connection refused and 2 more"),
  ])
  func `the name of a test that repeats a failure tells the first fault and counts the rest`(count: Int, name: String)
    throws
  {
    let faults = (0..<count).map { ScheduledFault.request(.get, "/\($0)", .refused) }
    let code = ReplayCode(title: "Test") { "\($0.comments)\($0.name)" }
    let text = code.section(try FaultSchedule("3G", faults: faults), clients: 1, capturing: .nothing)
    #expect(text == "Test:\n\(faults.map { "// \($0)\n" }.joined())\(name)")
  }

  @Test(arguments: [(95, "the 1st GET /\(String(repeating: "a", count: 86)):"), (200, "the 1st GET")])
  func `a long fault is cut between two words in the name of a test`(length: Int, name: String) throws {
    let fault = ScheduledFault.request(.get, "/\(String(repeating: "a", count: length - 9))", .refused)
    let code = ReplayCode(title: "Test") { $0.name }
    let text = code.section(try FaultSchedule("3G", faults: [fault]), clients: 1, capturing: .nothing)
    #expect(text == "Test:\nsurvives this: \(name)")
  }
}
