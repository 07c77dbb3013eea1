import Internals
import LinkSimulator
import NetworkConditions
import URLLoading

/// Hundreds of requests while threads cancel and suspend them, change the profile and end the network.
///
/// Each request must end exactly once, nothing may trap, and no network may leak.
enum Stress {
  static func run() async throws {
    try await show("as fast as it can, 60 s", seconds: 60)
    try await withBusyProcessors { try await show("the same, every processor busy", seconds: 60) }
  }

  private static func show(_ what: String, seconds: Int) async throws {
    let (process, output) = try Child.start(["stress", "\(seconds)"])
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = text.split(separator: "\n").map(String.init)
    for line in lines.dropLast() { print("  \(line)") }
    let end = process.terminationStatus == 0 ? "" : ", and then a crash: \(process.terminationStatus)"
    report(what, (lines.last ?? "nothing") + end, goal: "0 without an end, 0 ended twice, 0 networks left, no crash")
  }

  /// Runs rounds until the deadline.
  static func child(_ arguments: [String]) async {
    let first = UInt64(arguments.number(1, usual: 0))
    let deadline = seconds() + Double(arguments.number(0, usual: 10))
    var totals = Totals()
    var megabytes: [Double] = []
    while seconds() < deadline {
      let round = StressRound(seed: first + UInt64(totals.rounds))
      await round.run(&totals)
      totals.rounds += 1
      let network = WeakReference(round.network)
      round.network = nil
      if await !settles({ network.object == nil }) {
        totals.left += 1
        print("round \(totals.rounds - 1): the network stays")
      }
      if totals.rounds.isMultiple(of: 20) { megabytes.append(currentMegabytes()) }
    }
    let quarters = megabytes.isEmpty ? [] : [megabytes.count / 4, megabytes.count / 2, megabytes.count - 1]
    print(
      "\(totals.requests) requests in \(totals.rounds) rounds: \(totals.open) without an end, \(totals.twice) ended twice, "
        + "\(totals.left) networks left, "
        + quarters.map { megabytes[$0].fixed(0) }.joined(separator: ", ") + " MB after a quarter, half and all")
  }

  struct Totals {
    var rounds = 0
    var requests = 0
    var open = 0
    var twice = 0
    var left = 0
  }
}

