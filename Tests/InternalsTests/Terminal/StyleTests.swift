import Internals
import Testing

struct StyleTests {
  @Test(arguments: ["\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{1B}", "\u{7F}"])
  func `characters that control the terminal or change the text direction are replaced`(sign: String) {
    #expect("a\(sign)b".printable == "a\u{FFFD}b")
  }

  @Test func `characters next to those that change the text direction are kept`() {
    #expect("\u{2029}\u{202F}\u{206A}é".printable == "\u{2029}\u{202F}\u{206A}é")
  }

  @Test func `text is wrapped between words, but not between a number and its unit`() {
    #expect("one two 5 ms, three".wrapped(to: 7) == ["one two", "5 ms,", "three"])
    #expect("one two".wrapped(to: 6) == ["one", "two"])
    #expect("at 40 % of 12 Mbit".wrapped(to: 5) == ["at", "40 %", "of 12", "Mbit"])
    #expect("at 12 ms".wrapped(to: 5) == ["at", "12 ms"] && "at 12 sec".wrapped(to: 5) == ["at 12", "sec"])
    #expect("a longword".wrapped(to: 4) == ["a", "longword"] && "".wrapped(to: 4) == [""])
  }
}
