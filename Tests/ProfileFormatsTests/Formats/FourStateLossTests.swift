import LinkSimulator
import Testing

@testable import ProfileFormats

struct FourStateLossTests {
  private func model(_ p13: Double, _ others: Double...) -> FourStateLoss {
    FourStateLoss(p13: .percent(p13), others: others.map { .percent($0) })
  }

  @Test func `a four-state loss model that two states can express is converted exactly`() {
    // States 1 and 2 lead to state 3 with equal probability, so they merge into one good state.
    let lumped = model(10, 30, 20, 10).lossModel
    #expect(lumped.isExact)
    #expect(lumped.0 == .bursts(GilbertElliott(goodToBad: .percent(10), badToGood: .percent(50))))
    // Only isolated losses: a delivery follows each of them.
    let isolated = model(0, 100, 0, 100, 5).lossModel
    #expect(isolated.isExact)
    #expect(isolated.0 == .bursts(GilbertElliott(goodToBad: .percent(5), badToGood: .one)))
    #expect(model(0).lossModel == (.none, true))
    // Packets are lost for ever once state 3 is reached, and delivered for ever once state 2 is.
    #expect(model(5, 0, 0, 100, 5).lossModel == (.independent(.one), false))
    #expect(model(5, 30, 20, 0).lossModel == (.none, false))
    // A difference of one in ten million is more than a rounding error.
    #expect(!model(10, 30, 20, 10.000_01).lossModel.isExact)
  }

  /// Simulates the four-state chain as the kernel does and compares the results.
  @Test(arguments: [[2.0, 30, 10, 50, 0.5], [1, 20, 5], [5, 0, 20, 40], [10, 30, 20, 10], [3, 60, 40, 20, 2]])
  func `the converted model keeps mean loss and mean burst of the four-state model`(percents: [Double]) {
    let states = FourStateLoss(p13: .percent(percents[0]), others: percents.dropFirst().map { .percent($0) })
    var state = 1
    var lost = 0
    var bursts = 0
    var wasLost = false
    let count = 200_000
    for number in 0..<count {
      let draw = KeyedRandom(seed: 3).keyed(by: UInt64(number)).unit
      switch state {
      case 1: state = draw < states.p14 ? 4 : draw < states.p14 + states.p13 ? 3 : 1
      case 2: state = draw < states.p23 ? 3 : 2
      case 3: state = draw < states.p32 ? 2 : draw < states.p32 + states.p31 ? 1 : 3
      default: state = 1
      }
      let isLost = state > 2
      if isLost { lost += 1 }
      if isLost, !wasLost { bursts += 1 }
      wasLost = isLost
    }
    let model = states.lossModel.0
    let mean = Double(lost) / Double(count)
    // Loss in bursts varies more than independent loss; 10 % allows for that, and still detects errors.
    #expect(abs(model.mean - mean) < 0.1 * mean, "\(model.mean) \(mean)")
    if case .bursts(let chain) = model {
      let burst = Double(lost) / Double(bursts)
      #expect(abs(1 / chain.badToGood.value - burst) < 0.1 * burst)
    }
  }

  @Test func `isolated losses shorten the mean burst of the converted model`() {
    // Per delivery, 1/5 of a packet is lost in bursts of two and 1/10 alone: 3 losses in 2 bursts.
    let mixed = model(10, 50, 0, 100, 10).lossModel
    guard case .bursts(let chain) = mixed.0 else { return #expect(Bool(false), "\(mixed.0)") }
    #expect(!mixed.isExact && chain.goodToBad == .percent(20))
    #expect(abs(1 / chain.badToGood.value - 1.5) < 1e-12)
  }

  @Test func `probabilities that leave one state may not add up to more than 100 %`() {
    #expect(model(1, 60, 60).problem != nil)
    #expect(model(60, 10, 0, 100, 60).problem != nil)
    #expect(model(1, 60, 40.000_000_1).problem != nil)
    #expect(model(1, 60, 40).problem == nil)
  }
}

private func == (one: (LossModel, isExact: Bool), other: (LossModel, Bool)) -> Bool {
  one.0 == other.0 && one.isExact == other.1
}