/// Waits until a condition holds, at most 20 s.
func settles(_ condition: () -> Bool) async -> Bool {
  let start = seconds()
  while !condition() {
    if seconds() - start > 20 { return false }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return true
}

/// One network with its requests and the threads that disturb them.
private final class StressRound: @unchecked Sendable {
  private static let count = 300
  private static let profiles = ["3G", "tunnel", "flaky", "wifi", "unlimited", "satellite", "offline"]
  /// The profiles under which no request fails.
  private static let gentle = ["3G", "wifi", "unlimited", "satellite"]

  // Set to nil by the round's owner after the round.
  var network: SimulatedNetwork?
  private let random: KeyedRandom
  /// Whether this round suspends tasks; then no task may end meanwhile.
  ///
  /// On Linux a `resume()` between a task's last callback and its end traps in Foundation, with any protocol class:
  /// `URLSessionTask.resume()` no longer finds the protocol.
  private let suspends: Bool
  private let endings = Mutex([Int](repeating: 0, count: count))
  private let tasks = Mutex<[URLSessionTask]>([])
  private let isOver = Mutex(false)
  private let threads = Mutex(0)

  init(seed: UInt64) {
    random = KeyedRandom(seed: seed)
    suspends = random.keyed(by: 4).bits.isMultiple(of: 2)
    // An immediate network whose responses are held advances to the timeouts once its patience is over.
    let pace: Pace = suspends || random.keyed(by: 1).bits.isMultiple(of: 2) ? .scaled(1_000) : .immediate
    let profile = Self.profile(random.keyed(by: 2), suspends)
    network = SimulatedNetwork(profile, seed: seed, pace: pace)
  }

  private static func profile(_ draw: KeyedRandom, _ suspends: Bool) -> String {
    let profiles = suspends ? gentle : profiles
    return profiles[Int(draw.bits % UInt64(profiles.count))]
  }

  func run(_ totals: inout Stress.Totals) async {
    guard let network else { return }
    network.stub("/text", with: .json("[1, 2, 3]"))
    network.stub("/long", with: .bytes(count: 60_000))
    network.stub("/late", with: .text("x").after(.seconds(5)))
    network.stub("/away", with: .redirect(to: "/text"))
    let held = network.stub("/held", with: .text("x"))
    if suspends { held.hold() }
    network.stub("/pieces", with: .stream([(.zero, Data(count: 500)), (.milliseconds(300), Data(count: 500))]))
    let sink = StressDelegate { [weak self] in self?.end($0, $1) }
    let delegated = network.session(delegate: sink)
    let plain = network.session(delegate: nil)
    for number in 0..<3 { onThread { $0.disturb(number, network) } }
    for thread in 0..<3 {
      onThread { round in
        for number in stride(from: thread, to: Self.count, by: 3) { round.start(number, delegated, plain, network) }
      }
    }
    // The threads that start requests end by themselves.
    _ = await settles { threads.withLock { $0 <= 3 } }
    isOver.withLock { $0 = true }
    _ = await settles { threads.withLock { $0 == 0 } }
    held.release()
    network.goOnline()
    let endsNetwork = random.keyed(by: 3).bits.isMultiple(of: 2)
    if endsNetwork { network.invalidate() }
    _ = await settles { endings.withLock { !$0.contains(0) } }
    totals.requests += Self.count
    totals.open += endings.withLock { $0.count { $0 == 0 } }
    totals.twice += endings.withLock { $0.count { $0 > 1 } }
    for (number, count) in endings.withLock({ $0 }).enumerated() where count != 1 {
      print("round with seed \(network.seed): request \(number) of kind \(kind(number)) ended \(count) times")
    }
    fflush(nil)
    network.invalidate()
    delegated.invalidateAndCancel()
    plain.invalidateAndCancel()
    tasks.withLock { $0 = [] }
  }

  /// Runs `work` on a new thread, since blocking would occupy the cooperative pool.
  private func onThread(_ work: @escaping @Sendable (StressRound) -> Void) {
    threads.withLock { $0 += 1 }
    Thread { [self] in
      work(self)
      threads.withLock { $0 -= 1 }
    }.start()
  }

  private func kind(_ number: Int) -> UInt64 { random.keyed(by: 10).keyed(by: UInt64(number)).bits % 5 }

  private func end(_ number: Int, _ error: (any Error)?) {
    endings.withLock { $0[number] += 1 }
    if suspends, !isOver.withLock({ $0 }), (error as? URLError)?.code != .cancelled {
      print("request \(number) of kind \(kind(number)) ended too early: \(String(describing: error))")
      fflush(nil)
    }
  }

  private func start(_ number: Int, _ delegated: URLSession, _ plain: URLSession, _ network: SimulatedNetwork) {
    let draw = random.keyed(by: 11).keyed(by: UInt64(number))
    let path = suspends ? "held" : ["text", "long", "late", "away", "pieces"][Int(draw.bits % 5)]
    guard let url = URL(string: "https://api.example.com/\(path)") else { return }
    var request = URLRequest(url: url)
    request.timeoutInterval = suspends ? 1e8 : 20
    let task: URLSessionTask
    switch kind(number) {
    case 0:
      // Foundation's `data(for:)` may hang when it is cancelled; use the network's own call.
      let final = request
      let call = Task.detached { [weak self] in
        do {
          _ = try await network.data(for: final)
          self?.end(number, nil)
        } catch {
          self?.end(number, error)
        }
      }
      if draw.keyed(by: 1).bits.isMultiple(of: 3) { call.cancel() }
      return
    case 1:
      task = delegated.dataTask(with: request)
      task.taskDescription = "\(number)"
    case 2:
      request.httpMethod = "POST"
      task = plain.uploadTask(with: request, from: Data(count: 5_000)) { [weak self] in self?.end(number, $2) }
    case 3:
      request.httpMethod = "PUT"
      request.httpBody = Data(count: 300)
      task = delegated.dataTask(with: request)
      task.taskDescription = "\(number)"
    default: task = plain.dataTask(with: request) { [weak self] in self?.end(number, $2) }
    }
    task.resume()
    tasks.withLock { $0.append(task) }
  }

  /// Disturbs the network and its tasks until the round is over.
  private func disturb(_ thread: Int, _ network: SimulatedNetwork) {
    var step: UInt64 = 0
    while !isOver.withLock({ $0 }) {
      step += 1
      let draw = random.keyed(by: 20 + UInt64(thread)).keyed(by: step)
      let task = tasks.withLock { $0.isEmpty ? nil : $0[Int(draw.keyed(by: 1).bits % UInt64($0.count))] }
      switch draw.bits % 12 {
      case 0: try? network.use(Self.profile(draw.keyed(by: 2), suspends))
      case 1 where !suspends: network.goOffline(draw.keyed(by: 2).bits.isMultiple(of: 2) ? .drop : .refuse)
      case 2, 3: network.goOnline()
      case 4: _ = network.timeline.transfers.count
      case 5, 6: task?.cancel()
      case 7...9 where suspends:
        task?.suspend()
        if draw.keyed(by: 2).bits.isMultiple(of: 2) { usleep(UInt32(draw.keyed(by: 3).bits % 300)) }
        task?.resume()
      case 10 where !suspends && step > 400 && draw.keyed(by: 2).bits % 50 == 0: network.invalidate()
      default: usleep(UInt32(draw.keyed(by: 3).bits % 200))
      }
    }
  }
}

private final class StressDelegate: NSObject, URLSessionDataDelegate {
  private let end: @Sendable (Int, (any Error)?) -> Void

  init(_ end: @escaping @Sendable (Int, (any Error)?) -> Void) { self.end = end }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    task.taskDescription.flatMap { Int($0) }.map { end($0, error) }
  }
}
