import AppleFoundation
import NetworkConditions
import Synchronization
import Testing

/// Clients on URLSession in virtual time, on Apple platforms.
@Suite(.serialized) struct SimulationTests {
  private static let feed = LoadingTests.url("feed")

  /// Makes four requests with growing pauses, each by the given call.
  private static func client(
    _ network: SimulatedNetwork, _ load: @Sendable (URL) async throws -> Data
  ) async throws -> Int {
    network.stub("/feed", with: .sequence([.status(503), .bytes(count: 40_000), .status(503), .bytes(count: 9_000)]))
    var count = 0
    for delay in 1..<5 {
      count += (try? await load(feed).count) ?? 0
      try await network.clock.sleep(for: .milliseconds(100 * delay))
    }
    return count
  }

  @Test(arguments: ["3G", "tunnel", "flaky"])
  func `a session takes exactly as long as the network's own calls for equal requests`(_ profile: String) async throws {
    for seed in 0..<10 {
      let own = try await Simulation(profile, seed: UInt64(seed)) { network in
        try await Self.client(network) { try await network.data(from: $0).0 }
      }
      let ours = try await Simulation(profile, seed: UInt64(seed)) { network in
        let session = network.session
        return try await Self.client(network) { try await session.data(from: $0).0 }
      }
      #expect(try own.value == ours.value)
      #expect(own.elapsed == ours.elapsed)
    }
  }

  @Test func `a request that assumes HTTP/3 uses HTTP/3 at once, without waiting for Alt-Svc`() async throws {
    let profile = try NetworkProfile(
      json: Data(#"{ "name": "new", "http": { "version": "3" }, "http3": { "announced": "Alt-Svc" } }"#.utf8))
    for assumes in [true, false] {
      let run = try await Simulation(profile) { network in
        network.stub("/*", with: .text("a"))
        var request = URLRequest(url: Self.feed)
        request.assumesHTTP3Capable = assumes
        _ = try await network.session.data(for: request)
      }
      #expect(run.timeline.transfers.map(\.version.rawValue) == [assumes ? "3" : "2"])
    }
  }

  @Test func `a run of five parallel requests has the same result and duration each time`() async throws {
    var courses: Set<String> = []
    for _ in 0..<20 {
      let run = try await Simulation("3G", seed: 5) { network in
        network.stub("/*", with: .bytes(count: 30_000))
        let session = network.session
        return try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 0..<5 {
            group.addTask { try await session.data(from: LoadingTests.url("\(number)")).0.count }
          }
          return try await group.reduce(0, +)
        }
      }
      courses.insert("\(try run.value) \(run.elapsed)")
    }
    #expect(courses.count == 1)
  }

  @Test func `a cancelled request ends at the virtual instant of its cancellation`() async throws {
    let run = try await Simulation("3G", seed: 5) { network in
      network.stub("/feed", with: .bytes(count: 3_000_000))
      let session = network.session
      await withTaskGroup { group in
        group.addTask { _ = try? await session.data(from: Self.feed) }
        try? await network.clock.sleep(for: .seconds(1))
        group.cancelAll()
      }
    }
    #expect(run.elapsed == .seconds(1))
  }

  @Test func `a run with a cancelled request has the same transfers each time`() async throws {
    var courses: Set<[String]> = []
    for _ in 0..<20 {
      let run = try await Simulation("3G", seed: 5) { network in
        network.stub("/*", with: .bytes(count: 300_000))
        let session = network.session
        await withTaskGroup { group in
          group.addTask { _ = try? await session.data(from: Self.feed) }
          try? await network.clock.sleep(for: .seconds(1))
          group.cancelAll()
        }
        _ = try await session.data(from: LoadingTests.url("next"))
        return network.timeline.transfers.map(\.summary)
      }
      courses.insert(try run.value)
    }
    #expect(courses.count == 1)
  }

  @Test func `an invalidated session does not delay the end of a run`() async throws {
    let run = try await Simulation("3G", seed: 5) { network in
      let session = network.session(delegate: nil)
      session.finishTasksAndInvalidate()
      try await network.clock.sleep(for: .seconds(1))
      withExtendedLifetime(session) {}
    }
    #expect(run.elapsed == .seconds(1))
  }

  @Test func `a simulation refuses a session whose delegate queue is suspended`() async throws {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 5) { network in
        let queue = OperationQueue()
        queue.isSuspended = true
        let session = network.session(delegate: nil, delegateQueue: queue)
        try await network.clock.sleep(for: .seconds(1))
        withExtendedLifetime(session) {}
      }
    }
    #expect("\(try #require(error))".contains("delegate queue"))
  }

  /// Records when tasks complete.
  private final class Listener: NSObject, URLSessionTaskDelegate, Sendable {
    let network: SimulatedNetwork
    let ends = Mutex<[SimulatedInstant]>([])

    init(_ network: SimulatedNetwork) { self.network = network }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      ends.withLock { $0.append(network.now) }
    }
  }

  @Test func `a run with three sessions has the same completion times each time`() async throws {
    var courses: Set<[SimulatedInstant]> = []
    for _ in 0..<20 {
      let run = try await Simulation("3G", seed: 5) { network in
        network.stub("/*", with: .bytes(count: 30_000))
        let listener = Listener(network)
        let sessions = [network.session(delegate: listener), network.session(with: .default, delegate: listener)]
        for (number, session) in sessions.enumerated() {
          session.dataTask(with: LoadingTests.url("\(number)")).resume()
          try await network.clock.sleep(for: .milliseconds(10))
        }
        _ = try await network.session.data(from: LoadingTests.url("third"))
        try await network.clock.sleep(for: .seconds(60))
        return listener.ends.withLock { $0 }
      }
      courses.insert(try run.value)
    }
    #expect(courses.count == 1 && courses.first?.count == 2)
  }

  @Test func `a simulation refuses requests that two sessions make at one instant`() async throws {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 5) { network in
        network.stub("/*", with: .bytes(count: 30_000))
        for number in 0..<2 { network.session(delegate: nil).dataTask(with: LoadingTests.url("\(number)")).resume() }
        try await network.clock.sleep(for: .seconds(60))
      }
    }
    #expect("\(try #require(error))".contains("Requests of 2 sessions at the same instant"))
  }

  @Test func `a simulation refuses a session that the client made and names a remedy`() async throws {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 5) { network in
        network.stub("/feed", with: .text("x"))
        let session = URLSession(configuration: network.sessionConfiguration)
        _ = try await session.data(from: Self.feed)
      }
    }
    guard case .notCaptured(_, _, let remedy) = error else {
      Issue.record("it ended with \(String(describing: error))")
      return
    }
    #expect(remedy.contains("network.session") || remedy.contains("URLSession"))
  }

  @Test func `a simulation refuses a client-made session even when its request is not awaited`() async throws {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 5) { network in
        network.stub("/feed", with: .text("x"))
        let session = URLSession(configuration: network.sessionConfiguration)
        session.dataTask(with: Self.feed) { _, _, _ in }.resume()
        try await network.clock.sleep(for: .seconds(60))
      }
    }
    guard case .notCaptured(let call, _, _) = error else {
      Issue.record("it ended with \(String(describing: error))")
      return
    }
    #expect(call.contains("URLSession"))
  }
}
