import Testing

@testable import LinkSimulator

struct CorrelatedJitterTests {
  private func sampler(_ distribution: Jitter.Distribution, _ correlation: Double) throws -> JitterSampler {
    let jitter = try #require(Jitter(distribution, spread: .milliseconds(1), correlation: .percent(correlation)))
    return try #require(JitterSampler(jitter))
  }

  @Test(arguments: [Jitter.Distribution.normal, .pareto, .paretoNormal])
  func `correlated jitter keeps the standard deviation of its distribution`(distribution: Jitter.Distribution) throws {
    // The weights are 0.6 for the previous deviation and 0.8 for the new one: 0.36 + 0.64 = 1.
    let sampler = try sampler(distribution, 60)
    #expect(sampler.mixed(1, previous: 0) == 0.8)
    #expect(sampler.mixed(0, previous: 1) == 0.6)
    let both = 0.8 * 2 - 0.6 * 3
    #expect(sampler.mixed(2, previous: -3) == both)
  }

  @Test func `correlated uniform jitter stays within its bounds`() throws {
    let sampler = try sampler(.uniform, 60)
    #expect(sampler.mixed(1, previous: 0) == 0.4)
    #expect(sampler.mixed(0, previous: 1) == 0.6)
    #expect(sampler.mixed(1, previous: 1) == 1 && sampler.mixed(-1, previous: -1) == -1)
  }

  @Test func `a jitter's setting names its correlation only if it has one`() throws {
    let spread = Setting.Member("normal", .duration(.milliseconds(8)))
    let correlation = Setting.Member("correlation", .probability(.percent(25)))
    #expect(Jitter(.normal, spread: .milliseconds(8))?.setting == .members([spread]))
    let correlated = Jitter(.normal, spread: .milliseconds(8), correlation: .percent(25))
    #expect(correlated?.setting == .members([spread, correlation]))
  }

  @Test(arguments: Jitter.Distribution.allCases)
  func `jitter without correlation ignores the previous deviation`(distribution: Jitter.Distribution) throws {
    let sampler = try sampler(distribution, 0)
    #expect(sampler.mixed(0.25, previous: 99) == 0.25)
  }

  /// 200,000 samples: with a correlation of 0.9 about 10,000 are independent, so the variance is known to 3 %.
  @Test(arguments: [0.0, 50, 90])
  func `correlated normal jitter has mean zero and the requested spread`(
    correlation: Double
  ) throws {
    let sampler = try sampler(.normal, correlation)
    var (value, sum, squares) = (0.0, 0.0, 0.0)
    for number in 0..<200_000 {
      value = sampler.mixed(sampler.sample(KeyedRandom(seed: 3).keyed(by: UInt64(number))), previous: value)
      sum += value
      squares += value * value
    }
    #expect(abs(sum / 200_000) < 0.05)
    #expect(abs(squares / 200_000 - 1) < 0.06)
  }

  /// Means of 200,000 samples; for Pareto jitter of shape 3 the standard error is 0.0022.
  @Test(arguments: Jitter.Distribution.allCases)
  func `each jitter distribution has mean zero`(distribution: Jitter.Distribution) throws {
    let sampler = try sampler(distribution, 0)
    let sum = (0..<200_000).reduce(0.0) { $0 + sampler.sample(KeyedRandom(seed: 5).keyed(by: UInt64($1))) }
    #expect(abs(sum / 200_000) < 0.012)
  }

  /// The mixture has variance one; with the tail that 200,000 samples reach, it lies between 0.8 and 1.2.
  @Test func `the mixed Pareto and normal jitter has the requested spread`() throws {
    let sampler = try sampler(.paretoNormal, 0)
    let squares = (0..<200_000).reduce(0.0) { sum, number in
      let value = sampler.sample(KeyedRandom(seed: 5).keyed(by: UInt64(number)))
      return sum + value * value
    }
    #expect((0.8...1.2).contains(squares / 200_000), "\(squares / 200_000)")
  }

  @Test func `a jitter deviation is rounded to whole nanoseconds and never overflows`() throws {
    let sampler = try sampler(.normal, 0)
    #expect(sampler.scaled(1) == 1_000_000 && sampler.scaled(-0.5) == -500_000)
    #expect(sampler.scaled(0.000_000_4) == 0 && sampler.scaled(0.000_000_6) == 1)
    #expect(sampler.scaled(1e300) == 1 << 62 && sampler.scaled(-1e300) == -(1 << 62))
    let none = try #require(Jitter(.normal, spread: .zero))
    #expect(JitterSampler(none) == nil)
    #expect(Jitter(.normal, spread: .nanoseconds(-1)) == nil)
  }

  @Test(arguments: [
    (4_000_000 as Int64, 2_000_000 as Int64?), (2_000_000, 1_000_000), (1_999_999, nil), (0, nil),
    (-2_000_000, -1_000_000), (-1_999_999, nil),
  ])
  func `shrinking a late packet halves its delay down to a millisecond`(late: Int64, weaker: Int64?) {
    #expect(PacketEffect.late(nanoseconds: late).weaker == (weaker.map { [.late(nanoseconds: $0)] } ?? []))
  }

  // MARK: Order

  /// The numbers of the packets that skip the delay if every eligible packet does.
  private func ahead(gap: Int, of count: Int, share: Probability = .one) throws -> [Int] {
    let draw = try #require(Reordering(share: share, gap: gap).draw)
    var memory = 0.0
    return (0..<count).filter { number in
      var fate = PacketFate()
      draw(KeyedRandom(seed: 1).keyed(by: UInt64(number)), &memory, &fate)
      return fate.isAhead
    }
  }

