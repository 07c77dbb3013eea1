import RetryPolicies
import Testing
import URLLoading

struct Patient: RetryPolicy {
  func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .retry(after: random.duration(from: .seconds(1), to: .seconds(5)))
  }
}

extension RetryPoliciesTests {
  /// The documentation's examples, compiled and run.
  struct ExampleTests {
    /// The page's example, only compiled: a run would use a real server.
    private func retried(_ session: URLSession, _ request: URLRequest) async throws {
      let policy = FullJitterBackoff().maximumAttempts(4).perTryTimeout(.seconds(5)).deadline(.seconds(20))
      let (data, response) = try await session.data(for: request, retry: policy)
      _ = (data, response)
    }

    private struct Parser { func take(_ chunk: Data) {} }

    /// The example of the page on downloads, only compiled.
    private func resumed(
      _ session: URLSession, _ request: URLRequest, _ policy: FullJitterBackoff, _ parser: Parser
    ) async throws {
      let (file, head) = try await session.download(for: request, retry: policy)
      let (chunks, _) = try await session.chunks(for: request, retry: policy)
      for try await chunk in chunks { parser.take(chunk) }
      _ = (file, head)
    }

    @Test func `the documentation's examples of answers, request changes, network waits and load shedding work`()
      async throws
    {
      let loader = RequestLoader { request in
        let answer = request.value(forHTTPHeaderField: "Authorization") ?? request.value(forHTTPHeaderField: "Attempt")
        return (
          Data((answer ?? "").utf8),
          HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!
        )
      }
      @Sendable func signIn() async throws -> String { "secret" }
      @Sendable func online() async {}
      func send(_ policy: some RetryPolicy) async throws -> String {
        let request = URLRequest(url: URL(string: "https://example.com")!)
        return String(decoding: try await loader.data(for: request, retry: policy).0, as: UTF8.self)
      }
      let pending = FullJitterBackoff().retrying { $0.response.status == 202 && $0.body == Data("pending".utf8) }
      #expect(try await send(pending) == "")
      let token = AccessToken { try await signIn() }
      let authorized = FullJitterBackoff().authorized(by: token)
      #expect(try await send(authorized) == "Bearer secret")
      let numbered = FullJitterBackoff().preparing { request, plan in
        request.setValue("\(plan.number)", forHTTPHeaderField: "Attempt")
      }
      #expect(try await send(numbered) == "1")
      let patient = FullJitterBackoff().waitingForPath { await online() }
      let shedding = FullJitterBackoff().shedding(by: LoadShedder())
      #expect(try await send(patient) == "")
      #expect(try await send(shedding) == "")
    }

    @Test func `the documentation's policy plan is parsed, and written without its default values`() throws {
      let plan = try RetryPolicyPlan("grpc(attempts 4, backoff 1 s..5 s x1.6, throttle 10/0.1) + per-try(5 s)")
      let policy = plan.make()
      #expect(policy.rules.maximumAttempts == 4 && policy.rules.perTryTimeout == .seconds(5))
      #expect(plan.description == "grpc(backoff 1 s..5 s x1.6) + per-try(5 s)")
    }

    @Test func `a custom policy with a single method decides the waits of its retries`() {
      let delays = Patient().delays(9)
      #expect(delays.count == 9 && delays.allSatisfy { $0 >= .seconds(1) && $0 < .seconds(5) })
    }

    @Test func `a custom loader can send a request with each policy of the documentation`() async throws {
      let loader = RequestLoader { request in
        (Data("hello".utf8), HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!)
      }
      let request = URLRequest(url: URL(string: "https://example.com")!)
      // No time limit: this runs in real time, and a busy machine may exceed any limit.
      #expect(try await loader.data(for: request, retry: FullJitterBackoff().maximumAttempts(4)).0.count == 5)
      #expect(try await loader.data(for: request, retry: FullJitterBackoff()).0.count == 5)
      let shared = FullJitterBackoff().budgeted(by: RetryBudget()).guarded(by: CircuitBreaker())
      #expect(try await loader.data(for: request, retry: shared).0.count == 5)
      let adaptive = FullJitterBackoff().hedged(after: LatencyPercentile(95)).limited(by: Bulkhead(limits: 20...200))
      #expect(try await loader.data(for: request, retry: adaptive).0.count == 5)
      let named = try RetryPolicyCatalogue.named("full-jitter").maximumAttempts(5).throttled(by: RetryThrottle())
      #expect(try await loader.data(for: request, retry: named).0.count == 5)
    }
  }
}
