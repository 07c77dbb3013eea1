import Internals
import NetworkConditions
import Testing
import URLLoading

/// Calls of a session to its uncaptured client happen one at a time, at the virtual time of their cause.
struct SessionCallTests {
  private static let runs = 50
  private let feed = url("https://api.example.com/feed")

  /// Repeats a client's run beside a client with a constantly ticking clock, which delays work that is not awaited.
  private func times(
    _ client: @escaping @Sendable (SimulatedNetwork) async throws -> [SimulatedInstant]
  ) async throws -> Set<[SimulatedInstant]> {
    var found: Set<[SimulatedInstant]> = []
    for _ in 0..<Self.runs {
      let times = try await Simulation("wifi", seed: 1) { network in
        try await withThrowingTaskGroup(of: [SimulatedInstant].self) { group in
          group.addTask {
            for _ in 0..<200 { try await network.clock.sleep(for: .microseconds(100)) }
            return []
          }
          group.addTask { try await client(network) }
          return try await group.reduce(into: []) { $0 += $1 }
        }
      }.value
      found.insert(times)
    }
    return found
  }

  @Test func `a session answers questions about its tasks without virtual time passing`() async throws {
    let expected = SimulatedInstant.zero.advanced(by: .milliseconds(5))
    let times = try await times { network in
      try await network.clock.sleep(for: .milliseconds(5))
      let ended = Ended(network)
      let session = network.session(delegate: ended)
      let tasks = await withCheckedContinuation { waiter in session.getAllTasks { waiter.resume(returning: $0.count) } }
      let asked = network.now
      await withCheckedContinuation { waiter in
        ended.waiter.withLock { $0 = waiter }
        session.finishTasksAndInvalidate()
      }
      #expect(tasks == 0)
      return [asked, ended.time.withLock { $0 }, network.now]
    }
    #expect(times == [[expected, expected, expected]])
  }

  @Test func `a delegate that starts a request in each completion receives all completions`() async throws {
    let chains = try await times { network in
      network.stub("/feed", with: .text("x"))
      let chain = Chain(network, feed)
      let session = network.session(delegate: chain)
      await withCheckedContinuation { waiter in
        chain.state.withLock { $0.waiter = waiter }
        session.dataTask(with: feed).resume()
      }
      session.finishTasksAndInvalidate()
      return chain.state.withLock { $0.ends }
    }
    #expect(chains.count == 1)
    #expect(chains.first?.count == Chain.length)
  }
}

/// Records when its session has ended.
private final class Ended: NSObject, URLSessionDelegate {
  let network: SimulatedNetwork
  let time = Mutex(SimulatedInstant.zero)
  let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)

  init(_ network: SimulatedNetwork) { self.network = network }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    time.withLock { $0 = network.now }
    waiter.withLock { $0 }?.resume()
  }
}

/// Makes requests one after another, each in the completion call of the previous one.
private final class Chain: NSObject, URLSessionDataDelegate {
  struct State {
    var ends: [SimulatedInstant] = []
    var waiter: CheckedContinuation<Void, Never>?
    /// Whether a call is being made.
    var isCalled = false
  }
  static let length = 8
  let network: SimulatedNetwork
  let feed: URL
  let state = Mutex(State())

  init(_ network: SimulatedNetwork, _ feed: URL) {
    self.network = network
    self.feed = feed
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    #expect(error == nil)
    let count = state.withLock { state in
      #expect(!state.isCalled)
      state.isCalled = true
      state.ends.append(network.now)
      return state.ends.count
    }
    if count < Self.length {
      let next = session.dataTask(with: feed)
      next.resume()
      #expect(next.state == .running)
    } else {
      state.withLock { $0.waiter }?.resume()
    }
    state.withLock { $0.isCalled = false }
  }
}