  @Test func `with a reordering gap of n every n-th packet skips the delay`() throws {
    #expect(try ahead(gap: 1, of: 4) == [0, 1, 2, 3])
    #expect(try ahead(gap: 2, of: 7) == [1, 3, 5])
    #expect(try ahead(gap: 3, of: 9) == [2, 5, 8])
    #expect(try ahead(gap: 5, of: 16) == [4, 9, 14])
  }

  @Test func `packets that skip the delay at random are at least the gap apart`() throws {
    let places = try ahead(gap: 4, of: 4_000, share: .percent(30))
    let steps = zip(places.dropFirst(), places).map { $0 - $1 }
    #expect(steps.min() == 4)
    // After three packets in order, each has a chance of 0.3: the mean is 3 + 1 / 0.3 packets, known to 2 %.
    let mean = Double(steps.reduce(0, +)) / Double(steps.count)
    #expect(abs(mean - 6.333) < 0.4)
    #expect(Reordering(share: .zero).draw == nil)
  }

  @Test func `a reordered packet has no delay, and the packets around it keep theirs`() {
    var link = LinkConditions(delay: .milliseconds(20))
    link.reorder(.one, gap: 2)
    var probe = LinkProbe(link, seed: 1)
    for number in 0..<4 { probe.send(bytes: 100, at: Int64(number) * 1_000_000) }
    var seen: [LinkProbe.Outcome] = []
    probe.drain(until: .max - 1) { seen.append($0) }
    #expect(seen.map(\.number) == [1, 3, 0, 2])
    #expect(seen.map(\.time) == [1, 3, 20, 22].map { $0 * 1_000_000 })
  }

  @Test func `jitter above the delay never lets a packet arrive before it was sent`() {
    let link = LinkConditions(
      delay: .milliseconds(1), jitter: Jitter(.normal, spread: .milliseconds(50)), reorders: true)
    var probe = LinkProbe(link, seed: 1)
    var sent: [Int64] = []
    for number in 0..<500 {
      sent.append(Int64(number) * 100_000)
      probe.send(bytes: 100, at: sent[number])
    }
    var early = 0
    probe.drain(until: .max - 1) { outcome in
      #expect(outcome.time >= sent[outcome.number])
      if outcome.time == sent[outcome.number] { early += 1 }
    }
    #expect(early > 100)
  }

  // MARK: Bursts

  /// The numbers of the packets that a chain loses, out of `count`.
  private func lost(_ chain: GilbertElliott, of count: Int) -> [Int] {
    var memory = 0.0
    return (0..<count).filter { number in
      LossModel.bursts(chain).loses(KeyedRandom(seed: 9).keyed(by: UInt64(number)), &memory)
    }
  }

  @Test func `a loss chain with probabilities of 0 and 1 loses packets in a fixed pattern`() {
    // The chain moves before each packet: bad, good, bad, good.
    #expect(lost(GilbertElliott(goodToBad: .one, badToGood: .one), of: 6) == [0, 2, 4])
    #expect(lost(GilbertElliott(goodToBad: .one, badToGood: .zero), of: 4) == [0, 1, 2, 3])
    #expect(lost(GilbertElliott(goodToBad: .zero, badToGood: .one), of: 4) == [])
    #expect(
      lost(GilbertElliott(goodToBad: .one, badToGood: .one, lossWhenBad: .zero, lossWhenGood: .one), of: 6)
        == [1, 3, 5])
  }

  @Test func `a burst loss model has the requested mean loss and burst length`() throws {
    let chain = try #require(GilbertElliott(mean: .percent(8), burst: 4))
    #expect(chain.badToGood.value == 0.25)
    let begins = 0.02 / 0.92
    #expect(abs(chain.goodToBad.value - begins) < 1e-15)
    #expect(abs(chain.meanLoss - 0.08) < 1e-15)
    #expect(GilbertElliott(mean: .percent(50), burst: 1)?.badToGood == .one)
    #expect(GilbertElliott(mean: .percent(8), burst: 0.99) == nil)
    #expect(GilbertElliott(mean: .one, burst: 4) == nil && GilbertElliott(mean: .percent(8), burst: .infinity) == nil)
    // Single losses cannot make up more than half of all packets.
    #expect(GilbertElliott(mean: .percent(51), burst: 1) == nil)
    // 100,000 packets contain 2,000 bursts, so both figures are known to 10 %.
    let places = lost(chain, of: 100_000)
    let count = Double(places.count)
    #expect(abs(count - 8_000) < 800)
    let bursts = 1 + zip(places.dropFirst(), places).count { $0 - $1 > 1 }
    #expect(abs(count / Double(bursts) - 4) < 0.4)
  }

  @Test func `the mean loss of a two-state chain weighs the losses of both states`() {
    let chain = GilbertElliott(
      goodToBad: .percent(10), badToGood: .percent(30), lossWhenBad: .percent(80), lossWhenGood: .percent(4))
    // The chain is in the bad state a quarter of the time: 0.25 * 0.8 + 0.75 * 0.04.
    #expect(abs(chain.meanLoss - 0.23) < 1e-15)
    let still = GilbertElliott(goodToBad: .zero, badToGood: .zero, lossWhenGood: .percent(5))
    #expect(still.meanLoss == 0.05)
  }
}
