import Internals
import Testing

@Suite("Near names")
struct NearNamesTests {
  @Test(arguments: [
    ("shwo", ["show"]), ("pro", ["profiles"]), ("6G", ["5G"]), ("shxx", []), ("xyzzy", []), ("", []),
  ])
  func `a slip of the keyboard, a beginning and one letter of a short name are near`(wanted: String, near: [String]) {
    #expect(NearNames.find(wanted, among: ["show", "check", "profiles", "5G"]) == near)
  }

  @Test func `the nearest comes first, and equals in their order`() {
    #expect(NearNames.find("ab", among: ["abcdefg", "ac", "ad", "ab"]) == ["ab", "ac", "ad", "abcdefg"])
  }

  @Test func `a letter with thousands of accents is as many letters, and near to nothing`() {
    #expect(NearNames.find("3\(String(repeating: "\u{301}", count: 100_000))G", among: ["3G"]) == [])
  }

  @Test func `two swapped neighbours are one slip`() {
    #expect(EditDistance.between(Array("shwo"), Array("show")) == 1)
    #expect(EditDistance.between(Array("kitten"), Array("sitting")) == 3)
  }
}
