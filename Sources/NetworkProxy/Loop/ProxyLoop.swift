import ClientCapture
import Dispatch
import Foundation
import Internals
import NetworkConditions

/// The thread that drives a proxy: it waits for sockets, for the network's time, and for work from other threads.
final class ProxyLoop: Sendable {
  /// The shortest time between two runs of the network, in nanoseconds: events due within it are handled together.
  private static let granularity: UInt64 = 50_000
  private static let sweeping: UInt64 = 500_000_000

  private struct Mail {
    var works: [@Sendable () -> Void] = []
    var isOver = false
  }

  /// The state of the loop, used only by the loop's own thread.
  final class Inside: ControlHost {
    let core: ProxyCore
    let sockets: SystemSockets
    let readiness: any Readiness
    var listeners: [Int32: ProxyConnection.Entrance] = [:]
    var clock: ProxyClock
    var observers: [Int: @Sendable (NetworkEvent) -> Void] = [:]
    private(set) lazy var control = ControlAPI(core: core, host: self)
    /// Whether file descriptors have run out, so that new clients must wait.
    var isExhausted = false
    /// The listening sockets with a waiting client, in turn.
    var knocked: [Int32] = []

    func noteKnock(at listener: Int32) {
      if !knocked.contains(listener) { knocked.append(listener) }
    }

    func closeAll() {
      for connection in Array(core.clients.values) { core.close(connection, resetting: true) }
      sockets.abandonAttempts()
      for listener in listeners.keys { readiness.close(listener) }
      listeners = [:]
    }

    init(core: ProxyCore, sockets: SystemSockets, readiness: any Readiness, clock: ProxyClock) {
      self.core = core
      self.sockets = sockets
      self.readiness = readiness
      self.clock = clock
    }
  }

  private let inside: LoopConfined<Inside>
  private let mail = Mutex(Mail())
  private let bell: LoopConfined<any Readiness>
  private let ended = DispatchSemaphore(value: 0)
  private let name = "network-conditions.proxy"

  init(profile: NetworkProfile, seed: UInt64, timeScale: Double, usesDispatch: Bool) {
    let readiness: any Readiness = usesDispatch ? DispatchReadiness() : preferredReadiness()
    let loop = Locked<WeakReference<ProxyLoop>?>(nil)
    let sockets = SystemSockets(readiness: readiness) { work in loop.value?.object?.post(work) }
    let core = ProxyCore(profile: profile, seed: seed, system: sockets)
    sockets.connected = { [unowned core] in core.connected($0, $1) }
    sockets.isOwn = { [unowned core] in core.isOwn($0) }
    let clock = ProxyClock(factor: timeScale)
    inside = LoopConfined(Inside(core: core, sockets: sockets, readiness: readiness, clock: clock))
    bell = LoopConfined(readiness)
    loop.withLock { $0 = WeakReference(self) }
    // The thread runs in real time even if a simulation starts it, since it serves programs outside.
    RealTime.run {
      let thread = Thread { [self] in
        run(inside.value)
        ended.signal()
      }
      thread.name = name
      thread.stackSize = 1 << 20
      thread.start()
    }
  }

  func post(_ work: @escaping @Sendable () -> Void) {
    mail.withLock { $0.works.append(work) }
    bell.value.wake()
  }

  func perform<Result: Sendable>(_ body: @escaping @Sendable (Inside) -> Result) -> Result? {
    if isInside { return body(inside.value) }
    let result = Locked<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    let inside = inside
    let isOver = mail.withLock { mail in
      guard !mail.isOver else { return true }
      mail.works.append {
        let value = body(inside.value)
        result.withLock { $0 = value }
        done.signal()
      }
      return false
    }
    if isOver { return nil }
    bell.value.wake()
    done.wait()
    return result.value
  }

  /// The loop's own thread, on which observers may call the proxy without waiting.
  private let owner = Locked<ObjectIdentifier?>(nil)
  private var isInside: Bool { owner.value == ObjectIdentifier(Thread.current) }

