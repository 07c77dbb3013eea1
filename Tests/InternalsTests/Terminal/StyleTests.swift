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
}
