import Internals
public import URLLoading

extension HTTPLoader {
  /// Sends a request with retries, and returns the response's head and its body piece by piece.
  ///
  /// When the body breaks off, the policy decides whether to request the rest, with `Range` and `If-Range`. That needs a
  /// strong `ETag`; without one the error is thrown. If the content has changed since, `URLError.resourceUnavailable` is
  /// thrown, because the caller already has pieces of the old content.
  ///
  /// The policy's limits apply until the first piece arrives, and again to each request for the rest. Attempts are never
  /// hedged.
  ///
  /// - Parameters:
  ///   - request: the request that each attempt sends.
  ///   - policy: decides which failures are retried, when, and within which limits.
  ///   - clock: as in `data(for:retry:clock:random:observe:)`.
  ///   - random: decides the jitter.
  ///   - observe: called for each attempt, when it has failed or its first piece has arrived.
  public func chunks(
    for request: URLRequest, retry policy: some RetryPolicy, clock: RetryClock = .automatic,
    random: RetryRandom = .unpredictable(), observe: (@Sendable (AttemptRecord) -> Void)? = nil
  ) async throws -> (AsyncThrowingStream<Data, any Error>, URLResponse) {
    let pieces = Pieces()
    let run = RetryRun(
      send: { try await pieces.open(from: self, $0) }, request: policy.rules.keyed(request),
      policy: OneAtATime(base: policy), clock: clock.resolved(for: self), random: random, observe: observe)
    let (body, response) = try await run.run()
    if ResponseFacts(response).status >= 300 { pieces.put(body) }
    return (AsyncThrowingStream { try await pieces.next(by: run) }, response)
  }
}

/// A body in pieces; when it breaks off, further requests fetch the rest.
private final class Pieces: Sendable {
  private struct State {
    var point = ResumePoint()
    var stream: AsyncThrowingStream<Data, any Error>?
    var first: Data?
    /// The error that broke the body off; the next run reports it as its first attempt's failure.
    var failure: (any Error)?
    var turn = 0
  }
  private let state = Mutex(State())

  /// Makes one attempt and returns when its first piece has arrived.
  func open(from loader: some HTTPLoader, _ request: URLRequest) async throws -> (Data, URLResponse) {
    let (failure, point, turn) = state.withLock { state in
      defer { state.failure = nil }
      state.turn += 1
      return (state.failure, state.point, state.turn)
    }
    if let failure { throw failure }
    let (chunks, response) = try await loader.chunks(for: point.request(request))
    var next = point
    switch next.take(response, to: request) {
    case .isWrong: throw URLError(.resourceUnavailable)
    case .begins where point.count > 0: throw URLError(.resourceUnavailable)
    case .isNone:
      var body = Data()
      for try await chunk in chunks { body.append(chunk) }
      try Task.checkCancellation()
      return (body, response)
    case .isComplete: put(nil)
    case .begins, .goesOn:
      var iterator = chunks.makeAsyncIterator()
      let first = try await iterator.next()
      try Task.checkCancellation()
      state.withLock { [next] state in
        guard state.turn == turn else { return }
        (state.point, state.stream, state.first) = (next, chunks, first)
      }
    }
    return (Data(), next.head ?? response)
  }

  /// Ends the body, after one last piece if given.
  func put(_ piece: Data?) {
    state.withLock { ($0.stream, $0.first) = (nil, piece.flatMap { $0.isEmpty ? nil : $0 }) }
  }

  /// Returns the next piece; requests the rest if the body has broken off.
  func next(by run: RetryRun) async throws -> Data? {
    while true {
      do {
        let piece = try await read()
        try Task.checkCancellation()
        return piece
      } catch {
        let canGoOn = state.withLock { state in
          state.failure = error
          return state.point.canGoOn
        }
        guard canGoOn, !Task.isCancelled else { throw error }
      }
      let (_, response) = try await run.run()
      guard ResponseFacts(response).status < 300 else { throw URLError(.badServerResponse) }
    }
  }

  private func read() async throws -> Data? {
    let (first, stream) = state.withLock { state in
      defer { state.first = nil }
      return (state.first, state.stream)
    }
    var piece = first
    if piece == nil, let stream {
      var iterator = stream.makeAsyncIterator()
      piece = try await iterator.next()
    }
    let lacksBytes = state.withLock { state in
      state.point.count += Int64(piece?.count ?? 0)
      return state.point.lacksBytes
    }
    if piece == nil, lacksBytes { throw URLError(.networkConnectionLost) }
    return piece
  }
}
