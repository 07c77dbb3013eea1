import Dispatch
import NetworkConditions
import Testing
import URLLoading

/// Uncaptured clients that call a simulation from foreign threads: their runs end at once.
struct ForeignThreadTests {
  private static let feed = url("https://api.example.com/feed")

  /// The calls that a client makes from a foreign thread.
  enum Stranger: CaseIterable {
    case resumesOnQueue, spawnsTask, spawnsTaskForOwnCall, sleepsOnRealClock, sleepsInSpawnedTask
    case delaysOnQueue

    func come(to network: SimulatedNetwork) async throws {
      switch self {
      case .resumesOnQueue:
        await withCheckedContinuation { end in
          DispatchQueue.global().async { network.session.dataTask(with: feed) { _, _, _ in end.resume() }.resume() }
        }
      case .spawnsTask: _ = try await Task { try await network.session.data(from: feed) }.value
      case .spawnsTaskForOwnCall: _ = try await Task { try await network.data(for: URLRequest(url: feed)) }.value
      case .sleepsOnRealClock: try await Task.sleep(for: .milliseconds(300))
      case .sleepsInSpawnedTask: try await Task { try await network.clock.sleep(for: .seconds(1)) }.value
      case .delaysOnQueue:
        await withCheckedContinuation { end in
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(300)) { end.resume() }
        }
      }
    }
  }

  #if canImport(FoundationNetworking)
    private static let refused = Stranger.allCases
  #else
    /// On Apple platforms a session starts its requests on its own threads, so the resuming thread is unknown.
    private static let refused = Stranger.allCases.filter { ![.resumesOnQueue, .spawnsTask].contains($0) }
  #endif

  @Test(arguments: refused)
  func `a call from a foreign thread ends the run with an error that names a remedy`(_ stranger: Stranger)
    async throws
  {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation("3G", seed: 1, capturing: .nothing) { network in
        network.stub("/feed", with: .text("x"))
        try await stranger.come(to: network)
      }
    }
    // The simulation may first notice the foreign thread's call, or that the closure waits for that thread.
    switch error {
    case .notCaptured(_, _, let remedy), .unseenWait(_, let remedy): #expect(remedy.contains(remedyForRefused))
    default: Issue.record("it threw \(String(describing: error))")
    }
  }

  #if os(Linux)
    @Test func `the error for a task on the main actor names the task's source file`() async throws {
      let error = await #expect(throws: SimulationError.self) {
        try await Simulation("3G", seed: 1, capturing: .nothing) { _ in await Self.goToMainActor() }
      }
      let text = try #require(error).description
      #expect(text.contains("A task continued from a thread") && text.contains("ForeignThreadTests.swift:"), "\(text)")
    }

    private static func goToMainActor() async { await MainActor.run {} }
  #endif

  @Test func `a chain of completion handlers has the same trace hash in each run`() async throws {
    var courses: Set<String> = []
    for _ in 0..<50 {
      let run = try await Simulation("tunnel", seed: 1, capturing: .nothing) { network in
        network.stub("/feed", with: .bytes(count: 2_000))
        await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
          @Sendable func load(_ left: Int) {
            guard left > 0 else { return end.resume() }
            network.session.dataTask(with: Self.feed) { _, _, _ in load(left - 1) }.resume()
          }
          load(12)
        }
      }
      courses.insert("\(run.elapsed) \(run.traceHash)")
    }
    #expect(courses.count == 1)
  }
}
