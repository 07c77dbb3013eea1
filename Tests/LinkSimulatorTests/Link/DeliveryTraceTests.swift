import LinkSimulator
import Testing

@Suite struct DeliveryTraceTests {
  @Test func `opportunities lie in order within a period`() {
    #expect(DeliveryTrace(offsets: [0, 0, 5], period: .nanoseconds(5)) != nil)
    #expect(DeliveryTrace(offsets: [], period: .seconds(1)) == nil)
    #expect(DeliveryTrace(offsets: [3, 2], period: .seconds(1)) == nil)
    #expect(DeliveryTrace(offsets: [-1], period: .seconds(1)) == nil)
    #expect(DeliveryTrace(offsets: [6], period: .nanoseconds(5)) == nil)
    #expect(DeliveryTrace(offsets: [0], period: .zero) == nil)
    #expect(DeliveryTrace(offsets: [0], period: .seconds(1), bytesPerOpportunity: 0) == nil)
  }

  @Test func `the mean rate is bytes over the period`() throws {
    let trace = try #require(DeliveryTrace(offsets: [0, 1, 2], period: .milliseconds(1)))
    #expect(trace.meanRate == .megabitsPerSecond(36))
    let most = try #require(DeliveryTrace(offsets: [0], period: .nanoseconds(1), bytesPerOpportunity: .max))
    #expect(most.meanRate == .maximum)
  }
}
