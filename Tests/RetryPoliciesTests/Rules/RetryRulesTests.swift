import Internals
import Testing

@testable import RetryPolicies
import URLLoading

extension RetryPoliciesTests {
  struct RetryRulesTests {
    @Test func `the standard rules sort statuses and errors into successes, transient and permanent failures`() {
      let rules = RetryRules.standard
      for status in [200, 204, 304] { #expect(rules.outcomeClass(of: .response(status)) == .success) }
      for status in [400, 401, 404, 501] { #expect(rules.outcomeClass(of: .response(status)) == .permanentFailure) }
      for status in [408, 425, 429, 500, 502, 503, 504] {
        #expect(rules.outcomeClass(of: .response(status)) == .transientFailure)
      }
      #expect(rules.outcomeClass(of: .failure(.timedOut)) == .transientFailure)
      #expect(rules.outcomeClass(of: .failure(.networkConnectionLost)) == .transientFailure)
      #expect(rules.outcomeClass(of: .failure(.cancelled)) == .permanentFailure)
      #expect(rules.outcomeClass(of: .failure(.serverCertificateUntrusted)) == .permanentFailure)
      #expect(rules.outcomeClass(of: .failure(CancellationError())) == .permanentFailure)
      #expect(rules.outcomeClass(of: .abandoned) == .abandoned)
    }

    @Test func `all attempts of a POST have the same idempotency key, and another POST has another key`() async throws {
      let seen = Mutex<[String?]>([])
      let loader = RequestLoader { request in
        seen.withLock { $0.append(request.value(forHTTPHeaderField: "Idempotency-Key")) }
        throw URLError(.networkConnectionLost)
      }
      var request = URLRequest(url: URL(string: "https://api.example/pay")!)
      request.httpMethod = "POST"
      let policy = ImmediateRetry().withIdempotencyKey()
      for _ in 0..<2 { _ = try? await loader.data(for: request, retry: policy, random: RetryRandom(seed: 1)) }
      let keys = seen.withLock { $0 }.compactMap(\.self)
      #expect(keys.count == 6 && Set(keys).count == 2 && Set(keys.prefix(3)).count == 1)
      #expect(keys.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.count == 38 })
      // A request with a key keeps it, and an idempotent request gets none.
      let rules = policy.rules
      request.setValue("mine", forHTTPHeaderField: "Idempotency-Key")
      #expect(rules.keyed(request).value(forHTTPHeaderField: "Idempotency-Key") == "mine")
      let get = URLRequest(url: URL(string: "https://api.example/feed")!)
      #expect(rules.keyed(get).value(forHTTPHeaderField: "Idempotency-Key") == nil)
    }

    @Test func `idempotent methods and a POST with an idempotency key may be repeated, other POSTs not`() {
      var request = URLRequest(url: URL(string: "https://API.example/pay")!)
      #expect(RetryRequest(request).host == "api.example")
      #expect(RetryRequest(method: "put").isIdempotent && !RetryRequest(method: "patch").isIdempotent)
      for method in ["GET", "head", "PUT", "DELETE", "OPTIONS", "TRACE"] {
        request.httpMethod = method
        #expect(RetryRules.standard.allowsRepeating(RetryRequest(request)))
      }
      request.httpMethod = "POST"
      for empty in [" ", "\"\"", "\" \" "] {
        request.setValue(empty, forHTTPHeaderField: "Idempotency-Key")
        #expect(!RetryRules.standard.allowsRepeating(RetryRequest(request)))
      }
      #expect(RetryRules(methods: .any).allowsRepeating(RetryRequest(request)))
      #expect(RetryRules(methods: .only(["POST"])).allowsRepeating(RetryRequest(request)))
      request.setValue("8e03978e", forHTTPHeaderField: "Idempotency-Key")
      #expect(RetryRules.standard.allowsRepeating(RetryRequest(request)))
      request.httpBodyStream = InputStream(data: Data("x".utf8))
      #expect(!RetryRules(methods: .any).allowsRepeating(RetryRequest(request)))
    }

    @Test func `a POST that never reached the server may be repeated`() {
      let post = RetryRequest(method: "POST")
      let unsent: [AttemptOutcome] = [
        .failure(.cannotFindHost), .failure(.cannotConnectToHost), .failure(.notConnectedToInternet), .response(425),
        .failure(POSIXError(.ECONNREFUSED)),
      ]
      for outcome in unsent {
        #expect(outcome.isWithoutEffect && RetryRules.standard.allowsRepeating(post, after: outcome))
        #expect(RetryRules.standard.outcomeClass(of: outcome) == .transientFailure)
        #expect(!RetryRules(methods: .only(["GET"])).allowsRepeating(post, after: outcome))
      }
      for outcome in [.failure(.networkConnectionLost), .failure(.timedOut), .response(503), .abandoned]
        as [AttemptOutcome]
      {
        #expect(!outcome.isWithoutEffect && !RetryRules.standard.allowsRepeating(post, after: outcome))
      }
    }

    @Test func `a response that is not HTTP counts as a success`() {
      let url = URL(fileURLWithPath: "/tmp/map")
      let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
      #expect(ResponseFacts(response) == ResponseFacts(status: 200))
      #expect(RetryRules.standard.outcomeClass(of: .response(ResponseFacts(response))) == .success)
    }

    @Test func `a POSIX error is treated like the matching URL error`() {
      for code in [POSIXErrorCode.ECONNRESET, .ECONNABORTED, .EPIPE, .ENOTCONN] {
        #expect(AttemptOutcome.failure(POSIXError(code)).errorCode == .networkConnectionLost)
        #expect(RetryRules.standard.outcomeClass(of: .failure(POSIXError(code))) == .transientFailure)
      }
      #expect(AttemptOutcome.failure(POSIXError(.ETIMEDOUT)).errorCode == .timedOut)
      #expect(AttemptOutcome.failure(POSIXError(.EACCES)).errorCode == nil)
      let foreign = NSError(domain: "others", code: Int(POSIXErrorCode.ECONNRESET.rawValue))
      #expect(AttemptOutcome.failure(foreign).errorCode == nil)
    }

    @Test func `a connection that closes early is lost, as libcurl's text on Linux says`() {
      func error(_ code: URLError.Code, _ text: String) -> AttemptOutcome {
        .failure(URLError(code, userInfo: [NSLocalizedDescriptionKey: text]))
      }
      let closed = error(.unknown, "transfer closed with 4000 bytes remaining to read")
      let silent = error(.badServerResponse, "Empty reply from server")
      for outcome in [closed, silent] {
        #expect(outcome.errorCode == .networkConnectionLost && !outcome.isWithoutEffect)
      }
      #expect(error(.unknown, "Failed to open a file").errorCode == .unknown)
      #expect(AttemptOutcome.failure(.badServerResponse).errorCode == .badServerResponse)
    }

    @Test func `retries after a Retry-After of 2 s are spread over the following second`() {
      let rules = RetryRules.standard
      let waits = (0..<200 as Range<UInt64>).compactMap { seed -> Duration? in
        var random = RetryRandom(seed: seed)
        return rules.delay(backoff: .zero, retryAfter: .seconds(2), random: &random)
      }
      #expect(waits.allSatisfy { $0 >= .seconds(2) && $0 < .seconds(3) } && Set(waits).count == 200)
      // About a tenth of the waits is in the first tenth of the second.
      #expect((5...40).contains(waits.count { $0 < .milliseconds(2_100) }))
    }

    @Test func `a wait is the backoff, or a respected Retry-After if that is longer`() {
      var rules = RetryRules(retryAfterSpread: 0)
      #expect(rules.delay(backoff: .seconds(1), retryAfter: nil) == .seconds(1))
      #expect(rules.delay(backoff: .seconds(-1), retryAfter: nil) == .zero)
      #expect(rules.delay(backoff: .seconds(1), retryAfter: .seconds(30)) == .seconds(30))
      #expect(rules.delay(backoff: .seconds(1), retryAfter: .milliseconds(10)) == .seconds(1))
      #expect(rules.delay(backoff: .seconds(1), retryAfter: .seconds(61)) == nil)
      rules.retryAfter = .ignored
      #expect(rules.delay(backoff: .seconds(1), retryAfter: .seconds(61)) == .seconds(1))
    }

    @Test(arguments: [
      (Duration.seconds(59), .seconds(59) as Duration?), (.seconds(60), .seconds(60)),
      (.nanoseconds(60_000_000_001), nil),
      (.zero, .seconds(1)), (.seconds(1), .seconds(1)), (.nanoseconds(1_000_000_001), .nanoseconds(1_000_000_001)),
    ])
    func `a Retry-After up to the limit is respected, and a longer one ends the request`(
      asked: Duration, wait: Duration?
    ) {
      #expect(RetryRules(retryAfterSpread: 0).delay(backoff: .seconds(1), retryAfter: asked) == wait)
      let rules = RetryRules(retryAfter: .respected(upTo: nil), retryAfterSpread: 0)
      #expect(rules.delay(backoff: .seconds(1), retryAfter: asked) == max(asked, .seconds(1)))
    }

    @Test(arguments: [(100, true), (399, true), (400, false), (407, false), (418, false), (501, false), (505, false)])
    func `a status below 400 is a success`(status: Int, isSuccess: Bool) {
      #expect(RetryRules.standard.outcomeClass(of: .response(status)) == (isSuccess ? .success : .permanentFailure))
      // A status that the rules retry is a transient failure, even if it is below 400.
      #expect(RetryRules(statuses: [status]).outcomeClass(of: .response(status)) == .transientFailure)
    }

    @Test func `transient URL errors are retried, and permanent ones are not`() {
      let transient: [URLError.Code] = [
        .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
        .notConnectedToInternet, .badServerResponse, .secureConnectionFailed, .internationalRoamingOff, .callIsActive,
        .dataNotAllowed,
      ]
      for code in transient { #expect(RetryRules.standard.outcomeClass(of: .failure(code)) == .transientFailure) }
      for code in [URLError.Code.badURL, .unsupportedURL, .cancelled, .httpTooManyRedirects, .cannotDecodeRawData] {
        #expect(RetryRules.standard.outcomeClass(of: .failure(code)) == .permanentFailure)
      }
    }

    @Test func `modifiers change the rules of a policy and keep its backoff`() {
      let policy = FixedBackoff().maximumAttempts(7).deadline(.seconds(9)).perTryTimeout(.seconds(2))
        .ignoringRetryAfter().repeating(.any).withRules { ($0.statuses, $0.errors) = ([503], []) }
      #expect(
        policy.rules
          == RetryRules(
            maximumAttempts: 7, methods: .any, statuses: [503], errors: [], retryAfter: .ignored,
            deadline: .seconds(9), perTryTimeout: .seconds(2)))
      #expect(policy.delays(2) == [.seconds(1), .seconds(1)])
      #expect(policy.respectingRetryAfter(upTo: nil).rules.retryAfter == .respected(upTo: nil))
    }
  }
}

extension RetryRules {
  /// The delay under rules without a random part.
  fileprivate func delay(backoff: Duration, retryAfter: Duration?) -> Duration? {
    var random = RetryRandom(seed: 0)
    return delay(backoff: backoff, retryAfter: retryAfter, random: &random)
  }
}
