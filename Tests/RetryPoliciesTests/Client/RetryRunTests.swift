import Internals
import Testing

@testable import RetryPolicies
import URLLoading

extension RetryPoliciesTests {
  struct RetryRunTests {
    private let clock = TestClock()
    private let get = URLRequest(url: URL(string: "https://example.com/feed")!)

    private final class Log: Sendable {
      let records = Mutex<[AttemptRecord]>([])
      var lines: [String] {
        records.withLock(\.self).map { record in
          let attempt = record.attempt
          let outcome =
            switch attempt.outcome {
            case .response(let head): "\(head.status)"
            case .failure(let error): (error as? URLError).map { "error \($0.code.rawValue)" } ?? "\(error)"
            case .abandoned: "abandoned"
            }
          return "\(attempt.plan.kind) \(attempt.number): \(attempt.plan.start.milliseconds)-"
            + "\(attempt.end.milliseconds) \(outcome), \(record.next)"
        }
      }
    }

    /// The result, its time in milliseconds, and the records of the attempts.
    private func run(
      _ server: FakeServer, _ policy: some RetryPolicy, request: URLRequest? = nil, cancelAfter: Duration? = nil
    ) throws -> (end: Int, result: String, log: [String]) {
      let log = Log()
      let request = request ?? get
      let result = try inTestTime(clock) { [clock] in
        let load: @Sendable () async -> String = {
          do {
            let (data, _) = try await server.data(
              for: request, retry: policy, clock: RetryClock(clock, origin: .init(time: .zero)),
              random: RetryRandom(seed: 1), observe: { record in log.records.withLock { $0.append(record) } })
            return String(decoding: data, as: UTF8.self)
          } catch let error as URLError {
            return "error \(error.code.rawValue)"
          } catch {
            return "\(error)"
          }
        }
        guard let cancelAfter else { return await load() }
        return await withTaskGroup(of: String?.self) { group in
          group.addTask { await load() }
          group.addTask {
            try? await clock.sleep(for: cancelAfter)
            return nil
          }
          var result = ""
          for await value in group {
            result = value ?? result
            group.cancelAll()
          }
          return result
        }
      }
      return (clock.now.time.milliseconds, result, log.lines)
    }

    @Test func `each attempt is reported with the number of bytes sent and received`() throws {
      let server = FakeServer(clock, .status(503), .error(.networkConnectionLost), .status(200))
      let bytes = Log()
      var put = get
      put.httpMethod = "PUT"
      put.httpBody = Data("body".utf8)
      let request = put
      _ = try inTestTime(clock) { [clock] in
        try await server.data(
          for: request, retry: ImmediateRetry(), clock: RetryClock(clock, origin: .init(time: .zero)),
          observe: { record in bytes.records.withLock { $0.append(record) } })
      }
      let records = bytes.records.withLock(\.self)
      // The fake server answers with its status as text.
      #expect(records.map(\.responseBytes) == [3, 0, 3])
      #expect(records.map(\.requestBytes) == [4, 4, 4])
    }

    @Test func `failures are retried after the policy's wait until a success is returned`() throws {
      let server = FakeServer(clock, .status(503), .error(.networkConnectionLost), .status(200))
      let (end, result, log) = try run(server, FixedBackoff(delay: .milliseconds(500)))
      #expect(result == "200")
      #expect(end == 10 + 500 + 10 + 500 + 10)
      #expect(
        log == [
          "original 1: 0-10 503, retry(after: 0.5 seconds)",
          "retry 2: 510-520 error -1005, retry(after: 0.5 seconds)",
          "retry 3: 1020-1030 200, done(RetryPolicies.AttemptRecord.Reason.success)",
        ])
    }

    @Test func `a hedge that starts with a retry may answer before the retry`() throws {
      let server = FakeServer(
        clock, .status(503), .status(503), .status(200, after: .seconds(60)), .status(200))
      let (end, result, _) = try run(server, ImmediateRetry().hedged(after: .zero))
      #expect(result == "200" && end == 20)
    }

