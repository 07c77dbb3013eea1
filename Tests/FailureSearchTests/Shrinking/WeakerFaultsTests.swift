import NetworkConditions
import Testing

@testable import FailureSearch

struct WeakerFaultsTests {
  @Test func `a clock jump above a minute can be weakened to a 24th`() {
    func jump(_ length: Duration) -> ScheduledFault { ScheduledFault(.clockJump(by: length, at: .seconds(3))) }
    #expect(jump(.seconds(86_400)).weaker == [jump(.seconds(3_600))])
    #expect(jump(.seconds(-86_400)).weaker == [jump(.seconds(-3_600))])
    #expect(jump(.seconds(72)).weaker == [jump(.seconds(3))])
    #expect(jump(.seconds(60)).weaker == [] && jump(.seconds(-60)).weaker == [])
  }

  @Test func `a kill at the same moment is weaker than a power loss`() {
    for moment in [KillMoment.at(.seconds(1)), .afterFileChange(2)] {
      #expect(ScheduledFault(.powerLoss(moment)).weaker == [ScheduledFault(.kill(moment))])
      #expect(ScheduledFault(.kill(moment)).weaker == [])
    }
  }

  @Test func `a suspension and a brown-out have the same shorter and rounder times`() {
    let (start, length) = (Duration.nanoseconds(1_234_567_891), Duration.nanoseconds(9_876_543_210))
    let faults = [ScheduledFault.Kind.suspension, ScheduledFault.Kind.brownOut].map {
      ScheduledFault($0(start, length))
    }
    func times(_ faults: [ScheduledFault]) -> [String] {
      faults.compactMap { "\($0)".split(separator: ": ").first.map(String.init) }
    }
    #expect(!faults[0].weaker.isEmpty && times(faults[0].weaker) == times(faults[1].weaker))
    #expect(!faults[0].rounder.isEmpty && times(faults[0].rounder) == times(faults[1].rounder))
    #expect((faults[0].weaker + faults[0].rounder).allSatisfy { "\($0)".hasSuffix("the app is suspended") })
  }

  @Test func `a fault at an odd time has the same fault at rounder times`() {
    let odd = Duration.nanoseconds(1_234_567_891)
    let kinds: [@Sendable (Duration) -> ScheduledFault.Kind] = [
      { .cancellation(at: $0) }, { .clockJump(by: .seconds(60), at: $0) }, { .kill(.at($0)) }, { .powerLoss(.at($0)) },
    ]
    for kind in kinds {
      let rounder = ScheduledFault(kind(odd)).rounder
      #expect(!rounder.isEmpty && rounder == odd.rounder.map { ScheduledFault(kind($0)) })
    }
  }
}
