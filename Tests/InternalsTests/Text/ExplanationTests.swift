import Testing

@testable import Internals

struct ExplanationTests {
  @Test func `an explanation is found by its name, or by a message that names or quotes it`() {
    for one in Explanation.all {
      for text in [one.name, "It failed. \(one.reference)", "error: \(one.words)"] {
        #expect(Explanation.find(text) == one, "\(text)")
      }
    }
    #expect(Explanation.find("an error of another program") == nil)
  }
}
