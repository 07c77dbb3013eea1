public import Internals
@_exported public import protocol URLLoading.HTTPLoader
public import URLLoading

extension HTTPLoader {
  /// Sends a request with retries, and returns the response of the last attempt.
  ///
  /// A response is returned whatever its status, as by `URLSession`: if all attempts end with 503, the caller gets the 503.
  /// Cancelling the task cancels its waits and attempts.
  ///
  /// - Parameters:
  ///   - request: the request that each attempt sends.
  ///   - policy: decides which failures are retried, when, and within which limits.
  ///   - clock: the time; by default the clock of the simulated network, or else the continuous clock.
  ///   - random: decides the jitter. Equal generators draw equal numbers, so key it by the request.
  ///   - observe: called for each attempt when it has ended, in that order, one call at a time.
  /// - Throws: the error of the last attempt; `URLError.timedOut` at the deadline or at an attempt's timeout;
  ///   `URLError.cancelled` when the task is cancelled; ``RetryError/refused`` if the policy lets no attempt start.
  public func data(
    for request: URLRequest, retry policy: some RetryPolicy, clock: RetryClock = .automatic,
    random: RetryRandom = .unpredictable(), observe: (@Sendable (AttemptRecord) -> Void)? = nil
  ) async throws -> (Data, URLResponse) {
    try await data(for: request, to: nil, retry: policy, clock: clock, random: random, observe: observe)
  }

  /// Sends a request with retries; the policy sees `host` as the server's name, if it is not `nil`.
  package func data(
    for request: URLRequest, to host: String?, retry policy: some RetryPolicy, clock: RetryClock, random: RetryRandom,
    observe: (@Sendable (AttemptRecord) -> Void)?
  ) async throws -> (Data, URLResponse) {
    try await RetryRun(
      send: { try await data(for: $0) }, request: policy.rules.keyed(request), host: host, policy: policy,
      clock: clock.resolved(for: self), random: random, observe: observe
    ).run()
  }

  /// Uploads data with retries; see `data(for:retry:clock:random:observe:)`.
  public func upload(
    for request: URLRequest, from body: Data, retry policy: some RetryPolicy, clock: RetryClock = .automatic,
    random: RetryRandom = .unpredictable(), observe: (@Sendable (AttemptRecord) -> Void)? = nil
  ) async throws -> (Data, URLResponse) {
    try await RetryRun(
      send: { try await upload(for: $0, from: body) }, request: policy.rules.keyed(request), policy: policy,
      clock: clock.resolved(for: self), random: random,
      requestBytes: body.count, observe: observe
    ).run()
  }

  /// Uploads a file with retries; see `data(for:retry:clock:random:observe:)`.
  ///
  /// Each attempt reads the file again.
  public func upload(
    for request: URLRequest, fromFile file: URL, retry policy: some RetryPolicy, clock: RetryClock = .automatic,
    random: RetryRandom = .unpredictable(), observe: (@Sendable (AttemptRecord) -> Void)? = nil
  ) async throws -> (Data, URLResponse) {
    try await RetryRun(
      send: { try await upload(for: $0, fromFile: file) }, request: policy.rules.keyed(request), policy: policy,
      clock: clock.resolved(for: self),
      random: random, requestBytes: (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0,
      observe: observe
    ).run()
  }
}

/// A loader that sends requests with a closure.
public struct RequestLoader: HTTPLoader {
  private let body: @Sendable (URLRequest) async throws -> (Data, URLResponse)

  /// Creates a loader from a closure that sends a request once.
  public init(_ load: @escaping @Sendable (URLRequest) async throws -> (Data, URLResponse)) {
    body = load
  }

  /// Sends the request with the closure.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await body(request)
  }
}

/// An error of this module; other errors come from the loader or are a `URLError`.
public enum RetryError: ExplainedError, Hashable, Sendable, LocalizedError {
  /// The policy did not let the first attempt start: its circuit breaker is open, its bulkhead full, or it sheds load.
  case refused
  /// No policy has this name; `near` holds similar names.
  case unknownPolicy(String, near: [String])
  /// The text of a policy is invalid at a place, counted in characters from 1.
  case policyText(String, place: Int, reason: String)

  /// The mistake and its correction.
  public var description: String { explanation.ending(sentence) }

  package var explanation: Explanation {
    switch self {
    case .refused: .retryRefused
    case .unknownPolicy, .policyText: .retryPolicy
    }
  }

  package var sentence: String {
    switch self {
    case .refused:
      "the retry policy let no attempt start: its circuit to this server is open after repeated failures, its bulkhead is full, or it sheds load"
    case .policyText(let text, let place, let reason): "policy \"\(text)\", at \(place): \(reason)"
    case .unknownPolicy(let name, let near):
      "no retry policy is called \"\(name)\""
        + (NearNames.question(near.prefix(3).map { "\"\($0)\"" }) ?? "; `RetryPolicyCatalogue.entries` lists them")
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
