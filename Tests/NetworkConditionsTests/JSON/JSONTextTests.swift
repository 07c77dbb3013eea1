import Testing

@testable import NetworkConditions

struct JSONTextTests {
  @Test func `a short object on a line has spaces inside its braces unless it is empty, and a list has none`() {
    let json: JSONValue = ["a": [:], "b": .array([]), "c": .array([.number("1"), .number("2")])]
    #expect(json.prettyText == #"{ "a": {}, "b": [], "c": [1, 2] }"# + "\n")
  }
}
