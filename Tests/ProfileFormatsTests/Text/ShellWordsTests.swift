import NetworkConditions
import Testing

@testable import ProfileFormats

struct ShellWordsTests {
  private static func commands(_ script: String) throws -> [[Word]] {
    try ShellWords.parse(script, at: Place(file: "s.sh")).compactMap { element in
      if case .command(let words) = element { words } else { nil }
    }
  }

  @Test(
    arguments: [
      ("a b;c&&d|e\nf", [["a", "b"], ["c"], ["d"], ["e"], ["f"]]), ("a\r\nb", [["a"], ["b"]]),
      ("a 'b c' \"d e\" f'g'\"h\"", [["a", "b c", "d e", "fgh"]]), (#"a\ b "c\"d" e"#, [["a b", #"c"d"#, "e"]]),
      ("a \\\n b\\\nc", [["a", "b", "c"]]), ("a # b\nc", [["a"], ["c"]]),
      ("a 2>/dev/null b >x c 2 < y", [["a", "b", "c", "2"]]), ("A=1 B=2 c d=3", [["c", "d=3"]]),
      ("A1=x _9=y; a $A1 $_9", [["a", "x", "y"]]), ("A-1=x a", [["A-1=x", "a"]]), ("a 1>x 2>y 0>z 3>w", [["a", "3"]]),
      ("R='5 m'; a $R ${R} \"$R\"b", [["a", "5 m", "5 m", "5 mb"]]),
      ("R=1; a ${R:-2} ${S:-3} ${S:+4} ${S} $S", [["a", "1", "3", "${S:+4}", "${S}", "$S"]]), ("=1 a", [["=1", "a"]]),
    ])
  func `a script is split into the words of its commands as a shell does it`(script: String, words: [[String]]) throws {
    #expect(try Self.commands(script).map { $0.map(\.text) } == words)
  }

  @Test func `each word of a script has its line and column`() throws {
    let places = try Self.commands("a  bc\n\t'd' \\\n e").joined().map(\.place)
    #expect(places.map(\.line) == [1, 1, 2, 3] && places.map(\.column) == [1, 4, 2, 2])
  }

  @Test(arguments: ["a 'b", "a \"b", "a ${b", "a ${b\n}"])
  func `a quotation mark or a brace that is not closed is an error`(script: String) {
    #expect(throws: ProfileError.self) { try Self.commands(script) }
  }

  @Test func `text lines are numbered, and empty lines are skipped`() throws {
    var lines: [TextLine] = []
    try TextLine.forEach(of: "a\n\n \t b c \n \t\r\nd", file: "s") { lines.append($0) }
    #expect(lines.map(\.content) == ["a", "b c", "d"])
    #expect(lines.map(\.place.line) == [1, 3, 5] && lines.map(\.place.column) == [1, 4, 1])
  }

  @Test(arguments: [
    ("a=b", "b", 3), ("a=\t b", "b", 5), ("a= \"b c\" ", "b c", 4), ("a=\"", "\"", 3), ("a=\"\"", "", 3),
  ])
  func `a setting's value loses the spaces and quotation marks around it`(content: String, text: String, column: Int)
    throws
  {
    let line = TextLine(content: content, place: Place(file: "s"))
    let word = line.word(after: try #require(content.firstIndex(of: "=")))
    #expect(word.text == text && word.place.column == column)
  }

  @Test func `the first word beyond 100,000 is too many for a script`() {
    let line = String(repeating: "a ", count: 1_000) + "\n"
    let error = #expect(throws: ProfileError.self) { try Self.commands(String(repeating: line, count: 100) + "a") }
    guard case .syntax(_, line: 101, column: 1, _)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
  }
}
