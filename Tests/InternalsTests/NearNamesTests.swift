import Internals
import Testing

@Suite("Suggestions of similar names")
struct NearNamesTests {
  @Test(arguments: [
    ("shwo", ["show"]), ("pro", ["profiles"]), ("6G", ["5G"]), ("shxx", []), ("xyzzy", []), ("", []),
    ("f", []), ("ro", ["profiles"]),
  ])
  func `suggestions for an unknown name allow a typo, a prefix or one changed letter`(wanted: String, near: [String]) {
    #expect(NearNames.find(wanted, among: ["show", "check", "profiles", "5G"]) == near)
  }

  @Test func `the closest suggestion comes first, and ties keep their order`() {
    #expect(NearNames.find("ab", among: ["abcdefg", "ac", "ad", "ab"]) == ["ab", "ac", "ad", "abcdefg"])
  }

  @Test func `a name with 100000 combining accents gets no suggestion`() {
    #expect(NearNames.find("3\(String(repeating: "\u{301}", count: 100_000))G", among: ["3G"]) == [])
  }

  @Test func `two swapped neighbouring letters count as one edit`() {
    #expect(EditDistance.between(Array("shwo"), Array("show")) == 1)
    #expect(EditDistance.between(Array("kitten"), Array("sitting")) == 3)
  }

  @Test func `a name of one letter is not similar to a longer name that begins with it`() {
    #expect(NearNames.find("delay", among: ["d", "de"]) == ["de"])
  }
}
