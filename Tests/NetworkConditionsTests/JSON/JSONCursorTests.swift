import Testing

@testable import NetworkConditions

struct JSONCursorTests {
  /// Reads objects of one member inside each other, and skips the value of the innermost.
  private func read(_ cursor: inout JSONCursor, objects: Int) throws(ProfileError) {
    try cursor.object("a test") { (cursor: inout JSONCursor, _: String) throws(ProfileError) in
      if objects == 1 { try cursor.skip() } else { try read(&cursor, objects: objects - 1) }
    }
  }

  private func problem(objects: Int, _ value: String) -> String? {
    let text = String(repeating: #"{"a":"#, count: objects) + value + String(repeating: "}", count: objects)
    var cursor = JSONCursor(Array(text.utf8), file: "a.json")
    do throws(ProfileError) {
      try read(&cursor, objects: objects)
      return nil
    } catch {
      return error.sentence
    }
  }

  @Test func `a document with more than 64 levels is refused, even if the deepest levels are skipped`() {
    func lists(_ count: Int) -> String { String(repeating: "[", count: count) + String(repeating: "]", count: count) }
    #expect(problem(objects: 34, lists(30)) == nil)
    #expect(problem(objects: 34, lists(31)) != nil)
    #expect(problem(objects: 64, "1") == nil)
    #expect(problem(objects: 65, "1") != nil)
  }

  @Test func `a member that is null counts as left out, however many blanks come before the null`() throws {
    var cursor = JSONCursor(Array(#"{"a": 1, "b":null, "c": null, "d" :  null , "e":2}"#.utf8), file: "a.json")
    var keys = ""
    try cursor.object("a test") { (cursor: inout JSONCursor, key: String) throws(ProfileError) in
      keys += key
      try cursor.skip()
    }
    #expect(keys == "ae")
  }

  @Test(arguments: [#""\q""#, #""\u12""#, #"{"\q": 1}"#, #"["\"]"#])
  func `a wrong escape in a skipped value is refused`(value: String) {
    #expect(problem(objects: 1, value) != nil)
  }
}
