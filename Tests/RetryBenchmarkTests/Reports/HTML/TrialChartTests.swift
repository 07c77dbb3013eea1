import Foundation
import RetryPolicies
import Testing

@testable import RetryBenchmark

struct TrialChartTests {
  @Test func `a label that would cover the previous label is left out, and its outcome stays in the bar's title`() {
    let attempts = [(0.0, 15.0, "-1006"), (15.0, 15.3, "200"), (30.0, 40.0, "503")].map { start, end, outcome in
      AttemptTrace(
        kind: .original, start: .seconds(start), end: .seconds(end),
        outcomeClass: outcome == "200" ? .success : .transientFailure, outcome: outcome)
    }
    let request = RequestRecord(start: .zero, end: .seconds(40), isSuccess: false, attempts: attempts)
    let late = RequestRecord(
      client: 1, start: .seconds(30), end: .seconds(40), isSuccess: false,
      attempts: [(30.0, 39.0, "-1006"), (39.0, 40.0, "200")].map { start, end, outcome in
        AttemptTrace(
          kind: .original, start: .seconds(start), end: .seconds(end), outcomeClass: .transientFailure, outcome: outcome
        )
      })
    let trial = TrialRecord(seed: 1, requests: [request, late])
    let text = TrialChart(NamedTrial(profile: "p", policy: "none", trial: trial), until: .seconds(40)).text
    func count(_ part: String) -> Int { text.components(separatedBy: part).count - 1 }
    // The first client's three labels have room; the second's "200" has not.
    #expect(count(">DNS failed</text>") == 2 && count(">503</text>") == 1 && count(">200</text>") == 1)
    #expect(count(": 200</title>") == 2)
  }

  @Test(arguments: [
    (RetryAttempt.OutcomeClass.success, "200", "good"), (.abandoned, "-999", "left"),
    (.transientFailure, "503", "refused"),
    (.permanentFailure, "404", "refused"), (.transientFailure, "-1005", "lost"),
  ])
  func `an attempt's bar has the colour of its outcome`(
    outcomeClass: RetryAttempt.OutcomeClass, outcome: String, role: String
  ) {
    let attempt = AttemptTrace(
      kind: .original, start: .zero, end: .seconds(1), outcomeClass: outcomeClass, outcome: outcome)
    let trial = TrialRecord(
      seed: 1, requests: [RequestRecord(start: .zero, end: .seconds(1), isSuccess: true, attempts: [attempt])])
    let text = TrialChart(NamedTrial(profile: "p", policy: "none", trial: trial), until: .seconds(1)).text
    let roles = ["good", "left", "refused", "lost"].filter { text.contains("<rect class=\"\($0)\"") }
    #expect(roles == [role])
  }
}