  func stop() {
    let wasOver = mail.withLock { mail in
      defer { mail.isOver = true }
      return mail.isOver
    }
    if wasOver { return }
    bell.value.wake()
    if !isInside { ended.wait() }
  }

  // MARK: The thread

  private func run(_ inside: Inside) {
    owner.withLock { $0 = ObjectIdentifier(Thread.current) }
    let core = inside.core
    var nextSweep: UInt64 = 0
    while true {
      let (works, isOver) = mail.withLock { mail in
        defer { mail.works = [] }
        return (mail.works, mail.isOver)
      }
      for work in works { work() }
      if isOver { return inside.closeAll() }
      let now = inside.catchUp()
      if now >= nextSweep {
        core.sweep()
        inside.isExhausted = false
        for listener in inside.listeners.keys { inside.noteKnock(at: listener) }
        nextSweep = now + Self.sweeping
      }
      tell(inside)
      var deadline = nextSweep
      if let next = core.nextTime {
        let due = inside.clock.uptime(at: next)
        deadline = min(deadline, due <= now ? now : max(due, now + Self.granularity))
      }
      if !inside.knocked.isEmpty { deadline = now }
      inside.readiness.wait(until: deadline) { socket, change in
        inside.catchUp()
        if inside.listeners[socket] != nil {
          inside.noteKnock(at: socket)
        } else if !inside.sockets.settles(socket, change) {
          core.became(change, socket)
          core.settle()
        }
      }
      acceptInTurn(inside)
    }
  }

  /// Accepts one client from each listening socket that has one waiting.
  ///
  /// The system does not tell the order of clients across sockets; taking one from each in turn approximates it.
  /// Accepting all clients of one socket first would let the queues of the others overflow.
  private func acceptInTurn(_ inside: Inside) {
    let turns = inside.knocked
    inside.knocked = []
    for listener in turns { accept(listener, inside) }
  }

  /// Accepts the next client of a listening socket, and gives the socket another turn.
  private func accept(_ listener: Int32, _ inside: Inside) {
    guard !inside.isExhausted, let entrance = inside.listeners[listener] else { return }
    switch Sockets.accept(listener) {
    case .socket(let socket):
      inside.readiness.watch(socket)
      inside.knocked.append(listener)
      inside.core.accepted(socket, entrance)
    case .nothing: inside.readiness.exhausted(listener, .reading)
    case .exhausted: inside.isExhausted = true
    }
  }

  private func tell(_ inside: Inside) {
    guard !inside.observers.isEmpty else { return }
    let events = inside.core.network.takeEvents()
    guard !events.isEmpty else { return }
    let observers = inside.observers.sorted { $0.key < $1.key }.map(\.value)
    for event in events { for observer in observers { observer(event) } }
  }
}

/// Converts between real time and the network's time, which passes `factor` times as fast.
struct ProxyClock {
  private(set) var factor: Double
  private var realStart = DispatchTime.uptime
  private var simulatedStart: Int64 = 0

  init(factor: Double) {
    self.factor = factor
  }

  func time(at uptime: UInt64) -> SimulatedInstant {
    let elapsed = Int64(clamping: uptime >= realStart ? uptime - realStart : 0)
    let scaled = Double(elapsed) * factor
    // Beyond 292 years `Int64` overflows; a network's time ends before.
    guard scaled < Double(SimulatedInstant.endOfTime.nanoseconds) else { return .endOfTime }
    let simulated = factor == 1 ? elapsed : Int64(scaled)
    return min(SimulatedInstant(nanoseconds: simulatedStart + simulated), .endOfTime)
  }

  func uptime(at time: SimulatedInstant) -> UInt64 {
    let ahead = max(0, time.nanoseconds - simulatedStart)
    let real = factor == 1 ? Double(ahead) : Double(ahead) / factor
    return real < 9e18 ? realStart &+ (factor == 1 ? UInt64(ahead) : UInt64(real.rounded(.up))) : .max
  }

  mutating func setFactor(_ factor: Double) {
    let now = DispatchTime.uptime
    simulatedStart = time(at: now).nanoseconds
    realStart = now
    self.factor = factor
  }
}
