import ClientCapture
import Dispatch
import Internals

/// Lets a network's time follow the real clock, at its speed or by a factor.
///
/// Deadlines are absolute, so that delays of single calls do not add up.
final class ClockTime: TimeSource {
  /// The shortest real time between two calls, in nanoseconds; packets within this time are delivered together.
  private static let granularity: UInt64 = 1_000_000

  private struct State {
    var timer: (any DispatchSourceTimer)?
    /// The time for which the timer is set; later events need no further timer.
    var armed = UInt64.max
    var lastCall: UInt64 = 0
    var isStopped = false
  }

  private let realPerSimulated: Double
  /// When the network's time began on the real clock, even for a network that a simulated client makes.
  private let origin = RealTime.run { DispatchTime.uptime }
  private let queue = DispatchQueue(label: "network-conditions.clock", qos: .userInitiated)
  private let transports = DispatchQueue(label: "network-conditions.transport", qos: .userInitiated)
  private let state = Mutex(State())
  private let owner = NetworkReference()

  init(factor: Double) {
    realPerSimulated = 1 / factor
  }

  deinit {
    stop()
  }

  /// The time of the real clock, even on a thread of a simulation.
  var now: SimulatedInstant? { instant(after: RealTime.run { DispatchTime.uptime } &- origin) }

  func instant(after elapsed: UInt64) -> SimulatedInstant {
    if realPerSimulated == 1 { return SimulatedInstant(nanoseconds: Int64(elapsed)) }
    let end = SimulatedInstant.endOfTime
    let simulated = Double(elapsed) / realPerSimulated
    return simulated < Double(end.nanoseconds) ? SimulatedInstant(nanoseconds: Int64(simulated)) : end
  }

  func keepTime(of network: NetworkEngine) { owner.network = network }

  /// Sets the timer for the network's next event, unless it is set for an earlier time.
  func networkRests(_ rest: NetworkRest) {
    guard let next = rest.next else { return }
    let offset = Double(next.nanoseconds) * realPerSimulated
    guard offset < 9e18 else { return }
    let wanted = origin &+ UInt64(max(0, offset))
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

  func perform(_ work: @escaping @Sendable () -> Void) { transports.async(execute: work) }

  func stop() {
    let timer = state.withLock { state in
      state.isStopped = true
      return state.timer.take()
    }
    timer?.cancel()
  }

  private func fire() {
    state.withLock { state in
      state.armed = .max
      state.lastCall = DispatchTime.uptime
    }
    guard let network = owner.network else { return }
    if let now, now >= .endOfTime {
      network.invalidate(because: "The network has run out of time: it has lasted 146 years.")
    } else {
      network.pump()
    }
  }
}
