import NetworkConditions
import Testing

@testable import TrafficRecording

struct CookieFieldsTests {
  @Test func `cookies joined by commas are separated where a new cookie begins, and nowhere else`() {
    let joined = HeaderField(
      "Set-Cookie", "a=1,,2; Expires=Wed, 21 Oct 2026 07:28:00 GMT; path=/x, b=3; Domain=y.example")
    #expect(
      CookieFields.set(in: [joined]) == [
        .init("a", "1,,2", path: "/x", isHTTPOnly: false, isSecure: false),
        .init("b", "3", domain: "y.example", isHTTPOnly: false, isSecure: false),
      ])
  }

  @Test func `a value with a comma and an equals sign remains one cookie if its words are separated by spaces`() {
    let field = HeaderField("Set-Cookie", "note=hello, my world=3")
    #expect(CookieFields.set(in: [field]) == [.init("note", "hello, my world=3", isHTTPOnly: false, isSecure: false)])
  }

  @Test func `sent cookies without a name are left out, and values keep their equals signs`() {
    #expect(CookieFields.sent(in: [HeaderField("cookie", "a=1=2; =3; c")]) == [.init("a", "1=2"), .init("c", "")])
  }
}
