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

  @Test func `a timeline's hash depends on its seed, profile, dropped events, events and transfers`() {
    func hash(
      _ seed: UInt64 = 1, _ profile: String = "3G", dropped: Int = 0, events: [NetworkEvent] = [],
      transfers: [Transfer] = []
    ) -> TraceHash {
      Timeline(
        transfers: transfers, droppedTransfers: 0, events: events, droppedEvents: dropped, seed: seed, profile: profile,
        conditions: [], packets: [], time: .zero
      ).traceHash
    }
    let event = NetworkEvent(time: .zero, transfer: nil, kind: .conditionsChanged("EDGE"))
    let transfer = Transfer(number: 0, method: "GET", url: "/", occurrence: 1, profile: "3G", started: .zero)
    let hashes = [
      hash(), hash(2), hash(1, "4G"), hash(dropped: 1), hash(events: [event]), hash(transfers: [transfer]),
    ]
    #expect(Set(hashes).count == 6 && hash() == hashes[0])
  }
}
