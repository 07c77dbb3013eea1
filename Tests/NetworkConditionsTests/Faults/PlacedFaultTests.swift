import LinkSimulator
import Testing

@testable import NetworkConditions

@Suite struct PlacedFaultTests {
  @Test func `a place that is left to chance is one of the message's own, the first and the last among them`() {
    let fault = FlippedByte(place: .anywhere)
    let places = (0..<500).map { fault.drawn(below: 4, by: KeyedRandom(seed: $0)).place }
    #expect(Set(places) == [0, 1, 2, 3])
    #expect(fault.drawn(below: 0, by: KeyedRandom(seed: 1)).place == 0)
    #expect(FlippedByte(place: 7).drawn(below: 4, by: KeyedRandom(seed: 1)).place == 7)
  }

  @Test func `a byte is corrupted only where the body has one`() {
    let chance = KeyedRandom(seed: 1)
    #expect(FlippedByte(place: 9).placed(in: (100, 10), by: chance)?.place == 9)
    #expect(FlippedByte(place: 10).placed(in: (100, 10), by: chance) == nil)
    #expect(FlippedByte(place: 10).placed(in: (100, nil), by: chance)?.place == 10)
  }
}
