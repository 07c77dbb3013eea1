import LinkSimulator
import Testing

@testable import NetworkConditions

struct PlacedFaultTests {
  @Test func `a random place for a flipped byte can be any byte of the message`() {
    let fault = Corrupt(place: .anywhere)
    let places = (0..<500).map { fault.drawn(below: 4, by: KeyedRandom(seed: $0)).place }
    #expect(Set(places) == [0, 1, 2, 3])
    #expect(fault.drawn(below: 0, by: KeyedRandom(seed: 1)).place == 0)
    #expect(Corrupt(place: 7).drawn(below: 4, by: KeyedRandom(seed: 1)).place == 7)
  }

  @Test func `a random place for a truncation can be any byte of the head and the body`() {
    func places(_ body: Int64?) -> [Int64] {
      (0..<2_000).compactMap {
        Truncate(place: .anywhere).placed(in: (100, body), by: KeyedRandom(seed: $0))?.place.bytes
      }
    }
    #expect(Set(places(10)) == Set<Int64>(0..<110))
    // The body of an unknown length counts as 65,536 bytes.
    let usual = places(nil)
    let (first, last) = (usual.min() ?? -1, usual.max() ?? -1)
    #expect(usual.count == 2_000 && first >= 0 && first < 100 && last >= 65_536 && last < 65_636)
  }

  @Test func `a byte fault beyond the end of the body does not happen`() {
    let chance = KeyedRandom(seed: 1)
    #expect(Corrupt(place: 9).placed(in: (100, 10), by: chance)?.place == 9)
    #expect(Corrupt(place: 10).placed(in: (100, 10), by: chance) == nil)
    #expect(Corrupt(place: 10).placed(in: (100, nil), by: chance)?.place == 10)
  }

  @Test func `a fault has a place in a response whose head announces the largest length`() {
    for place in [BytePosition.anywhere, .bytes(5_000)] {
      #expect(Truncate(place: place).placed(in: (100, .max), by: KeyedRandom(seed: 1))?.place.bytes != nil)
    }
  }

  @Test func `faults with the largest numbers do not overflow`() {
    let faults: [RequestFault] = [
      .drip(bytes: .max, pause: .seconds(Int64.max)), .reset(after: .bytes(.max)), .stall(after: .bytes(.max)),
      .truncate(after: .bytes(.max)), .corrupt(at: .bytes(.max)), .shorten(to: .bytes(.max)),
      .slowClose(delay: .seconds(Int64.max)), .idleClose(after: .seconds(Int64.max)),
      .idleForget(after: .seconds(Int64.max)), .resetStream(after: .bytes(.max)), .delay(.seconds(Int64.max)),
      .status(code: 503, retryAfter: .seconds(Int64.max)),
    ]
    for fault in faults {
      let strikes = FaultRule(fault).fault.value.streamFaults.map { $0.shifted(by: 1_000) }
      #expect(strikes.allSatisfy { if case .stall(let place, _) = $0 { place > 0 } else { true } })
      #expect(!fault.description.isEmpty && fault.weaker.count < 10 && fault.rounder.count < 10)
    }
  }
}
