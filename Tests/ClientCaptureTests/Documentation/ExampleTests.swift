import NetworkConditions
import Internals
import Testing
import URLLoading

#if os(Linux)
  /// The examples of the documentation compile and behave as documented.
  @Suite(.enabled(if: CaptureMode.obstacle == nil)) struct ExampleTests {
    private struct SleepyClient {
      let session: URLSession

      func load() async throws -> Int {
        for attempt in 0..<5 {
          let (data, response) = try await session.data(from: URL(string: "https://api.example.com/feed")!)
          if (response as? HTTPURLResponse)?.statusCode == 200 { return data.count }
          try await Task.sleep(for: .seconds(1 << attempt))
        }
        throw URLError(.timedOut)
      }
    }

    @Test func `an unmodified client that sleeps between retries runs in virtual time`() async throws {
      let run = try await Simulation("3G", seed: 42) { network in
        network.stub("/feed", with: .sequence([.status(503), .status(503), .text("done")]))
        return try await SleepyClient(session: network.session).load()
      }
      #expect(run.value == 4)
      #expect(run.elapsed > .seconds(3) && run.elapsed < .seconds(10))
    }
  }
#endif
