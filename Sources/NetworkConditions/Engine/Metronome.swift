import Dispatch
import Internals

/// The only thing that waits: it knows what time it is for a network, and calls it when it wants to be called.
///
/// Deadlines are absolute, so that lateness never adds up. In ``Pace/immediate`` there is nothing to wait for: the
/// network's time is what it last ran to.
final class Metronome: Sendable {
  /// The shortest time between two calls, in real nanoseconds: packets that are due within it are handed over together.
  private static let granularity: UInt64 = 1_000_000

  private struct State {
    var timer: (any DispatchSourceTimer)?
    /// When the timer is set to call; what is later than that need not be asked for.
    var armed = UInt64.max
    var lastCall: UInt64 = 0
    var callsSoon = false
    var isStopped = false
  }

  /// Real nanoseconds for one nanosecond of the network's; `nil` when the network waits for nothing.
  private let realPerSimulated: Double?
  private let origin = DispatchTime.now().uptimeNanoseconds
  private let queue: DispatchQueue
  private let state = Mutex(State())
  /// Whom to call.
  ///
  /// A type of its own: a bare closure would be wrapped once more each time it passes the lock.
  private struct Listener {
    let tick: @Sendable () -> Void
  }
  private let listener = Mutex<Listener?>(nil)

  init(pace: Pace, label: String) {
    switch pace {
    case .realTime: realPerSimulated = 1
    // A factor that is none makes every request fail: `Pace.problem`.
    case .scaled(let factor): realPerSimulated = pace.problem == nil ? 1 / factor : 1
    case .immediate: realPerSimulated = nil
    }
    queue = DispatchQueue(label: label, qos: .userInitiated)
  }

  deinit {
    stop()
  }

  /// Whether time is what the network makes it.
  var isImmediate: Bool { realPerSimulated == nil }

  /// What time it is by the clock; `nil` when the network makes its own.
  var now: SimulatedInstant? {
    realPerSimulated == nil ? nil : instant(after: DispatchTime.now().uptimeNanoseconds &- origin)
  }

  /// What time it is in the network after so many real nanoseconds.
  func instant(after elapsed: UInt64) -> SimulatedInstant {
    let realPerSimulated = realPerSimulated ?? 1
    if realPerSimulated == 1 { return SimulatedInstant(nanoseconds: Int64(elapsed)) }
    let end = SimulatedInstant.endOfTime
    let simulated = Double(elapsed) / realPerSimulated
    return simulated < Double(end.nanoseconds) ? SimulatedInstant(nanoseconds: Int64(simulated)) : end
  }

  /// Says whom to call.
  func start(_ work: @escaping @Sendable () -> Void) {
    listener.withLock { $0 = Listener(tick: work) }
  }

  /// Asks to be called at `time`, unless an earlier call is due anyway.
  func call(at time: SimulatedInstant) {
    guard let realPerSimulated else { return callSoon() }
    let offset = Double(time.nanoseconds) * realPerSimulated
    guard offset < 9e18 else { return }
    let wanted = origin &+ (realPerSimulated == 1 ? UInt64(max(0, time.nanoseconds)) : UInt64(max(0, offset)))
    state.withLock { state in
      let deadline = max(wanted, state.lastCall &+ Self.granularity)
      guard !state.isStopped, deadline < state.armed else { return }
      state.armed = deadline
      if state.timer == nil {
        let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.setEventHandler { [weak self] in self?.fire() }
        timer.resume()
        state.timer = timer
      }
      state.timer?.schedule(deadline: DispatchTime(uptimeNanoseconds: deadline), leeway: .nanoseconds(0))
    }
  }

  /// Asks to be called as soon as may be.
  func callSoon() {
    let mustAsk = state.withLock { state in
      guard !state.isStopped, !state.callsSoon else { return false }
      state.callsSoon = true
      return true
    }
    guard mustAsk else { return }
    queue.async { [weak self] in
      guard let self else { return }
      self.state.withLock { $0.callsSoon = false }
      self.listener.withLock { $0 }?.tick()
    }
  }

  /// Calls after a real time, once.
  func call(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay.wholeNanoseconds)), execute: work)
  }

  /// Calls no more.
  func stop() {
    let timer = state.withLock { state in
      state.isStopped = true
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
    listener.withLock { $0 = nil }
  }

  private func fire() {
    state.withLock { state in
      state.armed = .max
      state.lastCall = DispatchTime.now().uptimeNanoseconds
    }
    listener.withLock { $0 }?.tick()
  }
}