    @Test func `the last response or error is returned when the attempts run out`() throws {
      let server = FakeServer(clock, .status(503))
      #expect(try run(server, ImmediateRetry()).result == "503")
      #expect(server.starts == [0, 10, 20].map { .milliseconds($0) })
      let dead = FakeServer(clock, .error(.cannotFindHost))
      #expect(try run(dead, ImmediateRetry().maximumAttempts(4)).result == "error -1003")
      #expect(dead.starts.count == 4)
    }

    @Test func `a success, a permanent failure and a failed POST are not retried`() throws {
      for reply in [FakeServer.Reply.status(404), .error(.badURL), .status(200)] {
        let server = FakeServer(clock, reply)
        _ = try run(server, ImmediateRetry())
        #expect(server.starts.count == 1)
      }
      var post = get
      post.httpMethod = "POST"
      let server = FakeServer(clock, .status(503))
      let log = try run(server, ImmediateRetry(), request: post).log
      #expect(server.starts.count == 1)
      #expect(log[0].hasSuffix("done(RetryPolicies.AttemptRecord.Reason.notRepeatable)"))
    }

    @Test func `the policy decides whether Retry-After is respected, ignored or too long`() throws {
      func starts(_ policy: some RetryPolicy, after: String) throws -> [Int] {
        let clock = TestClock()
        let server = FakeServer(clock, .status(503, headers: ["Retry-After": after]), .status(200))
        let request = get
        _ = try inTestTime(clock) {
          try await server.data(
            for: request, retry: policy,
            clock: RetryClock(clock, origin: .init(time: .zero), date: { Date(timeIntervalSince1970: 784_111_777) }))
        }
        return server.starts.map(\.milliseconds)
      }
      let exact = ImmediateRetry().respectingRetryAfter(spread: 0)
      #expect(try starts(exact, after: "2") == [0, 2_010])
      #expect(try starts(FixedBackoff(delay: .seconds(3)), after: "2") == [0, 3_010])
      #expect(try starts(ImmediateRetry().ignoringRetryAfter(), after: "2") == [0, 10])
      #expect(try starts(ImmediateRetry(), after: "61") == [0])
      #expect(try starts(exact, after: "Sun, 06 Nov 1994 08:49:47 GMT") == [0, 10_010])
    }

    @Test func `cancelling a request ends it at once, during a wait or an attempt`() throws {
      let server = FakeServer(clock, .status(503))
      let waiting = try run(server, FixedBackoff(delay: .seconds(60)), cancelAfter: .seconds(5))
      #expect(waiting.result == "error -999")
      #expect(waiting.end == 5_000)
      let slow = FakeServer(clock, .status(200, after: .seconds(60)))
      let (end, result, log) = try run(slow, ImmediateRetry(), cancelAfter: .seconds(1))
      #expect(result == "error -999")
      #expect(end == 6_000)
      #expect(slow.cancelled == 1)
      #expect(log == ["original 1: 5000-6000 abandoned, done(RetryPolicies.AttemptRecord.Reason.cancelled)"])
    }

    @Test func `an attempt that exceeds its per-try timeout is cancelled and counts as timed out`() throws {
      let server = FakeServer(clock, .status(200, after: .seconds(60)), .status(200))
      let (end, result, log) = try run(server, FixedBackoff(delay: .seconds(1)).perTryTimeout(.seconds(2)))
      #expect(result == "200")
      #expect(end == 3_010)
      // The attempt is cancelled at its own timeout, not at the end of the request.
      #expect(server.cancellations == [.seconds(2)])
      #expect(log[0] == "original 1: 0-2000 error -1001, retry(after: 1.0 seconds)")
      let dead = FakeServer(clock, .status(200, after: .seconds(60)))
      #expect(try run(dead, ImmediateRetry().perTryTimeout(.seconds(1))).result == "error -1001")
      #expect(dead.cancelled == 3)
    }

    @Test func `the deadline cancels the running attempt, and no retry waits beyond the deadline`() throws {
      let slow = FakeServer(clock, .status(200, after: .seconds(60)))
      let cut = try run(slow, ImmediateRetry().deadline(.seconds(5)))
      #expect(cut.result == "error -1001")
      #expect(cut.end == 5_000)
      #expect(slow.cancelled == 1)
      let failing = FakeServer(clock, .status(503))
      let (end, result, log) = try run(failing, FixedBackoff(delay: .seconds(3)).deadline(.seconds(5)))
      #expect(result == "503")
      #expect(end == 5_000 + 10 + 3_000 + 10)
      #expect(log.last?.hasSuffix("done(RetryPolicies.AttemptRecord.Reason.deadline)") == true)
    }

