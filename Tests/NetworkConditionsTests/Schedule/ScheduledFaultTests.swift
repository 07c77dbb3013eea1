import Foundation
import Testing

@testable import NetworkConditions

struct ScheduledFaultTests {
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
    .suspension(from: .seconds(1), for: .seconds(2)),
  ])
  func `a schedule can be read back, even if a fault without a path names a profile`(kind: ScheduledFault.Kind) throws {
    let schedule = try FaultSchedule("3G", faults: [ScheduledFault(kind, via: "WiFi")])
    let copy = try FaultSchedule(json: Data(schedule.formatText.utf8))
    #expect(copy.faults == [ScheduledFault(kind)])
  }

  @Test(arguments: [
    (
      ScheduledFault.Kind.phase("tunnel", from: .seconds(1), for: nil),
      "from 1 s on, for ever via \"WiFi\": phase \"tunnel\""
    ),
    (
      .outage(.refuse, from: .seconds(1), for: .seconds(2)),
      "from 1 s on, for 2 s via \"WiFi\": the network is out, and the system knows it"
    ),
    (
      .outage(.drop, from: .zero, for: .seconds(2)),
      "from 0 ms on, for 2 s via \"WiFi\": the network is out, packets vanish"
    ),
    (
      .request(RequestMatch(path: "/pay", method: "POST", nth: 2), .refused),
      "the 2nd POST /pay via \"WiFi\": \(RequestFault.refused)"
    ),
    (.request(RequestMatch(), .refused), "each request via \"WiFi\": \(RequestFault.refused)"),
    (.clockJump(by: .seconds(-60), at: .seconds(1)), "at 1 s: the device's clock jumps 60 s back"),
    (.clockJump(by: .seconds(60), at: .seconds(1)), "at 1 s: the device's clock jumps 60 s ahead"),
    (.suspension(from: .seconds(1), for: .seconds(2)), "from 1 s on, for 2 s: the app is suspended"),
    (.kill(.afterFileChange(2)), "after the 2nd change of its files: the client is killed"),
    (.powerLoss(.at(.seconds(3))), "at 3 s: the power fails"),
  ])
  func `a fault's text says when it happens, where and what it does`(kind: ScheduledFault.Kind, text: String) {
    #expect(ScheduledFault(kind, via: "WiFi").description == text)
  }
}
