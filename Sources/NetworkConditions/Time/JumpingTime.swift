import Dispatch
import Internals
import struct Synchronization.Atomic

/// Has time jump to a network's next event as soon as everything before it is done: ``Pace/immediate``; clients run on
/// threads of their own: after some jumps there is a breath, in which they may come, and what waits for one who never
/// comes is given up after the network's patience.
final class JumpingTime: TimeSource {
  /// So many jumps are made in one go; then what clients do on other threads is taken in.
  private static let jumpsBetweenBreaths = 256

  private struct State {
    var isCalled = false
    var isStopped = false
  }

  private let patience: Duration
  private let owner = NetworkReference()
  private let state = Mutex(State())
  /// Whether somebody looks after a while whether anything has moved.
  private let isWatched = Atomic<Bool>(false)
  private let queue = DispatchQueue(label: "network-conditions.time", qos: .userInitiated)
  private let transports = DispatchQueue(label: "network-conditions.transport", qos: .userInitiated)

  init(patience: Duration) {
    self.patience = patience
  }

  var now: SimulatedInstant? { nil }

  func keepTime(of network: NetworkEngine) { owner.network = network }

  func networkRests(_ rest: NetworkRest) {
    if rest.mayJump, rest.next != nil { callSoon() }
    guard let progress = rest.progress, !isWatched.load(ordering: .relaxed),
      !isWatched.exchange(true, ordering: .relaxed)
    else { return }
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: patience.wholeNanoseconds))) { [weak self] in
      guard let self else { return }
      isWatched.store(false, ordering: .relaxed)
      owner.network?.giveUp(since: progress, after: patience)
    }
  }

  func perform(_ work: @escaping @Sendable () -> Void) { transports.async(execute: work) }
  func stop() { state.withLock { $0.isStopped = true } }

  private func callSoon() {
    let mustCall = state.withLock { state in
      defer { state.isCalled = true }
      return !state.isStopped && !state.isCalled
    }
    guard mustCall else { return }
    queue.async { [weak self] in
      guard let self else { return }
      state.withLock { $0.isCalled = false }
      guard let network = owner.network else { return }
      network.catchUp()
      for _ in 0..<Self.jumpsBetweenBreaths where !network.jump() { return }
    }
  }
}
