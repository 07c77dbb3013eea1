import Dispatch
import Internals
import struct Synchronization.Atomic

/// Lets time jump to a network's next event when all earlier work is done (``Pace/immediate``).
///
/// Clients run on other threads. After a number of jumps the queue pauses, so that their calls are handled. A request
/// without progress fails after the network's patience.
final class JumpingTime: TimeSource {
  /// The number of jumps between two pauses, in which calls from other threads are handled.
  private static let jumpsBetweenPauses = 256

  private struct State {
    var isCalled = false
    var isStopped = false
  }

  private let patience: Duration
  private let owner = NetworkReference()
  private let state = Mutex(State())
  /// Whether a check for progress is scheduled.
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
      network.pump()
      for _ in 0..<Self.jumpsBetweenPauses where !network.jump() { return }
    }
  }
}
