import Internals
import Testing

struct FieldTextTests {
  @Test func `an annotation's title escapes the signs that end it, and its text only per cents and line ends`() {
    let text = "a: 1%, b\r\n"
    #expect(text.annotationTitle == "a%3A 1%25%2C b%0D%0A")
    #expect(text.annotationText == "a: 1%25, b%0D%0A")
  }
}
