import Internals
import Testing

struct FieldTextTests {
  @Test func `an annotation's title escapes colons, commas, percent signs and line ends, its text only the last two`() {
    let text = "a: 1%, b\r\n"
    #expect(text.annotationTitle == "a%3A 1%25%2C b%0D%0A")
    #expect(text.annotationText == "a: 1%25, b%0D%0A")
  }

  @Test func `a token has letters, digits and the signs of RFC 9110 alone`() {
    let allowed = (0..<128).map { String(UnicodeScalar(UInt8($0))) }.filter(\.isToken).joined()
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz"
    #expect(allowed == "!#$%&'*+-.0123456789" + letters + "|~")
    for (text, isToken) in [("", false), ("GET", true), ("a b", false), ("a:", false), ("é", false)] {
      #expect(text.isToken == isToken, "\(text)")
    }
  }
}
