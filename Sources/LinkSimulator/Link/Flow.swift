/// The stream of chance of one connection in one direction: what decides the fate of each of its packets.
///
/// A draw is keyed by the packet's number, so the fate of packet n does not depend on when it was sent or on what other
/// connections do. Only a burst model and a correlated jitter look back, to the packet before of the same flow.
struct Flow: Sendable {
  /// The key of the seed, the host, the connection and the direction.
  var random: KeyedRandom
  /// How many packets were handed to the link so far.
  var packets: UInt64 = 0
  /// How many of them are in the queue, in service or on their way.
  var inNetwork = 0
  /// What carries over from packet to packet.
  var memory = FlowMemory()
}

/// What the fate of one packet hands on to the fate of the next.
struct FlowMemory: Hashable, Sendable {
  /// Whether the Gilbert-Elliott chain is in its bad state.
  var isBad = false
  /// The last jitter in units of its spread.
  var jitter = 0.0
}

/// What chance is asked about one packet; each question has a key of its own, so that answers are independent.
private enum Question: UInt64 {
  case loss = 1
  case transition
  case jitter
}

extension LossModel {
  /// Whether the packet with this key is lost; a chain moves by one step.
  func loses(_ key: KeyedRandom, _ memory: inout FlowMemory) -> Bool {
    switch self {
    case .none:
      return false
    case .independent(let probability):
      return key.keyed(by: Question.loss.rawValue).happens(probability)
    case .bursts(let chain):
      // The chain moves first and then says whether the packet is lost; netem (loss_gilb_ell in net/sched/sch_netem.c) asks
      // by the state before the move, which is the same chain one packet later.
      let moves = key.keyed(by: Question.transition.rawValue)
        .happens(memory.isBad ? chain.badToGood : chain.goodToBad)
      if moves { memory.isBad.toggle() }
      return key.keyed(by: Question.loss.rawValue).happens(memory.isBad ? chain.lossWhenBad : chain.lossWhenGood)
    }
  }
}

extension JitterSampler {
  /// The nanoseconds by which the packet with this key deviates from the delay.
  func deviation(_ key: KeyedRandom, _ memory: inout FlowMemory) -> Int64 {
    let fresh = sample(key.keyed(by: Question.jitter.rawValue))
    memory.jitter = mixed(fresh, previous: memory.jitter)
    return scaled(memory.jitter)
  }
}
