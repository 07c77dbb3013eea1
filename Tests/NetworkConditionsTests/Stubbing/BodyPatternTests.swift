import Testing
import URLLoading

@testable import NetworkConditions

struct BodyPatternTests {
  private static func matches(_ pattern: BodyPattern, _ body: String) -> Bool {
    pattern.matches(RequestBody(Data(body.utf8)))
  }

  @Test(arguments: [
    ("42", " 42\n"), ("null", "null"), (#""a""#, #""\u0061""#), (#"{"a":1,"b":[]}"#, #"{"b": [], "a": 1}"#),
  ])
  func `a JSON pattern matches every way to write its value`(pattern: String, body: String) {
    #expect(Self.matches(.json(pattern), body))
  }

  @Test(arguments: [
    ("42", "43"), ("[1,2]", "[2,1]"), ("{}", "[]"), ("1", "one"), ("one", "1"), ("one", "two"), ("one", "one"),
  ])
  func `a JSON pattern matches no other value and no body that is not JSON`(pattern: String, body: String) {
    #expect(!Self.matches(.json(pattern), body))
  }
}
