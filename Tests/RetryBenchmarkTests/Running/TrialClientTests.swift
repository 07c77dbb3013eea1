import NetworkConditions
import RetryPolicies
import Testing
import URLLoading

@testable import RetryBenchmark

/// Tests the records of a custom client, whose attempts are found among the network's transfers.
struct TrialClientTests {
  private static let ours = Candidate("ours") { network, request in _ = try await network.data(for: request) }

  @Test(arguments: ["", "/v1/status"], [Duration.seconds(1), .zero])
  func `a custom client's attempt counts for the request during which it began, whatever its URL`(
    path: String, pause: Duration
  ) async throws {
    let client = Candidate("ours") { network, request in
      let url = try #require(request.url)
      _ = try await network.data(from: path.isEmpty ? url : try #require(URL(string: path, relativeTo: url)))
    }
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<1, workload: Workload(requestsPerClient: 3, think: .constant(pause)))
    let trial = try await benchmark.trial(of: client, under: "wifi", seed: 0)
    #expect(trial.requests.map { $0.attempts.map(\.start) } == trial.requests.map { [$0.start] })
    #expect(trial.requests.count == 3 && trial.requests.allSatisfy { $0.attempts.map(\.kind) == [.original] })
  }

  @Test func `a client that starts a nested simulation ends the benchmark with an error`() async throws {
    let nested = Candidate("nested") { network, request in
      _ = try await Simulation("wifi", seed: 0) { _ in }
      _ = try await network.data(for: request)
    }
    await #expect {
      try await RetryBenchmark(profiles: ["wifi"], seeds: 0..<1).run([nested])
    } throws: { error in
      "\(error)".hasPrefix("The trial wifi/nested/0 could not be completed. A simulation cannot begin inside another")
    }
  }

  @Test func `an attempt of a custom client is a success up to status 399`() async throws {
    let server = ServerModel(
      serviceTime: .seconds(1), capacity: 1, queueLength: 0, overload: .reject(status: 400, retryAfter: nil))
    let benchmark = try RetryBenchmark(
      profiles: ["wifi"], seeds: 0..<1, workload: Workload(clients: 2), server: server)
    let trial = try await benchmark.trial(of: Self.ours, under: "wifi", seed: 0)
    // Two requests arrive at once, and the server accepts one.
    let attempts = trial.requests.flatMap(\.attempts).sorted { $0.outcome < $1.outcome }
    #expect(attempts.map(\.outcome) == ["200", "400"])
    #expect(attempts.map(\.outcomeClass) == [.success, .transientFailure])
  }
}
