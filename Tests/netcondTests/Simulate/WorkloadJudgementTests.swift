import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

/// The expected figures were computed by an independent implementation from the same times.
struct WorkloadJudgementTests {
  private static func judgement(
    _ kind: String, _ runs: [[Double]], _ simulated: [[Double]], last: String = #""at_ms": 400"#
  ) throws -> WorkloadJudgement {
    let requests = #"[{"id": "0"}, {"id": "1"}, {"id": "2", \#(last)}]"#
    let measured = runs.map { run in
      #"{"finish": {\#(run.enumerated().map { "\"\($0)\": \($1)" }.joined(separator: ", "))}}"#
    }
    let text = WorkloadFileTests.text([
      "kind": "\"\(kind)\"", "workload": requests, "runs": "[\(measured.joined(separator: ", "))]",
    ])
    return try #require(WorkloadJudgement(try WorkloadFileTests.cases([text])[0], simulated))
  }

  @Test func `a page's error compares its median time, and each request has a separate error`() throws {
    let judgement = try Self.judgement("page-h1", [[0.1, 0.2, 0.5], [0.1, 0.2, 0.5]], [[0.11, 0.2, 0.4]])
    #expect(abs(judgement.error - 0.2) < 1e-9)
    #expect(zip(judgement.requestErrors, [0.1, 0, 0.2]).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(judgement.order == nil)
  }

  @Test func `in the case of requests beside a download, each error is relative to the request's own duration`() throws
  {
    let judgement = try Self.judgement("beside-down", [[0.1, 0.2, 0.5]], [[0.1, 0.2, 0.45]])
    #expect(abs(judgement.requestErrors[2] - 0.5) < 1e-9)
  }

  @Test func `a request's duration starts after the requests that it waits for and its own wait`() throws {
    // It may start 0.2 s and 50 ms after the call: 0.25 s measured and 0.3 s simulated.
    let judgement = try Self.judgement(
      "beside-down", [[0.1, 0.2, 0.5]], [[0.1, 0.2, 0.55]], last: #""after": ["0", "1"], "wait_ms": 50"#)
    #expect(abs(judgement.requestErrors[2] - 0.2) < 1e-9)
  }

  @Test func `errors of times below 5 ms are relative to 5 ms`() throws {
    let judgement = try Self.judgement("page-h1", [[0.001, 0.005, 0.01]], [[0.002, 0.006, 0.01]])
    #expect(zip(judgement.requestErrors, [0.2, 0.2, 0]).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func `the order in which simultaneous requests end is compared with the measured order`() throws {
    let measured = [[0.1, 0.2, 0.5]]
    #expect(try Self.judgement("mixed-h2", measured, [[0.1, 0.3, 0.5]]).order == 1)
    #expect(try Self.judgement("mixed-h2", measured, [[0.3, 0.1, 0.5]]).order == -1)
    #expect(try Self.judgement("mixed-h2", measured, [[0.3, 0.3, 0.5]]).order == 0)
    // Times that differ by at most 1 % or 1 ms count as equal.
    for (one, other, order) in [
      (2, 2.02, 0.0), (2, 2.021, 1), (2.021, 2, -1), (0.01, 0.0109, 0), (0.01, 0.0111, 1), (0, 0.0011, 1),
    ] { #expect(try Self.judgement("mixed-h2", measured, [[one, other, 0.5]]).order == order, "\(one) \(other)") }
  }

  @Test func `a run that does not end has an error of 100 %`() throws {
    let judgement = try Self.judgement("page-h1", [[0.1, 0.2, 0.5]], [[0.1, 0.2, .infinity]])
    #expect(judgement.error == 1 && judgement.requestErrors[2] == 1 && !judgement.simulated.isFinite)
  }

  @Test func `equal times count as alike and different times do not`() throws {
    let measured = Array(repeating: [0.1, 0.2, 0.5], count: 7)
    let same = try Self.judgement("page-h1", measured, measured)
    #expect(same.isAlike && same.requestsAlike == [true, true, true])
    let other = try Self.judgement("page-h1", measured, Array(repeating: [0.1, 0.2, 0.6], count: 7))
    #expect(!other.isAlike && other.requestsAlike == [true, true, false])
  }

  @Test(arguments: [(0.25, 1.0), (0.5, 2), (0.51, 4), (1, 4)])
  func `a quantile is the least value that its share of the weights does not exceed`(share: Double, value: Double) {
    #expect(WorkloadJudgement.quantile([(4, 2), (1, 1), (2, 1)], share) == value)
  }
}
