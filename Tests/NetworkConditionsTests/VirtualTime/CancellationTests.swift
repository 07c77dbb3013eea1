import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@Suite struct CancellationTests {
  /// A client that gives up its only request at a deadline, by the session's own call, and asks again.
  private static let impatient: @Sendable (SimulatedNetwork) async throws -> Int = { network in
    network.stub("/**", with: .sequence([.never, .text("at last")]))
    let request = URLRequest(url: URL(string: "https://api.example.com/slow") ?? URL(fileURLWithPath: "/"))
    for attempt in 1...3 {
      let count = await withTaskGroup(of: Int?.self) { race in
        race.addTask { try? await network.session.data(for: request, delegate: nil).0.count }
        race.addTask {
          // The second deadline has passed before the request is sent.
          try? await network.clock.sleep(for: .seconds(attempt == 2 ? 0 : 5))
          return nil
        }
        let first = await race.next() ?? nil
        race.cancelAll()
        return first
      }
      if let count { return count }
      try await network.clock.sleep(for: .seconds(1))
    }
    return 0
  }

  @Test func `a cancellation that stops the only request is over before time goes on`() async throws {
    var hashes: Set<TraceHash> = []
    for _ in 0..<100 {
      let run = try await Simulation("wifi", seed: 1, Self.impatient)
      #expect(run.value > 0 && run.elapsed < .seconds(9))
      #expect(run.escapes == 0)
      hashes.insert(run.traceHash)
    }
    #expect(hashes.count == 1)
  }
}
