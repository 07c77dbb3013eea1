import Testing

@testable import NetworkConditions
@testable import TimelineReports

struct ArrivalsTests {
  @Test(arguments: [1, 7, 250])
  func `the received bytes in all slices add up to the bytes of all transfers`(count: Int) async throws {
    let timeline = try await SampleNetworks.ride(16)
    let arrivals = Arrivals(timeline.transfers, in: timeline.extent, count: count, until: timeline.time)
    let received = timeline.transfers.reduce(0) { $0 + $1.bytesReceived }
    #expect(abs(arrivals.bytes.reduce(0, +) - Double(received)) < 1)
    #expect(arrivals.bytes.count == count)
  }

  /// A transfer that receives these bytes at these milliseconds; its history has slices of 10 ms.
  private func transfer(_ arrivals: [(at: Int64, bytes: Int64)], firstByte: Int64? = nil, ended: Int64?) -> Transfer {
    func instant(_ milliseconds: Int64) -> SimulatedInstant { SimulatedInstant(nanoseconds: milliseconds * 1_000_000) }
    var transfer = Transfer(
      number: 0, method: "GET", url: "http://a.example/", occurrence: 1, profile: "p", started: .zero)
    for arrival in arrivals { transfer.rate.add(arrival.bytes, at: instant(arrival.at)) }
    (transfer.firstByte, transfer.ended) = (firstByte.map(instant), ended.map(instant))
    return transfer
  }

  /// The bytes in each of `count` equal intervals, which together last 50 ms.
  private func bytes(_ transfer: Transfer, count: Int = 5, until now: Int64 = 50) -> [Double] {
    Arrivals(
      [transfer], in: 0...50_000_000, count: count, until: SimulatedInstant(nanoseconds: now * 1_000_000)
    ).bytes
  }

  @Test func `received bytes count in the slice in which they arrived`() {
    #expect(bytes(transfer([(0, 100)], ended: 50)) == [100, 0, 0, 0, 0])
    #expect(bytes(transfer([(10, 100)], ended: 50)) == [0, 100, 0, 0, 0])
    #expect(bytes(transfer([(19, 100), (40, 30)], ended: 50)) == [0, 100, 0, 0, 30])
  }

  @Test func `received bytes count between the first byte and the end of their transfer`() {
    // The first byte came at 15 ms, so the bytes of the slice from 10 to 20 ms lie in its second half.
    #expect(bytes(transfer([(15, 100)], firstByte: 15, ended: 50), count: 10) == [0, 0, 0, 100, 0, 0, 0, 0, 0, 0])
    #expect(bytes(transfer([(12, 100)], firstByte: 10, ended: 15), count: 10) == [0, 0, 100, 0, 0, 0, 0, 0, 0, 0])
    // A transfer without an end yet ends now.
    #expect(bytes(transfer([(12, 100)], firstByte: 10, ended: nil), count: 10, until: 15)[2...3] == [100, 0])
  }

  @Test func `bytes of a slice that overlaps two chart intervals are divided between them by time`() {
    // Stretches of 12.5 ms: a quarter of the slice from 10 to 20 ms lies in the first.
    #expect(bytes(transfer([(10, 100)], firstByte: 10, ended: 50), count: 4) == [25, 75, 0, 0])
    // Bytes at the very end count in the last interval.
    #expect(bytes(transfer([(50, 100)], firstByte: 50, ended: 50)) == [0, 0, 0, 0, 100])
  }

  @Test func `a received rate is in bits per second`() {
    let arrivals = Arrivals([transfer([(0, 100)], ended: 50)], in: 0...50_000_000, count: 5, until: .zero)
    // 100 bytes in 10 ms are 80 kbit/s.
    #expect(arrivals.bitsPerSecond == [80_000, 0, 0, 0, 0])
  }

  @Test func `the drawn bytes do not depend on where the picture begins`() {
    let one = transfer([(20, 100)], firstByte: 20, ended: 50)
    let arrivals = Arrivals([one], in: 20_000_000...40_000_000, count: 2, until: .zero)
    #expect(arrivals.bytes == [100, 0])
  }

  @Test(arguments: [
    (0 as Int64, 0.0), (250, 250), (500, 500), (1_000, 1_000), (-5, 0), (2_000, 1_000),
  ])
  func `a time in the picture becomes a position from 0 to 1000`(time: Int64, place: Double) {
    #expect(TimeScale(extent: 0...1_000).place(time) == place)
    #expect(TimeScale(extent: 7_000...8_000).place(time + 7_000) == place)
    #expect(TimeScale(extent: 0...1_000).percent(time) == TimeScale.percent(place / 1_000))
  }

  @Test(arguments: [(1_030_000_000, true), (1_050_000_000, false)] as [(Int64, Bool)])
  func `a label near the right end of the time axis is moved to the left`(end: Int64, isMoved: Bool) {
    let labels = TimeScale(extent: 0...end).labels(2)
    #expect(labels.contains("1 s</span>") && labels.contains("last\"") == isMoved, "\(labels)")
  }

  @Test func `marks at one position are drawn once`() {
    let scale = TimeScale(extent: 0...1_000)
    #expect(scale.marks("loss", [5, 5, 7, 5], from: 2, to: 6) == #"<path class="loss" d="M5 2v4M7 2v4M5 2v4"/>"#)
  }
  @Test func `a time axis that ends at a second has labels in seconds`() {
    #expect(TimeScale(extent: 0...1_000_000_000).ticks(2).map(\.label).last == "1.0 s")
    #expect(TimeScale(extent: 0...999_999_999).ticks(2).map(\.label).last?.hasSuffix(" ms") == true)
  }

  @Test func `a time axis has round ticks with as many decimals as they need`() {
    let scale = TimeScale(extent: 3_600_100_000_000...3_600_900_000_000)
    #expect(scale.ticks(4).map(\.label) == ["3600.2 s", "3600.4 s", "3600.6 s", "3600.8 s"])
    #expect(TimeScale(extent: 0...40_000_000).ticks(4).map(\.label) == ["0 ms", "10 ms", "20 ms", "30 ms", "40 ms"])
    #expect(TimeScale(extent: 0...1_000).ticks(2).map(\.label) == ["0.0000 ms", "0.0005 ms", "0.0010 ms"])
  }
}
