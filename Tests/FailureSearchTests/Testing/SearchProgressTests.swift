import Testing

@testable import FailureSearch

struct SearchProgressTests {
  @Test func `a long search says how far it is after 10 s, 20 s, 40 s and so on`() {
    let progress = SearchProgress("Feed.load()")
    #expect(progress.line(1, of: 3_764, after: .milliseconds(9_999)) == nil)
    let first = progress.line(150, of: 3_764, after: .milliseconds(10_400))
    #expect(first == "Feed.load(): 150 of 3,764 known runs after 10 s")
    #expect(progress.line(290, of: 3_764, after: .milliseconds(19_999)) == nil)
    // A single run may take longer than the next two steps.
    let third = progress.line(1_000, of: 3_764, after: .seconds(100))
    #expect(third == "Feed.load(): 1,000 of 3,764 known runs after 100 s")
    #expect(progress.line(1_500, of: 3_764, after: .seconds(159)) == nil)
    #expect(progress.line(1_600, of: 3_764, after: .seconds(160)) != nil)
  }
}
