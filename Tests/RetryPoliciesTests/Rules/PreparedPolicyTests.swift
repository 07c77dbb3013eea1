import Internals
import Testing
import URLLoading

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct PreparedPolicyTests {
    private let clock = TestClock()
    private let get = URLRequest(url: URL(string: "https://example.com/feed")!)

    private func send(_ loader: some HTTPLoader, _ policy: some RetryPolicy) throws -> String {
      let get = get
      return try inTestTime(clock) { [clock] in
        do {
          let (data, _) = try await loader.data(
            for: get, retry: policy, clock: RetryClock(clock, origin: .init(time: .zero)))
          return String(decoding: data, as: UTF8.self)
        } catch let error as URLError { return "error \(error.code.rawValue)" }
      }
    }

    @Test func `a policy can retry because of an answer's body, and returns the last answer`() throws {
      let server = FakeServer(clock, .status(202), .status(202), .status(201))
      let policy = ImmediateRetry().retrying { $0.response.status == 202 && $0.body == Data("202".utf8) }
      #expect(try send(server, policy.maximumAttempts(3)) == "201" && server.starts.count == 3)
      let slow = FakeServer(clock, .status(202))
      #expect(try send(slow, policy) == "202" && slow.starts.count == 3)
      // Statuses that the rules name are retried as well.
      let busy = FakeServer(clock, .status(503), .status(200))
      #expect(try send(busy, policy) == "200" && busy.starts.count == 2)
    }

    @Test func `each attempt sends the request as the policy changed it for that attempt`() throws {
      let seen = Mutex<[String]>([])
      let loader = RequestLoader { request in
        seen.withLock { $0.append(request.value(forHTTPHeaderField: "Attempt") ?? "-") }
        throw URLError(.timedOut)
      }
      let policy = ImmediateRetry().preparing { request, plan in
        request.setValue("\(plan.number)", forHTTPHeaderField: "Attempt")
      }
      #expect(try send(loader, policy) == "error -1001")
      #expect(seen.withLock(\.self) == ["1", "2", "3"])
    }

    @Test func `changes of a request happen in the order in which they were added`() throws {
      let seen = Mutex<[String?]>([])
      let loader = RequestLoader { request in
        seen.withLock { $0.append(request.value(forHTTPHeaderField: "Steps")) }
        throw URLError(.timedOut)
      }
      let policy = NoRetry().preparing { request, _ in request.setValue("one", forHTTPHeaderField: "Steps") }
        .preparing { request, _ in request.addValue("two", forHTTPHeaderField: "Steps") }
      #expect(try send(loader, policy) == "error -1001")
      #expect(seen.withLock(\.self) == ["one,two"])
    }

    @Test
    func `an error while preparing a request fails the attempt, and preparation counts towards the per-try timeout`()
      throws
    {
      let server = FakeServer(clock, .status(200))
      let failing = ImmediateRetry().preparing { _, plan in
        if plan.number < 3 { throw URLError(.cannotFindHost) }
      }
      #expect(try send(server, failing) == "200" && server.starts.count == 1)
      let slow = NoRetry().perTryTimeout(.seconds(1)).preparing { [clock] _, _ in
        try await clock.sleep(for: .seconds(2))
      }
      #expect(try send(server, slow) == "error -1001" && clock.now.time == .milliseconds(1_010))
    }

    @Test func `a retry after a failure without network waits for the network, then for the policy's wait`() throws {
      let server = FakeServer(clock, .error(.notConnectedToInternet), .error(.networkConnectionLost), .status(200))
      let policy = FixedBackoff(delay: .seconds(1)).waitingForPath { [clock] in
        try? await clock.sleep(until: .init(time: .seconds(60)))
      }
      #expect(try send(server, policy) == "200")
      #expect(server.starts.map(\.milliseconds) == [0, 61_000, 62_010])
    }

    @Test func `a wait for the network ends at the request's deadline`() throws {
      let server = FakeServer(clock, .error(.notConnectedToInternet))
      let policy = FixedBackoff(delay: .seconds(1)).waitingForPath { [clock] in
        try? await clock.sleep(until: .init(time: .seconds(60)))
      }
      #expect(try send(server, policy.deadline(.seconds(5))) == "error -1001" && clock.now.time == .seconds(5))
      let unknown = FakeServer(clock, .error(.notConnectedToInternet), .status(200))
      #expect(try send(unknown, FixedBackoff(delay: .seconds(1)).waitingForPath()) == "200")
      #expect(clock.now.time == .milliseconds(5_000 + 10 + 1_000 + 10))
    }

    @Test func `in a simulation a policy waits for the simulated network and ignores its own path closure`() async {
      let waits = Locked<[String]>([])
      let policy = NoRetry().waitingForPath { waits.withLock { $0.append("given") } }
      let attempt = RetryAttempt(
        plan: AttemptPlan(number: 1, kind: .original), end: .zero, outcome: .failure(URLError(.notConnectedToInternet)),
        outcomeClass: .transientFailure)
      await policy.hold(after: attempt, of: RetryRequest())?()
      var time = LoaderTime(clock, origin: .init(time: .zero)) { Date(timeIntervalSince1970: 0) }
      time.path = { waits.withLock { $0.append("simulated") } }
      await LoaderTime.$current.withValue(time) { await policy.hold(after: attempt, of: RetryRequest())?() }
      #expect(waits.value == ["given", "simulated"])
    }
  }
}