    // MARK: Hedging

    @Test func `a hedge starts beside a slow attempt, and the slower of the two is cancelled`() throws {
      let server = FakeServer(clock, .status(200, after: .seconds(9)), .status(201))
      let (end, result, log) = try run(server, ImmediateRetry().hedged(after: .milliseconds(300)))
      #expect(result == "201")
      #expect(end == 310)
      #expect(server.cancelled == 1)
      #expect(
        log == [
          "hedge 2: 300-310 201, done(RetryPolicies.AttemptRecord.Reason.success)",
          "original 1: 0-310 abandoned, done(RetryPolicies.AttemptRecord.Reason.overtaken)",
        ])
    }

    @Test func `a retry starts its wait only after an attempt and its hedge have both failed`() throws {
      let server = FakeServer(clock, .status(503, after: .seconds(2)))
      let policy = FixedBackoff(delay: .seconds(5)).maximumAttempts(2).hedged(after: .seconds(1))
      #expect(try run(server, policy).result == "503")
      // The second round begins 5 s after the last of the first has failed, at 3 s.
      #expect(server.starts == [0, 1, 8, 9].map { .seconds($0) })
      #expect(clock.now.time == .seconds(11))
    }

    @Test func `a failure before the hedge delay is retried as often as without hedging`() throws {
      let server = FakeServer(clock, .status(503))
      let plain = FixedBackoff(delay: .seconds(5))
      #expect(try run(server, plain.hedged(after: .seconds(1))).result == "503")
      #expect(server.starts.count == plain.rules.maximumAttempts)
    }

    @Test func `the failure of an attempt does not stop the hedges still to be sent`() throws {
      let server = FakeServer(clock, .status(503, after: .milliseconds(2_500)), .status(200, after: .seconds(9)))
      _ = try run(server, ImmediateRetry().hedged(after: .seconds(1), copies: 3))
      // The first attempt fails at 2.5 s, between its second and third copy; the third is still sent.
      #expect(server.starts == [0, 1, 2, 3].map { .seconds($0) })
    }

    @Test func `gRPC hedging sends a POST four times, half a second apart, and cancels the losers`() throws {
      let server = FakeServer(clock, .status(200, after: .seconds(10)))
      var post = get
      post.httpMethod = "POST"
      #expect(try run(server, GRPCHedging(), request: post).result == "200")
      #expect(server.starts == [0, 500, 1000, 1500].map { .milliseconds($0) })
      #expect(server.cancelled == 3)
    }

    @Test func `a transient failure sends the next gRPC hedge at once, and a permanent failure ends the request`()
      throws
    {
      let server = FakeServer(
        clock, .status(200, after: .seconds(10)), .status(503), .status(200, after: .seconds(2)))
      #expect(try run(server, GRPCHedging()).end == 2_510)
      // The second copy fails at 510: the third goes out then, the fourth half a second later.
      #expect(server.starts == [0, 500, 510, 1010].map { .milliseconds($0) })
      let fatal = FakeServer(clock, .status(200, after: .seconds(10)), .status(400))
      #expect(try run(fatal, GRPCHedging()).result == "400")
      #expect(fatal.cancelled == 1)
    }

    @Test func `gRPC pushback delays the next hedge, and negative pushback stops hedging`() throws {
      let off = ["grpc-retry-pushback-ms": "2000"]
      let server = FakeServer(
        clock, .status(200, after: .seconds(10)), .status(503, headers: off), .status(200, after: .seconds(3)))
      _ = try run(server, GRPCHedging())
      #expect(server.starts == [0, 500, 2510, 3010].map { .milliseconds($0) })
      let stop = FakeServer(
        clock, .status(200, after: .seconds(10)), .status(503, headers: ["grpc-retry-pushback-ms": "-1"]))
      #expect(try run(stop, GRPCHedging()).result == "200")
      #expect(stop.starts.count == 2)
    }

    @Test func `a POST is not hedged`() throws {
      var post = get
      post.httpMethod = "POST"
      let server = FakeServer(clock, .status(200, after: .seconds(9)))
      _ = try run(server, ImmediateRetry().hedged(after: .seconds(1)), request: post)
      #expect(server.starts.count == 1)
    }

    @Test func `when all hedges fail, the last failure is returned`() throws {
      let server = FakeServer(clock, .status(503, after: .seconds(2)))
      #expect(try run(server, GRPCHedging(maximumAttempts: 3)).result == "503")
      #expect(server.starts.count == 3)
      #expect(clock.now.time == .milliseconds(3_000))
    }

    // MARK: Waits without an end

    private struct Patient: RetryPolicy {
      static let longest = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)

      func decision(
        after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
      ) -> RetryDecision { .retry(after: Self.longest) }
    }

    @Test func `the longest possible wait is limited to a hundred years and does not overflow`() throws {
      let server = FakeServer(clock, .status(503))
      let policy = Patient().deadline(Patient.longest + Patient.longest).perTryTimeout(Patient.longest)
        .guarded(by: CircuitBreaker(openTime: Patient.longest))
      // One retry only: the deadline is the length of two waits.
      #expect(try run(server, policy).result == "503")
      #expect(try run(server, Patient()).result == "503")
      #expect(server.starts.count == 4)
      #expect(clock.now.time > .seconds(6_311_520_000))
      #expect(Patient.longest.wholeNanoseconds == .max)
      #expect((.zero - Patient.longest).wholeNanoseconds == .min)
    }

    @Test func `a sleep of a hundred years by the continuous clock can be cancelled`() async {
      let task = Task { try await RetryClock.continuous.sleep(until: Patient.longest.bounded) }
      task.cancel()
      await #expect(throws: (any Error).self) { try await task.value }
    }

    @Test func `extreme retry counts, durations and dates do not overflow`() {
      #expect(AlamofireRetry(retryLimit: .max).rules.maximumAttempts == .max)
      #expect(URLLib3Retry(total: .max).rules.maximumAttempts == .max)
      var random = RetryRandom(seed: 1)
      _ = random.duration(from: .nanoseconds(Int64.min), to: .nanoseconds(Int64.max))
      let date = "Sun, 06 Nov 1994 08:49:37 GMT"
      #expect(RetryAfter.delay(date, now: Date(timeIntervalSince1970: -1e300)) == .seconds(10_000_000_000))
    }

    // MARK: Shared state

    @Test func `a gRPC throttle that is exhausted stops retries`() throws {
      let policy = GRPCRetry()
      let server = FakeServer(clock, .status(503))
      var counts: [Int] = []
      for _ in 0..<3 {
        let before = server.starts.count
        _ = try run(server, policy)
        counts.append(server.starts.count - before)
      }
      // Ten tokens: four attempts leave six, and the next failure leaves five, which is no more than half.
      #expect(counts == [4, 1, 1])
    }

    @Test func `a request ends at once, without a wait, when the retry budget is empty`() throws {
      let policy = FixedBackoff().budgeted(by: RetryBudget(minimumPerSecond: 0, share: 1))
      let server = FakeServer(clock, .status(503))
      let (end, _, log) = try run(server, policy)
      #expect(server.starts.count == 2)
      #expect(end == 1_020)
      #expect(log.last?.hasSuffix("done(RetryPolicies.AttemptRecord.Reason.denied)") == true)
    }

    @Test func `an open circuit refuses a request's first attempt with an error`() throws {
      let policy = ImmediateRetry().guarded(by: CircuitBreaker(threshold: 3, openTime: .seconds(30)))
      let server = FakeServer(clock, .status(503))
      #expect(try run(server, policy).result == "503")
      #expect(try run(server, policy).result == "\(RetryError.refused)")
      #expect(server.starts.count == 3)
    }

    @Test func `a request whose failures open the circuit ends with its last response`() throws {
      let policy = ImmediateRetry().guarded(by: CircuitBreaker(threshold: 2, openTime: .seconds(30)))
      let server = FakeServer(clock, .status(503))
      #expect(try run(server, policy).result == "503")
      #expect(server.starts.count == 2)
    }
  }
}

extension Duration {
  var milliseconds: Int { Int(self / .milliseconds(1)) }
}
