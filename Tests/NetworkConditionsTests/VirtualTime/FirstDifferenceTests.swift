import NetworkConditions
import Testing

struct FirstDifferenceTests {
  @Test func `two traces differ at their first unlike event or where one has ended`() {
    #expect(["a", "b"].firstDifference(from: ["a", "b"]) == nil)
    #expect(["a", "b"].firstDifference(from: ["a", "c"]) == #"event 1: "b" against "c""#)
    #expect(["a", "b"].firstDifference(from: ["a"]) == #"event 1: "b" against "nothing more""#)
    #expect(["a"].firstDifference(from: ["a", "b"]) == #"event 1: "nothing more" against "b""#)
  }
}
