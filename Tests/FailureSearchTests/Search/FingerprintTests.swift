import Testing

@testable import FailureSearch

@Suite struct FingerprintTests {
  @Test func `a number counts as one sign, however many digits it has`() {
    #expect(Fingerprint.withoutNumbers("19 of 20 items") == "# of # items")
    #expect(Fingerprint.withoutNumbers("3 of 1000 items") == "# of # items")
  }
}
