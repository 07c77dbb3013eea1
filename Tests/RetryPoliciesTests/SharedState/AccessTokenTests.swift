import Internals
import RetryPolicies
import Testing
import URLLoading

extension RetryPoliciesTests {
  /// The server accepts one token at a time; all requests of the client share the token.
  struct AccessTokenTests {
    private final class World: Sendable {
      let clock = TestClock()
      /// The token that the server takes now, and how many were fetched.
      let server = Mutex((token: 1, fetches: 0))

      /// Creates a token whose fetch takes a second.
      func token() -> AccessToken {
        AccessToken { [self] in
          try await clock.sleep(for: .seconds(1))
          return server.withLock { server in
            server.fetches += 1
            return "t\(server.token)"
          }
        }
      }

      func loader(refuses: Bool = false) -> RequestLoader {
        RequestLoader { [self] request in
          try await clock.sleep(for: .milliseconds(10))
          let isKnown = server.withLock { request.value(forHTTPHeaderField: "Authorization") == "Bearer t\($0.token)" }
          return (
            Data(),
            HTTPURLResponse(
              url: request.url!, statusCode: isKnown && !refuses ? 200 : 401, httpVersion: nil, headerFields: nil)!
          )
        }
      }

      /// Sends a request and returns its status.
      func send(_ loader: RequestLoader, _ policy: some RetryPolicy, method: String = "GET") async throws -> Int {
        var request = URLRequest(url: URL(string: "https://example.com/")!)
        request.httpMethod = method
        let (_, response) = try await loader.data(
          for: request, retry: policy, clock: RetryClock(clock, origin: .init(time: .zero)))
        return (response as? HTTPURLResponse)?.statusCode ?? 0
      }
    }

    @Test func `only the current token can expire`() async throws {
      let fetches = Mutex(0)
      let token = AccessToken {
        fetches.withLock { fetches in
          fetches += 1
          return "t\(fetches)"
        }
      }
      #expect(try await token.value() == "t1")
      token.expire("t0")
      #expect(try await token.value() == "t1")
      token.expire("t1")
      #expect(try await token.value() == "t2")
    }

    @Test func `after a cancelled fetch the next request fetches the token`() async throws {
      let fetches = Mutex(0)
      let token = AccessToken {
        if fetches.withLock({ fetches in
          fetches += 1
          return fetches == 1
        }) {
          withUnsafeCurrentTask { $0?.cancel() }
          throw CancellationError()
        }
        return "t"
      }
      await #expect(throws: CancellationError.self) { try await Task { try await token.value() }.value }
      #expect(try await token.value() == "t")
      #expect(fetches.withLock(\.self) == 2)
    }

