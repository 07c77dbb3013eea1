import Testing

@testable import ProfileFormats

struct LogColumnTests {
  @Test(
    arguments: [
      ("time", .time, 1_000_000_000), ("Timestamp_ms", .time, 1_000_000), ("seconds", .time, 1_000_000_000),
      ("t (min)", .time, 60_000_000_000), ("ping", .roundTrip, 1_000_000), ("rtt_s", .roundTrip, 1_000_000_000),
      ("Min RTT (ms)", .roundTrip, 1_000_000), ("Download latency (us)", .roundTrip, 1_000),
      ("DL (Mbit/s)", .down, 1_000_000), ("UL_kbps", .up, 1_000), ("Mbit/s", .down, 1_000_000),
      ("bits/s, upload (GB/s)", .up, 8_000_000_000), ("down (MB/s)", .down, 8_000_000),
      ("download kbytes/s", .down, 8_000), ("bandwidth", .down, 1_000), ("bit rate (bps)", .down, 1),
      ("loss (%)", .loss, 1), ("State", .state, 1),
    ] as [(String, LogColumn.Kind, UInt64)])
  func `a heading of a log names a quantity and then its unit`(heading: String, kind: LogColumn.Kind, factor: UInt64)
    throws
  {
    let column = try #require(LogColumn(heading: heading))
    #expect(column.kind == kind && column.factor == factor)
  }

  @Test(arguments: ["Cell", "", "seconds left", "Mbit/s max", "updown"])
  func `a heading that names no property of a network is not read`(heading: String) {
    #expect(LogColumn(heading: heading)?.kind == nil)
  }
}
