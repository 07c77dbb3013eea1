import Testing

@testable import LinkSimulator

struct JitterSamplerTests {
  @Test(arguments: Jitter.Distribution.allCases)
  func `jitter samples have mean zero and the requested spread`(distribution: Jitter.Distribution) throws {
    let jitter = try #require(Jitter(distribution, spread: .milliseconds(1)))
    let sampler = try #require(JitterSampler(jitter))
    let samples = (0..<20_000).map { sampler.sample(KeyedRandom(seed: 7).keyed(by: UInt64($0))) }
    let mean = samples.reduce(0, +) / 20_000
    let variance = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 20_000
    // A uniform variation from -1 to 1 has the variance 1/3; a Pareto tail of shape 3 converges slowly.
    let expected = distribution == .uniform ? 1.0 / 3 : 1.0
    #expect(abs(mean) < 0.03)
    #expect(abs(variance - expected) < (distribution == .uniform ? 0.01 : 0.35))
    #expect(distribution != .uniform || samples.allSatisfy { (-1...1).contains($0) })
  }

  @Test func `a correlation of one repeats the first jitter deviation`() throws {
    let jitter = try #require(Jitter(.normal, spread: .milliseconds(1), correlation: .one))
    let sampler = try #require(JitterSampler(jitter))
    #expect(sampler.mixed(3, previous: 0.5) == 0.5)
  }

  @Test func `the cube of the cube root is the original number`() {
    for value in [1.0, 0.125, 0x1p-53, 0.3] {
      let root = JitterSampler.cubeRoot(value)
      #expect(abs(root * root * root - value) <= value * 1e-14)
    }
  }
}
