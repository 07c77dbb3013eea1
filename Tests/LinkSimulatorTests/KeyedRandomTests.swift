import LinkSimulator
import Testing

struct KeyedRandomTests {
  @Test func `a random draw depends on the seed and the whole key`() {
    let random = KeyedRandom(seed: 42)
    #expect(random.keyed(by: 1).keyed(by: "host").bits == random.keyed(by: 1).keyed(by: "host").bits)
    #expect(random.keyed(by: 1).bits != random.keyed(by: 2).bits)
    #expect(random.keyed(by: 1).bits != KeyedRandom(seed: 43).keyed(by: 1).bits)
  }
}
