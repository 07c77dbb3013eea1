import Testing

@testable import FailureSearch

struct FailedChecksTests {
  @Test func `a run with seven failed checks lists the first six and counts the rest`() throws {
    #expect(FailedChecks([], label: "check") == nil)
    let checks = (1...7).map { FailedChecks.Check("\($0) ==\n8", at: "A.swift:\($0)") }
    let one = try #require(FailedChecks([checks[0]], comments: ["why"], label: "check"))
    #expect(one.description == "1 == 8 at A.swift:1" && one.details == "why" && one.place == "A.swift:1")
    let many = try #require(FailedChecks(checks, label: "check"))
    #expect(
      many.details == """
        and after it:
          2 == 8 at A.swift:2
          3 == 8 at A.swift:3
          4 == 8 at A.swift:4
          5 == 8 at A.swift:5
          6 == 8 at A.swift:6
          and 1 more
        """)
  }

  @Test func `a check of long values shows their beginning and their end`() throws {
    let whole = try #require(FailedChecks([.init(String(repeating: "a", count: 1_000), at: nil)], label: "check"))
    #expect(whole.description == String(repeating: "a", count: 1_000))
    let (start, end) = (String(repeating: "a", count: 600), String(repeating: "c", count: 300))
    let long = start + String(repeating: "b", count: 101) + end
    let cut = try #require(FailedChecks([.init(long, at: nil)], label: "check"))
    #expect(cut.description == "\(start) … \(end)")
  }
}
