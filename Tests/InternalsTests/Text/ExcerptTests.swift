import Testing

@testable import Internals

@Suite struct ExcerptTests {
  @Test func `a text that fits a screen is shown in whole, and of a longer one the first lines`() {
    let lines = (1...40).map { "\($0)" }
    #expect(Excerpt.of(lines) == lines.joined(separator: "\n"))
    let longer = Excerpt.of(lines + ["41"], "fault").split(separator: "\n")
    #expect(longer.count == 40 && longer[38] == "39" && longer[39] == "and 2 more faults")
    #expect(Excerpt.of(text: "a\r\n\nb") == "a\n\nb")
  }
}
