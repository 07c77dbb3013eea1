import RetryPolicies
import Testing

extension RetryPoliciesTests {
  struct RetryRandomTests {
    /// The first numbers of SplitMix64 with the state 1234567, as many libraries publish them.
    ///
    /// The generator mixes its seed once, and this seed gives that state.
    @Test func `a generator draws the published numbers of SplitMix64`() {
      var random = RetryRandom(seed: 11_906_536_674_387_683_726)
      let numbers: [UInt64] = [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
      ]
      #expect(numbers.map { _ in random.next() } == numbers)
    }
  }
}
