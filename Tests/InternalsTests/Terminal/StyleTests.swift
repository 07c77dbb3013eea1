import Internals
import Testing

@Suite struct StyleTests {
  @Test(arguments: ["\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{1B}", "\u{7F}"])
  func `a sign that controls the terminal or turns the direction of a text is replaced`(sign: String) {
    #expect("a\(sign)b".printable == "a\u{FFFD}b")
  }

  @Test func `signs beside those that turn the direction of a text stay`() {
    #expect("\u{2029}\u{202F}\u{206A}é".printable == "\u{2029}\u{202F}\u{206A}é")
  }
}
