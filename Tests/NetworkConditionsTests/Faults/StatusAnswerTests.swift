import Testing

@testable import NetworkConditions

struct StatusAnswerTests {
  @Test func `a status fault needs a status from 100 to 599 and a non-negative Retry-After`() {
    for code in [100, 503, 599] { #expect(StatusAnswer(code: code, wait: .seconds(1)).problem == nil) }
    for code in [-1, 0, 99, 600] {
      #expect(StatusAnswer(code: code).problem == "\(code) is not a status; write 100 to 599")
    }
    #expect(StatusAnswer(wait: .seconds(-1)).problem == "retryAfter cannot be negative: -1.0 seconds")
    #expect(StatusAnswer(times: 1_000).problem == nil)
    #expect(StatusAnswer(times: -1).problem == "-1 is not a number of requests; write 1 to 1000")
  }
}
