import NetworkConditions
import Testing

@testable import FailureSearch

struct FaultSpanTests {
  @Test func `joining two outages gives one from the earlier start to the later end`() {
    let (long, short, endless) = (FaultSpan(10, 90), FaultSpan(20, 30), FaultSpan(50, nil))
    #expect(long.joined(short) == FaultSpan(10, 90) && short.joined(long) == FaultSpan(10, 90))
    #expect(FaultSpan(0, 5).joined(short) == FaultSpan(0, 50))
    #expect(endless.joined(short) == FaultSpan(20, nil) && short.joined(endless) == FaultSpan(20, nil))
  }

  @Test func `shrinking an outage tries a shorter one at its beginning, end and middle`() throws {
    let outage = ScheduledFault.outage(from: .seconds(10), for: .seconds(8))
    let tried = outage.weaker.compactMap(\.span)
    let length = try #require(tried.first?.length)
    let (start, end) = (Int64(10_000_000_000), Int64(18_000_000_000))
    #expect(
      tried.prefix(3).map(\.start) == [start, end - length, start + (end - length - start) / 2])
    #expect(tried.prefix(3).allSatisfy { $0.length == length })
  }
}
