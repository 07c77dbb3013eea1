import LinkSimulator
import Testing

struct PathConditionsTests {
  private static func conditions(_ change: (inout PathConditions) -> Void) -> PathConditions {
    var conditions = PathConditions.symmetric(delay: .milliseconds(20))
    change(&conditions)
    return conditions
  }

  @Test(arguments: [StreamRequest.HTTPVersion.http1, .http2, .http3])
  func `an app loses an idle connection when it is suspended but not when it resumes`(
    _ version: StreamRequest.HTTPVersion
  ) throws {
    let open = Self.conditions { _ in }
    let suspended = Self.conditions { $0.device.suspendsApp = true }
    let schedule = try #require(
      ConditionSchedule(phases: [
        .init(for: .seconds(2), conditions: open), .init(for: .seconds(2), conditions: suspended),
        .init(for: .seconds(2), conditions: open), .init(conditions: open),
      ]))
    var harness = Harness(schedule)
    let isSecure = version != .http1
    let streams = [1, 5, 7].map { second in
      harness.run(until: .seconds(second))
      return harness.get(isSecure: isSecure, version: version)
    }
    harness.run(until: .seconds(9))
    let isReused = streams.map { harness.time(of: .connected(reused: true), $0) != nil }
    #expect(isReused == [false, false, true])
  }
}
