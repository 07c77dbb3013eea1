import Testing

@testable import Internals

struct ExcerptTests {
  @Test func `a text longer than a screen is shortened and ends with a count of the rest`() {
    let lines = (1...40).map { "\($0)" }
    #expect(Excerpt.of(lines) == lines.joined(separator: "\n"))
    let longer = Excerpt.of(lines + ["41"], "fault").split(separator: "\n")
    #expect(longer.count == 40 && longer[38] == "39" && longer[39] == "and 2 more faults")
    #expect(Excerpt.of(text: "a\r\n\nb") == "a\n\nb")
    // A line that the terminal wraps counts as several lines.
    let wide = Excerpt.of((1...21).map { "\($0)" + String(repeating: ".", count: 100) }, "fault").split(separator: "\n")
    #expect(wide.count == 20 && wide[18].hasPrefix("19.") && wide[19] == "and 2 more faults")
    #expect(Excerpt.of([String(repeating: "a", count: 9_000)]).count == 1_000)
    #expect(Excerpt.of(lines.dropLast() + [String(repeating: "a", count: 101)]).hasSuffix("\nand 1 more line"))
  }

  @Test func `a line break at the end of a text adds no line`() {
    let text = (1...41).map { "\($0)\r\n" }.joined()
    #expect(Excerpt.of(text: text).hasSuffix("39\nand 2 more lines"))
    #expect(Excerpt.of(text: "a\nb\n") == "a\nb")
  }

  @Test func `a line longer than the screen's width counts as several lines`() {
    #expect(Excerpt.height(of: "") == 1)
    #expect(Excerpt.height(of: String(repeating: "a", count: 100) + "\n\n" + String(repeating: "b", count: 101)) == 4)
  }

  @Test func `the first text that fits is used, and when none fits the last one is cut`() {
    let long = (1...9).map { "\($0)" }.joined(separator: "\n")
    #expect(Excerpt.fitting([long, "a\nb\nc", "a"], in: 3) == "a\nb\nc")
    #expect(Excerpt.fitting([long], in: 3) == "1\n2\n…")
  }
}
