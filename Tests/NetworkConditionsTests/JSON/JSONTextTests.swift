import Foundation
import Testing

@testable import NetworkConditions

struct JSONTextTests {
  @Test func `a short object on a line has spaces inside its braces unless it is empty, and a list has none`() {
    let json: JSONValue = ["a": [:], "b": .array([]), "c": .array([.number("1"), .number("2")])]
    #expect(json.prettyText == #"{ "a": {}, "b": [], "c": [1, 2] }"# + "\n")
  }

  @Test(arguments: [(6, 1), (7, 9)])
  func `an object of up to six short members is written on one line`(count: Int, lines: Int) {
    let members = (0..<count).map { JSONValue.Member("\($0)", .number("1")) }
    #expect(JSONValue.object(members).prettyText.split(separator: "\n").count == lines)
  }
  @Test func `a whole number has no decimal point unless it is large, and infinity is null`() {
    let texts = [-2, 0.5, 999_999_999_999_999, 1e16, 1e300, .infinity].map { JSONValue.real($0).lineText }
    #expect(texts == ["-2", "0.5", "999999999999999", "1e+16", "1e+300", "null"])
  }

  @Test func `a document of every kind of value passes Foundation's decoder and encoder unchanged`() throws {
    let text = #"{"a":[],"b":[1,2.5,-9223372036854775808,1e+300,true,null,"x"],"c":{"d":{}}}"#
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    let list = ["1", "2.5", "-9223372036854775808", "1e+300"].map { JSONValue.number($0) }
    #expect(value == ["a": .array([]), "b": .array(list + [.bool(true), .null, .string("x")]), "c": ["d": [:]]])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
  }
}
