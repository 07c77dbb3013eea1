public import Internals
@_exported public import protocol URLLoading.HTTPLoader
public import URLLoading

extension HTTPLoader {
  /// Sends a request, again and again as a policy says, and gives back the answer of the last attempt.
  ///
  /// A response is handed over whatever its status, as by `URLSession`: where all attempts bring a 503, that is what
  /// comes back. Cancelling the task ends attempts and waits at once.
  ///
  /// - Parameters:
  ///   - request: what is sent by each attempt.
  ///   - policy: what is retried, when, and within which limits.
  ///   - clock: the time; by itself that of a simulated network over which the request goes, or the continuous clock.
  ///   - random: decides the jitter. Requests that are given the same draw the same: key it by the request.
  ///   - observe: learns of each attempt when it has ended, in that order, one after another.
  /// - Throws: what the last attempt threw; `URLError.timedOut` at the deadline or at the timeout of a single try;
  ///   `URLError.cancelled` when the task is cancelled; ``RetryError/refused`` when a circuit breaker lets nothing start.
  public func data(
    for request: URLRequest, retry policy: some RetryPolicy, clock: RetryClock = .automatic,
    random: RetryRandom = .unpredictable(), observe: (@Sendable (AttemptRecord) -> Void)? = nil
  ) async throws -> (Data, URLResponse) {
    try await RetryRun(
      send: { try await data(for: $0) }, request: policy.rules.keyed(request), policy: policy,
      clock: clock.resolved(for: self),
      random: random,
      requestBytes: request.httpBody?.count ?? 0, observe: observe
    ).run()
  }

  /// Uploads data with a request, again and again as a policy says; see `data(for:retry:clock:random:observe:)`.
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

  /// Uploads a file with a request, again and again as a policy says; see `data(for:retry:clock:random:observe:)`.
  ///
  /// The file is read anew by each attempt.
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

  /// Sends a request as a policy says, by any clock, such as a network's: `clock: network.clock`.
  public func data<C: Clock>(
    for request: URLRequest, retry policy: some RetryPolicy, clock: C, random: RetryRandom = .unpredictable(),
    observe: (@Sendable (AttemptRecord) -> Void)? = nil
  ) async throws -> (Data, URLResponse) where C.Duration == Duration {
    try await data(for: request, retry: policy, clock: RetryClock(of: clock), random: random, observe: observe)
  }

  /// Uploads data as a policy says, by any clock, such as a network's.
  public func upload<C: Clock>(
    for request: URLRequest, from body: Data, retry policy: some RetryPolicy, clock: C,
    random: RetryRandom = .unpredictable(), observe: (@Sendable (AttemptRecord) -> Void)? = nil
  ) async throws -> (Data, URLResponse) where C.Duration == Duration {
    try await upload(
      for: request, from: body, retry: policy, clock: RetryClock(of: clock), random: random, observe: observe)
  }

  /// Uploads a file as a policy says, by any clock, such as a network's.
  public func upload<C: Clock>(
    for request: URLRequest, fromFile file: URL, retry policy: some RetryPolicy, clock: C,
    random: RetryRandom = .unpredictable(), observe: (@Sendable (AttemptRecord) -> Void)? = nil
  ) async throws -> (Data, URLResponse) where C.Duration == Duration {
    try await upload(
      for: request, fromFile: file, retry: policy, clock: RetryClock(of: clock), random: random, observe: observe)
  }
}

/// A loader made of a closure.
public struct RequestLoader: HTTPLoader {
  private let body: @Sendable (URLRequest) async throws -> (Data, URLResponse)

  /// Takes the closure that sends a request once.
  public init(_ load: @escaping @Sendable (URLRequest) async throws -> (Data, URLResponse)) {
    body = load
  }

  /// Calls the closure.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await body(request)
  }
}

/// An error of this module itself; all others are what the loader threw, or a `URLError`.
public enum RetryError: ExplainedError, Hashable, Sendable, LocalizedError {
  /// The policy did not let the first attempt start: its circuit breaker is open, its bulkhead full, or it sheds load.
  case refused
  /// No policy has this name; these resemble it.
  case unknownPolicy(String, near: [String])
  /// The text of a policy is wrong at a place, counted from 1.
  case policyText(String, place: Int, reason: String)

  /// The mistake, and what would be right.
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
      near.isEmpty
        ? "no retry policy is called \"\(name)\"; `RetryPolicyCatalogue.entries` lists them"
        : "no retry policy is called \"\(name)\"; near names are \(near.map { "\"\($0)\"" }.joined(separator: ", "))"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
