/// Whether a thread goes round in a loop that changes nothing, by samples of its registers and its stack.
///
/// A computation always comes to new states: an index, an address, a value is another one each time. A loop that waits for
/// what another thread does comes back to the same few.
package struct LoopDetector {
  /// New states become rare in a loop: of so many samples at most so many are new, and not before so many in all.
  static let (block, mostNew, least) = (400, 4, 1200)

  /// The end of the stack, at its shallowest: the loop's own function, and all that called it, lie beyond.
  private(set) var base: UInt = 0
  /// Whether the samples so far are those of a loop.
  package private(set) var isLoop = false
  /// Whether the last sample has the shallowest stack of its block.
  ///
  /// Of a loop's last block that sample is in the loop's own function. The samples before the loop may be in its callers.
  private(set) var isShallowest = false
  private var shallowest: UInt = 0
  private var states: Set<UInt64> = []
  private var (samples, new) = (0, 0)

  package init() {}

  /// Adds what the thread was seen at: the end of its stack, and a hash of its registers and of its stack from ``base`` on.
  package mutating func add(_ state: UInt64, stack: UInt) {
    // What was seen before was hashed from another base.
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
