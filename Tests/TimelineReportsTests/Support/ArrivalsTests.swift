import NetworkConditions
import Testing

@testable import TimelineReports

@Suite struct ArrivalsTests {
  @Test(arguments: [1, 7, 250])
  func `all that arrived is there, however fine the stretches`(count: Int) async throws {
    let timeline = try await SampleNetworks.ride(16)
    let arrivals = Arrivals(timeline.transfers, in: timeline.extent, count: count, until: timeline.time)
    let received = timeline.transfers.reduce(0) { $0 + $1.bytesReceived }
    #expect(abs(arrivals.bytes.reduce(0, +) - Double(received)) < 1)
    #expect(arrivals.bytes.count == count)
  }

  @Test func `ticks are round and labelled to their step`() {
    let scale = TimeScale(extent: 3_600_100_000_000...3_600_900_000_000)
    #expect(scale.ticks(4).map(\.label) == ["3600.2 s", "3600.4 s", "3600.6 s", "3600.8 s"])
    #expect(TimeScale(extent: 0...40_000_000).ticks(4).map(\.label) == ["0 ms", "10 ms", "20 ms", "30 ms", "40 ms"])
    #expect(TimeScale(extent: 0...1_000).ticks(2).map(\.label) == ["0.0000 ms", "0.0005 ms", "0.0010 ms"])
  }
}
