import Foundation
import Testing

@testable import NetworkConditions

struct JSONParserTests {
  private func parse(_ text: String) throws -> JSONValue {
    try JSONParser.parse(Data(text.utf8), file: "a.json")
  }

  @Test func `the JSON parser reads every kind of value and keeps the order of members`() throws {
    let text = #" {"b": [1, -2.5e+3, true, false, null], "a": "\u00e9\n\"\/\ud83d\ude00é", "c": {}, "d": []} "#
    #expect(
      try parse(text)
        == .object([
          .init("b", .array([.number("1"), .number("-2.5e+3"), .bool(true), .bool(false), .null])),
          .init("a", .string("é\n\"/😀é")), .init("c", .object([])), .init("d", .array([])),
        ]))
  }

  @Test(arguments: [
    ("", "line 1, column 1: the document ends where a value should be"),
    ("{\n  \"a\": 1,\n}", "line 3, column 1: there is a comma before the end of the object"),
    ("[1 2]", #"line 1, column 4: found "2" where a comma or the end of the list should be"#),
    ("{\"é\" 1}", #"line 1, column 6: found "1" where a colon should follow the key "é""#),
    ("{a: 1}", #"line 1, column 2: found "a" where a key should be, in quotation marks"#),
    ("[tru]", #"line 1, column 2: found "t" where a value should be; a string needs quotation marks"#),
    ("{\"a\": 1, \"a\": 2}", #"line 1, column 10: the key "a" is given twice in one object"#),
    ("{\"a\": 1, \"\\u0061\": 2}", #"line 1, column 10: the key "a" is given twice in one object"#),
    ("[1] x", "line 1, column 5: nothing may follow the end of the document"),
    ("\n [ \"abc", "line 2, column 4: this string is not terminated"),
    ("[\"a\nb\"]", "line 1, column 4: a string contains a line break or a control character; write it as an escape"),
    ("[\"\\x\"]", "line 1, column 3: an unknown escape"),
    ("[\"\\u12\"]", "line 1, column 3: four hexadecimal digits should follow \\u"),
    ("[\"\\ud800\"]", "line 1, column 3: half of a surrogate pair is missing"),
    ("[\"\\udc00\"]", "line 1, column 3: half of a surrogate pair is missing"),
    ("[\"\\ud800\\u0041\"]", "line 1, column 3: half of a surrogate pair is missing"),
    ("[\"\\ud800\\ue000\"]", "line 1, column 3: half of a surrogate pair is missing"),
    ("[01]", #"line 1, column 2: "01" is not a JSON number"#),
    ("[-]", #"line 1, column 2: "-" is not a JSON number"#),
    ("[1.]", #"line 1, column 2: "1." is not a JSON number"#),
    ("[01.5]", #"line 1, column 2: "01.5" is not a JSON number"#),
    ("[-.5]", #"line 1, column 2: "-.5" is not a JSON number"#),
    ("[1.e2]", #"line 1, column 2: "1.e2" is not a JSON number"#),
    ("[01e2]", #"line 1, column 2: "01e2" is not a JSON number"#),
    ("[1e+]", #"line 1, column 2: "1e+" is not a JSON number"#),
    ("[\"a\\n b", "line 1, column 2: this string is not terminated"),
    ("{\"a\":", "line 1, column 6: the document ends where a value should be"),
    ("{\"a\": 1", "line 1, column 8: the document ends inside this object"),
  ])
  func `a broken JSON document is refused with line and column`(text: String, message: String) {
    let error = #expect(throws: ProfileError.self) { try parse(text) }
    #expect(error?.sentence == "a.json: \(message)")
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func `a hundred thousand opening brackets are refused without exhausting the stack`(opening: String) {
    let error = #expect(throws: ProfileError.self) { try parse(String(repeating: opening, count: 100_000)) }
    #expect(error?.sentence.hasSuffix(": nested deeper than 64 levels") == true)
  }

  @Test func `JSON that is not UTF-8 is refused`() {
    #expect(
      throws: ProfileError.unreadable(file: "a.json", reason: "is not UTF-8 text; a profile is JSON in UTF-8")
    ) {
      try JSONParser.parse(Data([0x22, 0xFF, 0x22]), file: "a.json")
    }
  }

  @Test func `a document of more than a mebibyte is read like a small one`() throws {
    let text = String(repeating: "x", count: 1 << 20)
    #expect(try parse("[\"\(text)\", 1]") == .array([.string(text), .number("1")]))
  }

  @Test func `a byte order mark before JSON is skipped`() throws {
    #expect(try JSONParser.parse(Data([0xEF, 0xBB, 0xBF, 0x31]), file: "a.json") == .number("1"))
  }

  @Test func `JSON written compactly or indented is read back equal`() throws {
    let value = JSONValue.object([
      .init("a\"\\\n\u{1}", .array([.object([.init("deep", .array([.array([.number("1.5")])]))]), .null])),
      .init("empty", .object([])), .init("list", .array([.string("😀"), .bool(false)])),
    ])
    #expect(try parse(value.compactText) == value)
    #expect(try parse(value.prettyText) == value)
    let members = [JSONValue.Member("p", .string("1 %")), .init("n", .array([.number("1"), .number("2")]))]
    #expect(JSONValue.object(members).compactText == #"{"p":"1 %","n":[1,2]}"#)
    #expect(JSONValue.object(members).prettyText == "{ \"p\": \"1 %\", \"n\": [1, 2] }\n")
  }

  @Test func `a written JSON string escapes quotes, backslashes and control characters`() {
    #expect(JSONValue.quoted("a\"\\\n\u{1}\u{7F}é") == #""a\"\\\n\u0001\u007fé""#)
  }
}
