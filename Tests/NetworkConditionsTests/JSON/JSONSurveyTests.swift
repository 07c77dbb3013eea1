import Foundation
import Testing
import Thoroughness

@testable import NetworkConditions

struct JSONSurveyTests {
  private func problem(_ text: String, few: Int = 1_000_000) -> String? {
    var cursor = JSONCursor(Array(text.utf8), file: "a.json")
    do throws(ProfileError) {
      try cursor.survey(longestRow: 3, few: few) { digits, key in
        digits == "7" && key != "free" ? "7 is not counted" : nil
      }
      return nil
    } catch {
      return error.sentence
    }
  }

  @Test(arguments: [
    "{}", "[]", "null", "-1.5e3", #"{"a": [1, 2, 3], "b": [[1], [2], [3], [4], {}], "c": {"d": "e"}}"#,
    #"{"free": [7]}"#, #"{"a": {"free": 7}}"#, #"[{"a": 1}, {"a": 2}]"#,
  ])
  func `a JSON document of an expected shape is accepted`(text: String) {
    #expect(problem(text) == nil)
  }

  @Test(arguments: [
    (
      #"{"a": [{"b": [1, 2, 3, 4]}]}"#,
      "a.json: a[0].b: is a list of more than 3 numbers and strings; no such file has one"
    ),
    (#"["", null, true, 1]"#, "a.json: is a list of more than 3 numbers and strings; no such file has one"),
    (#"{"a": {"b": [[1], [1, 7]]}}"#, "a.json: a.b[1][1]: 7 is not counted"),
    (#"{"free": {"b": 7}}"#, "a.json: free.b: 7 is not counted"),
    (#"{"a": 1, "a": 2}"#, #"a.json: line 1, column 10: the key "a" is given twice in one object"#),
    // A key of up to 60 characters is written as it is.
    (
      #"{"\#(String(repeating: "k", count: 60))": 7}"#, "a.json: \(String(repeating: "k", count: 60)): 7 is not counted"
    ),
    (
      #"{"\#(String(repeating: "k", count: 61))": 7}"#,
      #"a.json: "\#(String(repeating: "k", count: 60))…": 7 is not counted"#
    ),
    ("[1,]", "a.json: line 1, column 4: there is a comma before the end of the list"),
    ("[1", "a.json: line 1, column 3: the document ends inside this list"),
    ("{} x", "a.json: line 1, column 4: nothing may follow the end of the document"),
    ("", "a.json: line 1, column 1: the document ends where a value should be"),
  ])
  func `an error in a JSON document of a wrong shape names the place`(text: String, message: String) {
    #expect(problem(text) == message)
  }

  @Test func `a JSON document above the usual count of values with over one value per four bytes is refused`() {
    func problem(_ row: String) -> String? {
      self.problem("[" + String(repeating: row, count: 501) + "[]]", few: 1_000)
    }
    #expect(problem("[1234567],") == nil)
    #expect(problem("[1],") == "a.json: contains more than 1000 values in 2008 bytes; no such file does")
    #expect(problem("[1234],") == "a.json: contains more than 1000 values in 3511 bytes; no such file does")
    #expect(problem("[12345],") == "a.json: contains more than 1003 values in 4012 bytes; no such file does")
  }

  @Test func `a profile with over a million numbers is refused before it is decoded`() {
    let bomb = Data(("[" + String(repeating: "1,", count: 1_100_000) + "1]").utf8)
    let error = #expect(throws: ProfileError.self) { try JSONParser.parse(bomb, file: "p.json") }
    #expect(error?.sentence == "p.json: contains more than 1000000 values in 2200003 bytes; no such file does")
  }

  @Test func `a document that may have NaN is refused with over a million numbers, too`() throws {
    let kind = DocumentKind("a table", usually: "small", atMostMebibytes: 64, takesNonNumbers: true)
    let row = "NaN,-Infinity,Infinity,-1234567.25,"
    let good = Data(("[" + String(repeating: row, count: 400) + "1]").utf8)
    #expect(throws: Never.self) { try JSONParser.parse(good, file: "t.json", as: kind) }
    guard Thoroughness.isWhole else { return }
    let bomb = Data(("[" + String(repeating: "1,", count: 1_100_000) + "NaN]").utf8)
    let error = #expect(throws: ProfileError.self) { try JSONParser.parse(bomb, file: "t.json", as: kind) }
    #expect(error?.sentence == "t.json: contains more than 1000000 values in 2200005 bytes; no such file does")
  }

  @Test func `a JSON decoding error names the place, the value and what would be right`() {
    struct Inner: Decodable { var count: Int, name: String, share: Double, on: Bool, list: [Int], map: [String: Int] }
    struct Outer: Decodable { var inner: [Inner] }
    let right = #"{"inner": [{"count": 1, "name": "n", "share": 0.5, "on": true, "list": [1], "map": {"a": 1}}]}"#
    func problem(_ old: String, _ new: String) -> String? {
      do throws(ProfileError) {
        let text = right.replacing(old, with: new)
        let kind = DocumentKind("a test", usually: "short", atMostMebibytes: 1)
        _ = try kind.decode(Outer.self, from: Data(text.utf8), file: "a.json", longestRow: 9)
        return nil
      } catch {
        return error.sentence
      }
    }
    #expect(problem("", "") == nil)
    #expect(problem(#""count": 1"#, #""count": "x""#) == #"a.json: inner[0].count: "x" is not a whole number"#)
    #expect(problem(#""n""#, "[]") == "a.json: inner[0].name: a list is not a string in quotation marks")
    #expect(problem("0.5", "{}") == "a.json: inner[0].share: an object is not a number")
    #expect(problem("true", "0") == "a.json: inner[0].on: 0 is not true or false")
    #expect(problem("[1]", "7") == "a.json: inner[0].list: 7 is not a list in square brackets")
    #expect(problem(#"{"a": 1}"#, "7") == "a.json: inner[0].map: 7 is not an object in braces")
    #expect(problem(#""count": 1, "#, "") == #"a.json: inner[0]: the key "count" is missing"#)
    #expect(
      problem(#""name": "n""#, #""name": null"#) == "a.json: inner[0].name: null is not a string in quotation marks")
    #expect(problem(#"{"inner""#, #"["inner""#)?.hasPrefix("a.json: line 1, column 9: ") == true)
  }
}
