import LinkSimulator
import NetworkConditions
import Testing

@testable import FailureSearch

struct PointClassTests {
  private static func instant(_ milliseconds: Int64) -> SimulatedInstant {
    .zero.advanced(by: .milliseconds(milliseconds))
  }

  @Test func `sorting and slicing a class of equivalent faults keeps each fault's place and time`() {
    var points = PointClass(PointClass.Key(transfer: 0, effect: .cutShort))
    let stall = ScheduledFault(.request(RequestMatch(), .stall(after: .zero)))
    for place in [10, 30, 50] as [Int64] { points.add(stall, .stall, at: place, Self.instant(place)) }
    let truncation = ScheduledFault(.request(RequestMatch(), .truncate(after: .zero)))
    for place in [20, 40] as [Int64] { points.add(truncation, .truncate, at: place, Self.instant(place + 1)) }
    func seen(_ points: PointClass) -> [SimulatedInstant] { (0..<points.count).map { points[$0].time } }
    #expect(seen(points) == [10, 30, 50, 21, 41].map(Self.instant))
    points.sortByPlace()
    #expect(seen(points) == [10, 21, 30, 41, 50].map(Self.instant))
    #expect(seen(points[1..<4]) == [30, 21, 41].map(Self.instant))
    #expect(points[1].fault.kind == .request(RequestMatch(), .truncate(after: .bytes(20))))
  }

  @Test func `two points of a class span a byte range only if their fault is the same or the class is sorted`() {
    var points = PointClass(PointClass.Key(transfer: 0, effect: .cutShort))
    let stall = ScheduledFault(.request(RequestMatch(), .stall(after: .zero)))
    for place in [10, 30] as [Int64] { points.add(stall, .stall, at: place, Self.instant(place)) }
    points.add(ScheduledFault(.request(RequestMatch(), .truncate(after: .zero))), .truncate, at: 40, Self.instant(40))
    #expect(points.places(from: 0, to: 1) == 10..<30 && points.places(from: 1, to: 2) == nil)
    points.sortByPlace()
    #expect(points.places(from: 1, to: 2) == 30..<40)
  }

  @Test func `a packet fault moved to place 5 strikes packet number 5`() {
    let packet = PacketName(origin: "x.example:443", connection: 2, direction: .up, number: 0)
    let fault = ScheduledFault(.packet(packet, .lost), via: "wifi").placed(at: 5)
    let struck = PacketName(origin: "x.example:443", connection: 2, direction: .up, number: 5)
    #expect(fault == ScheduledFault(.packet(struck, .lost), via: "wifi"))
  }
}
