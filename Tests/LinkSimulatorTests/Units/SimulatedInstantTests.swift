import LinkSimulator
import Testing

struct SimulatedInstantTests {
  @Test func `sums and differences of extreme times saturate instead of overflowing`() {
    let longest = Duration.seconds(Int64.max) + .seconds(Int64.max)
    #expect(longest.wholeNanoseconds == .max)
    #expect((.zero - longest).wholeNanoseconds == .min)
    #expect(Duration.nanoseconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.nanoseconds(Int64.max - 1).wholeNanoseconds == .max - 1)
    #expect(Duration.nanoseconds(Int64.min + 1).wholeNanoseconds == .min + 1)
    #expect(SimulatedInstant.endOfTime.advanced(by: longest) == .distantFuture)
    let past = SimulatedInstant(nanoseconds: .min)
    #expect(past.duration(to: .distantFuture) == .nanoseconds(Int64.max))
    #expect(SimulatedInstant.distantFuture.duration(to: past) == .nanoseconds(Int64.min))
    #expect(longest.saturatingAdd(longest) == .nanoseconds(Int64.max))
    #expect(longest.secondsRoundedUp == .max)
    #expect([1_001, 2_000, 0, -1_500].map { Duration.milliseconds($0).secondsRoundedUp } == [2, 2, 0, -1])
  }

  @Test func `a schedule whose phases repeat too fast is refused`() {
    func schedule(_ cycle: Duration, repeats: Bool) -> ConditionSchedule? {
      ConditionSchedule(phases: [.init(for: cycle, conditions: .unlimited)], repeats: repeats)
    }
    #expect(schedule(.nanoseconds(1), repeats: true) == nil)
    #expect(schedule(.nanoseconds(1), repeats: false) != nil)
    #expect(schedule(ConditionSchedule.shortestCycle, repeats: true) != nil)
  }

  @Test func `a schedule with an endless phase does not repeat`() {
    let phases: [ConditionSchedule.Phase] = [
      .init(for: .seconds(1), conditions: .unlimited), .init(conditions: .unlimited),
    ]
    #expect(ConditionSchedule(phases: phases, repeats: true)?.period == nil)
  }
}
