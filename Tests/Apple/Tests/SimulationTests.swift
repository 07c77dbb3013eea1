import AppleURLLoading
import NetworkConditions
import Testing

/// Virtual time for clients on URLSession, as it is on Apple platforms.
@Suite(.serialized) struct SimulationTests {
  private static let feed = LoadingTests.url("feed")

  /// Five requests with back-offs, by whatever loads.
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
  func `a session takes the time that the network's own calls take, each time`(_ profile: String) async throws {
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
    #expect(LoadingContract.takeBreaches() == [])
  }

  @Test func `requests beside each other take one course`() async throws {
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

  @Test func `a cancelled request ends at the instant of its cancellation`() async throws {
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

  @Test func `a session of the client's own is refused, with what to take instead`() async throws {
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

  @Test func `a request of a session of the client's own that is under way is refused`() async throws {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 5) { network in
        network.stub("/feed", with: .text("x"))
        let session = URLSession(configuration: network.sessionConfiguration)
        session.dataTask(with: Self.feed) { _, _, _ in }.resume()
        // In earnest, until the system has begun.
        usleep(200_000)
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
