import Foundation
import Testing

@testable import NetworkConditions

@Suite struct ScheduledFaultTests {
  @Test(arguments: [
    (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (12, "12th"), (13, "13th"),
    (21, "21st"), (22, "22nd"), (23, "23rd"), (101, "101st"), (111, "111th"), (112, "112th"), (113, "113th"),
  ])
  func `a request's occurrence is written as an English ordinal`(number: Int, text: String) {
    #expect(number.ordinal == text)
  }

  @Test(arguments: [
    ScheduledFault.Kind.cancellation(at: .seconds(1)), .kill(.at(.seconds(1))), .powerLoss(.afterFileChange(2)),
    .brownOut(from: .seconds(1), for: .seconds(2)), .clockJump(by: .seconds(60), at: .seconds(1)),
  ])
  func `a schedule can be read back, even if a fault without a path names a profile`(kind: ScheduledFault.Kind) throws {
    let schedule = try FaultSchedule("3G", faults: [ScheduledFault(kind, via: "WiFi")])
    let copy = try FaultSchedule(json: Data(schedule.formatText.utf8))
    #expect(copy.faults == [ScheduledFault(kind)])
  }
}