    @Test func `a request that was cancelled before it asks for the token gets none`() async throws {
      let token = AccessToken { "t" }
      await #expect(throws: URLError(.cancelled)) {
        try await Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await token.value()
        }.value
      }
    }

    @Test func `a refused token does not use up an attempt of the wrapped policy`() {
      let policy = FixedBackoff(delay: .seconds(5)).maximumAttempts(3).authorized(by: World().token())
      func decision(_ statuses: Int...) -> RetryDecision {
        let attempts = statuses.enumerated().map { index, status in
          RetryAttempt(
            plan: AttemptPlan(number: index + 1, kind: index == 0 ? .original : .retry), end: .zero,
            outcome: .response(ResponseFacts(status: status)), outcomeClass: .transientFailure)
        }
        var random = RetryRandom(seed: 1)
        return policy.decision(
          after: attempts[attempts.count - 1], of: RetryRequest(attempts: attempts), random: &random)
      }
      #expect(decision(401, 503, 503) == .retry(after: .seconds(5)))
      #expect(decision(401, 503, 503, 503) == .stop)
      #expect(decision(503, 503, 503) == .stop)
    }

    @Test func `a refused token does not lengthen the backoff, even with hedges`() {
      let refused = RetryAttempt(
        plan: AttemptPlan(number: 1, kind: .original), end: .zero, outcome: .response(401),
        outcomeClass: .transientFailure)
      let failed = RetryAttempt(
        plan: AttemptPlan(number: 2, kind: .retry), end: .zero, outcome: .response(503), outcomeClass: .transientFailure
      )
      for base in [ExponentialBackoff(), ExponentialBackoff().hedged(after: .seconds(1))] as [any RetryPolicy] {
        var random = RetryRandom(seed: 1)
        #expect(
          base.authorized(by: World().token()).decision(
            after: failed, of: RetryRequest(attempts: [refused, failed]), random: &random)
            == .retry(after: .milliseconds(100)))
      }
    }

    @Test func `two copies of a request that both get a 401 lead to a single retry`() {
      let policy = FixedBackoff().hedged(after: .seconds(1)).maximumAttempts(9).authorized(by: World().token())
      var machine = RetryMachine(RetryRequest(), policy: policy, random: RetryRandom(seed: 1))
      _ = machine.begin()
      _ = machine.wake(at: .seconds(1))
      func starts(_ number: Int, at time: Duration) -> Int {
        machine.attemptEnded(
          number, outcome: .response(401), isTransient: true, at: time, date: Date(timeIntervalSince1970: 0)
        ).count { if case .start = $0 { true } else { false } }
      }
      #expect(starts(1, at: .seconds(2)) == 1)
      #expect(starts(2, at: .milliseconds(2_500)) == 0)
    }

    @Test func `ten requests that get a 401 together fetch one new token and succeed`() throws {
      let world = World()
      let policy = FixedBackoff(delay: .seconds(5)).authorized(by: world.token())
      let statuses = try inTestTime(world.clock) {
        // The first token is fetched once, too.
        _ = try await world.send(world.loader(), policy)
        world.server.withLock { $0.token = 2 }
        return try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<10 { group.addTask { try await world.send(world.loader(), policy, method: "POST") } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
      #expect(statuses == Array(repeating: 200, count: 10))
      #expect(world.server.withLock(\.fetches) == 2)
      // A fetch, an answer, a refusal, a fetch, an answer: nothing waits for a backoff.
      #expect(world.clock.now.time == .milliseconds(2_030))
    }

    @Test func `a second 401 after a new token is returned to the caller`() throws {
      let world = World()
      let log = Mutex(0)
      let policy = NoRetry().authorized(by: world.token())
      let status = try inTestTime(world.clock) {
        try await world.send(world.loader(refuses: true), policy.preparing { _, _ in log.withLock { $0 += 1 } })
      }
      #expect(status == 401 && log.withLock(\.self) == 2 && world.server.withLock(\.fetches) == 2)
    }

    @Test func `a 401 neither opens a circuit breaker nor needs a retry budget`() throws {
      let world = World()
      let breaker = CircuitBreaker(threshold: 1)
      let budget = RetryBudget(minimumPerSecond: 0, share: 0)
      let policy = ImmediateRetry().guarded(by: breaker).budgeted(by: budget).authorized(by: world.token())
      let status = try inTestTime(world.clock) {
        _ = try await world.send(world.loader(), policy)
        world.server.withLock { $0.token = 2 }
        return try await world.send(world.loader(), policy)
      }
      #expect(status == 200 && breaker.admits(host: "example.com", at: .seconds(3)))
    }

    @Test func `if the request that fetches a token times out, the next waiting request fetches one`() throws {
      let world = World()
      let policy = NoRetry().authorized(by: world.token())
      let results = try inTestTime(world.clock) {
        try await withThrowingTaskGroup(of: String.self) { group in
          // The first request has a deadline of half a second.
          group.addTask {
            do {
              return "\(try await world.send(world.loader(), policy.deadline(.milliseconds(500))))"
            } catch let error as URLError { return "error \(error.code.rawValue)" }
          }
          group.addTask {
            try await world.clock.sleep(for: .milliseconds(100))
            return "\(try await world.send(world.loader(), policy))"
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
      #expect(results == ["error -1001", "200"] && world.server.withLock(\.fetches) == 1)
      #expect(world.clock.now.time == .milliseconds(500 + 1_000 + 10))
    }

    @Test func `a request that gives up while another fetches the token ends at once`() throws {
      let world = World()
      let policy = NoRetry().authorized(by: world.token())
      try inTestTime(world.clock) {
        async let first = world.send(world.loader(), policy)
        try await world.clock.sleep(for: .milliseconds(100))
        await #expect(throws: URLError(.timedOut)) {
          _ = try await world.send(world.loader(), policy.deadline(.milliseconds(500)))
        }
        #expect(world.clock.now.time == .milliseconds(600))
        let status = try await first
        #expect(status == 200)
      }
    }

    @Test func `the request that has waited longest fetches the token after one that gave up`() throws {
      let world = World()
      let policy = NoRetry().authorized(by: world.token())
      let status = try inTestTime(world.clock) {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for (start, patience) in [(0, 500), (100, 900), (200, 9_000)] {
            group.addTask {
              try await world.clock.sleep(for: .milliseconds(start))
              return (try? await world.send(world.loader(), policy.deadline(.milliseconds(patience)))) ?? 0
            }
          }
          return try await group.reduce(0, +)
        }
      }
      // The first request gives up at 500 ms, the second at 1,000 ms during its fetch; then the third fetches.
      #expect(status == 200 && world.clock.now.time == .milliseconds(1_000 + 1_000 + 10))
    }

    @Test func `a second 401 ends a request whose policy would make more attempts`() throws {
      let world = World()
      let ends = Mutex(0)
      let policy = ImmediateRetry().maximumAttempts(5).authorized(by: AccessToken { "old" })
      #expect(policy.rules.maximumAttempts == 6)
      let status = try inTestTime(world.clock) {
        try await world.send(world.loader(refuses: true), policy.preparing { _, _ in ends.withLock { $0 += 1 } })
      }
      #expect(status == 401 && ends.withLock(\.self) == 2)
    }

    @Test func `a failed token fetch throws its error to every waiting request`() throws {
      let clock = TestClock()
      let fetches = Mutex(0)
      let token = AccessToken {
        fetches.withLock { $0 += 1 }
        try await clock.sleep(for: .seconds(1))
        throw URLError(.userAuthenticationRequired)
      }
      let errors = try inTestTime(clock) {
        await withTaskGroup(of: URLError.Code?.self) { group in
          for _ in 0..<3 {
            group.addTask {
              do { _ = try await token.value() } catch { return (error as? URLError)?.code }
              return nil
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
      }
      #expect(errors == Array(repeating: .userAuthenticationRequired, count: 3) && fetches.withLock(\.self) == 1)
    }
  }
}
