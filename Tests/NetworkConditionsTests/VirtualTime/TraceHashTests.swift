import Testing

@testable import NetworkConditions

struct TraceHashTests {
  private func hash(_ texts: String...) -> TraceHash {
    var hash = TraceHash()
    for text in texts { hash.add(text) }
    return hash
  }

  @Test func `a trace hash depends on where one event ends and the next begins`() {
    #expect(hash("ab", "c") == hash("ab", "c"))
    #expect(Set([hash("ab", "c"), hash("a", "bc"), hash("abc"), hash("c", "ab"), hash("ab", "c", "")]).count == 5)
  }

  @Test func `a trace hash is written with sixteen digits`() {
    let hashes = (0..<200).map { hash("\($0)") }
    #expect(hashes.allSatisfy { $0.description.count == 16 && UInt64($0.description, radix: 16) == $0.bits })
    // Of 200 hashes one begins with a zero, except with probability 3 in a million; the seeds are fixed.
    #expect(hashes.contains { $0.description.first == "0" })
  }
}
