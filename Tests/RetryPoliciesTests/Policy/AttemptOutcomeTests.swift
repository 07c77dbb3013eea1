import RetryPolicies
import Testing

struct AttemptOutcomeTests {
  @Test func `of headers whose names differ only in case the last in sorted order counts`() {
    let facts = ResponseFacts(status: 503, headers: ["retry-after": "3", "Retry-After": "2", "RETRY-AFTER": "1"])
    #expect(facts.header("Retry-after") == "3" && facts.header("Retry") == nil)
  }
}
