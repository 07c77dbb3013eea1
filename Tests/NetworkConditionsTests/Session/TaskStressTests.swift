import Internals
import LinkSimulator
import Testing
import Thoroughness

@testable import NetworkConditions
import URLLoading

/// Many tasks, a third of them cancelled at random moments and a third failing: each must end exactly once.
///
/// The network never waits, so the threads race as hard as possible.
@Suite(.serialized) struct TaskStressTests {
  static let rounds = Thoroughness.isWhole ? 20 : 1
  static let tasks = Thoroughness.isWhole ? 1000 : 400

  /// Responds by path: `/ok` in pieces over time, `/fail` with an error after some bytes.
  struct Server: Transport {
    func respond(to request: TransportRequest, with reply: any TransportReply) {
      let fails = request.request.url?.path == "/fail"
      reply.after(.milliseconds(5)) {
        reply.head(ResponseHead(status: 200, headers: [HeaderField("Content-Length", "3000")]))
        for _ in 0..<3 { reply.body(Data(repeating: 7, count: 900)) }
        if fails { return reply.fail(URLError(.networkConnectionLost)) }
        reply.body(Data(repeating: 7, count: 300))
        reply.finish()
      }
    }
  }

  static func network(_ seed: UInt64) -> SimulatedNetwork {
    SimulatedNetwork("3G", seed: seed, pace: .immediate, transport: Server())
  }

  static func url(_ task: Int) -> URL {
    URL(string: "http://stress.example/\(task % 3 == 1 ? "fail" : "ok")")!
  }

  final class Tally: Sendable {
    private struct State {
      var ends: [Int: Int] = [:]
      var waiter: CheckedContinuation<Void, Never>?
      var expected = 0
      var sum = 0
    }
    private let state = Mutex(State())

    func end(_ task: Int) {
      let waiter = state.withLock { state in
        state.ends[task, default: 0] += 1
        state.sum += 1
        guard state.sum == state.expected else { return nil as CheckedContinuation<Void, Never>? }
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }

    func wait(for count: Int) async {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          state.expected = count
          if state.sum >= count { return true }
          state.waiter = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    }

    var endsMoreThanOnce: [Int] { state.withLock { state in state.ends.filter { $0.value != 1 }.map(\.key) } }
    var count: Int { state.withLock { $0.ends.count } }
  }

  @Test func `each of many tasks with completion handlers ends exactly once`() async {
    for round in 0..<Self.rounds {
      let tally = Tally()
      let networks = [Self.network(UInt64(round)), Self.network(UInt64(round) + 1000)]
      let sessions = networks.map { URLSession(configuration: $0.sessionConfiguration) }
      for number in 0..<2 * Self.tasks {
        let session = sessions[number % 2]
        let task = session.dataTask(with: Self.url(number)) { data, _, error in
          if error == nil { #expect(data?.count == 3000) }
          tally.end(number)
        }
        task.resume()
        if number % 3 == 2 { Self.cancelSometime(task, number) }
      }
      await tally.wait(for: 2 * Self.tasks)
      #expect(tally.endsMoreThanOnce.isEmpty)
      Self.end(networks, sessions)
    }
  }

  final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
    let tally: Tally
    let bytes = Mutex<[Int: Int]>([:])
    init(_ tally: Tally) { self.tally = tally }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      bytes.withLock { $0[dataTask.taskIdentifier, default: 0] += data.count }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if error == nil { #expect(bytes.withLock { $0[task.taskIdentifier] } == 3000) }
      tally.end(task.taskIdentifier)
    }
  }

  @Test func `each of many tasks with a delegate ends exactly once`() async {
    for round in 0..<Self.rounds {
      var networks: [SimulatedNetwork] = []
      var sessions: [URLSession] = []
      var tallies: [Tally] = []
      for side in 0..<2 {
        let tally = Tally()
        let network = Self.network(UInt64(round * 2 + side))
        let session = URLSession(
          configuration: network.sessionConfiguration, delegate: Delegate(tally), delegateQueue: nil)
        for number in 0..<Self.tasks {
          let task = session.dataTask(with: Self.url(number))
          task.resume()
          if number % 3 == 2 { Self.cancelSometime(task, number) }
        }
        networks.append(network)
        sessions.append(session)
        tallies.append(tally)
      }
      for tally in tallies {
        await tally.wait(for: Self.tasks)
        #expect(tally.endsMoreThanOnce.isEmpty)
      }
      Self.end(networks, sessions)
    }
  }

  /// Uses the loader's `data(for:)`: Foundation's own can deadlock on Linux when it is cancelled as it ends.
  @Test func `each of many awaited session calls ends exactly once`() async {
    for round in 0..<Self.rounds {
      let networks = [Self.network(UInt64(round)), Self.network(UInt64(round) + 1000)]
      let sessions = networks.map { URLSession(configuration: $0.sessionConfiguration) }
      let tally = Tally()
      await Self.call(sessions, 2 * Self.tasks, tally)
      #expect(tally.endsMoreThanOnce.isEmpty)
      #expect(tally.count == 2 * Self.tasks)
      Self.end(networks, sessions)
    }
  }

  @Test func `each of many awaited calls of the network ends exactly once`() async {
    for round in 0..<Self.rounds {
      let network = Self.network(UInt64(round))
      let tally = Tally()
      await Self.call([network], Self.tasks, tally)
      #expect(tally.endsMoreThanOnce.isEmpty)
      #expect(tally.count == Self.tasks)
      Self.end([network], [])
    }
  }

  /// Awaits so many simultaneous calls, spread over the loaders, and cancels a third of them after a while.
  private static func call(_ loaders: [any HTTPLoader], _ count: Int, _ tally: Tally) async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        let loader = loaders[number % loaders.count]
        group.addTask {
          let call = Task { try await loader.data(for: URLRequest(url: url(number))) }
          if number % 3 == 2 {
            for _ in 0..<number % 17 { await Task.yield() }
            call.cancel()
          }
          if let (data, _) = try? await call.value { #expect(data.count == 3000) }
          tally.end(number)
        }
      }
    }
  }

  /// Cancels at once, or from another thread while the task runs.
  private static func cancelSometime(_ task: URLSessionTask, _ number: Int) {
    if number % 2 == 0 { return task.cancel() }
    DispatchQueue.global().async { task.cancel() }
  }

  /// Every transfer of the networks must have ended, and no exchange may be open.
  private static func end(_ networks: [SimulatedNetwork], _ sessions: [URLSession]) {
    for network in networks {
      let open = network.timeline.transfers.filter { $0.outcome == .running }
      #expect(open.isEmpty)
      #expect(network.engine.look { $0.exchanges.count } == 0)
      network.invalidate()
    }
    for session in sessions { session.finishTasksAndInvalidate() }
  }
}
