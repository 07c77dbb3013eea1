import Testing

@testable import FailureSearch

@Suite struct FingerprintTests {
  @Test func `a fingerprint replaces each number by one sign, however many digits it has`() {
    #expect(Fingerprint.withoutNumbers("19 of 20 items") == "# of # items")
    #expect(Fingerprint.withoutNumbers("3 of 1000 items") == "# of # items")
  }

  @Test func `a crash ranks as worse than a hang, and a hang as worse than an error`() {
    let labels = [
      "the end of the process (SIGILL)", "too much memory", "deadlock", "a run without an end", "URLError.badURL",
    ]
    #expect(labels.map(FailureText.rank) == [0, 0, 1, 1, 2])
  }
}
