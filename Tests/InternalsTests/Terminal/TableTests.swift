import Internals
import Testing

struct TableTests {
  @Test(arguments: [(40, "a quick brown fox"), (15, "a quick …"), (4, "a quick…")])
  func `the last column is shortened to the terminal's width, but to no less than eight`(
    width: Int, last: String
  ) {
    let table = Table(columns: [.left("one"), .left("two")], rows: [["word", "a quick brown fox"]])
    let lines = table.lines(width: width, style: .none, heading: false)
    #expect(lines == ["word  \(last)"])
  }
}
