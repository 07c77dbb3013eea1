/// Detects that a thread is in a loop that changes nothing, from samples of its registers and stack.
///
/// A computation reaches new states: an index, an address or a value changes. A loop that waits for another thread
/// returns to the same few states.
package struct LoopDetector {
  /// A loop is found when at most `mostNew` of the last `block` samples are new, after at least `least` samples.
  static let (block, mostNew, least) = (400, 4, 1200)

  /// The shallowest stack pointer seen; the loop's function and its callers are beyond it.
  private(set) var base: UInt = 0
  package private(set) var isLoop = false
  /// Whether the last sample has the shallowest stack of its block.
  ///
  /// In a loop's last block, that sample is in the loop's own function. Samples from before the loop may be in its
  /// callers.
  private(set) var isShallowest = false
  private var shallowest: UInt = 0
  private var states: Set<UInt64> = []
  private var (samples, new) = (0, 0)

  package init() {}

  /// Adds a sample: the stack pointer, and a hash of the registers and the stack from ``base`` on.
  package mutating func add(_ state: UInt64, stack: UInt) {
    // Earlier samples were hashed from another base.
    if stack > base { (base, states, samples, new) = (stack, [], 0, 0) }
    if samples % Self.block == 0 { shallowest = 0 }
    samples += 1
    isShallowest = stack > shallowest
    shallowest = max(shallowest, stack)
    if states.insert(state).inserted { new += 1 }
    guard samples % Self.block == 0 else { return }
    isLoop = samples >= Self.least && new <= Self.mostNew
    new = 0
  }
}
