import Internals
public import URLLoading

extension HTTPLoader {
  /// Downloads into a temporary file with retries.
  ///
  /// The caller moves or removes the file. If the server gave a strong `ETag`, the next attempt requests only the missing
  /// bytes, with `Range` and `If-Range`. If the content has changed since, the download starts over. Attempts are never hedged.
  ///
  /// - Parameters:
  ///   - request: the request that each attempt sends.
  ///   - policy: decides which failures are retried, when, and within which limits.
  ///   - clock: as in `data(for:retry:clock:random:observe:)`.
  ///   - random: decides the jitter.
  ///   - observe: called for each attempt when it has ended.
  /// - Returns: the file, and the head of the response with which its content begins. If every attempt ends with an error
  ///   status: the body and the head of the last response.
  /// - Throws: as `data(for:retry:clock:random:observe:)`. The file is removed then.
  public func download(
    for request: URLRequest, retry policy: some RetryPolicy, clock: RetryClock = .automatic,
    random: RetryRandom = .unpredictable(), observe: (@Sendable (AttemptRecord) -> Void)? = nil
  ) async throws -> (URL, URLResponse) {
    let file = try PartialFile(of: request)
    do {
      let (data, response) = try await RetryRun(
        send: { try await file.fill(from: self, $0) }, request: policy.rules.keyed(request),
        policy: OneAtATime(base: policy), clock: clock.resolved(for: self), random: random, observe: observe
      ).run()
      try file.close(with: ResponseFacts(response).status < 300 ? nil : data)
      return (file.url, response)
    } catch {
      file.remove()
      throw error
    }
  }
}

/// The file of a download, to which one attempt at a time writes.
private final class PartialFile: Sendable {
  private struct State {
    var point = ResumePoint()
    /// The number of the only attempt that may write; an abandoned attempt may still be running.
    var turn = 0
  }
  let url: URL
  private let handle: FileHandle
  private let state = Mutex(State())

  init(of request: URLRequest) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("download-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else { throw URLError(.cannotCreateFile) }
    handle = try FileHandle(forWritingTo: url)
  }

  /// Makes one attempt and writes its body to the file.
  func fill(from loader: some HTTPLoader, _ request: URLRequest) async throws -> (Data, URLResponse) {
    let (turn, point) = state.withLock { state in
      state.turn += 1
      return (state.turn, state.point)
    }
    let (chunks, response) = try await loader.chunks(for: point.request(request))
    let (step, head) = try change(turn) { state in
      let step = state.point.take(response, to: request)
      if step == .begins { try handle.truncate(atOffset: 0) }
      return (step, state.point.head)
    }
    switch step {
    case .isWrong: throw URLError(.badServerResponse)
    case .isComplete: break
    case .isNone:
      var body = Data()
      for try await chunk in chunks { body.append(chunk) }
      try Task.checkCancellation()
      return (body, response)
    case .begins, .goesOn:
      for try await chunk in chunks {
        try change(turn) { state in
          try handle.write(contentsOf: chunk)
          state.point.count += Int64(chunk.count)
        }
      }
      // The stream of a cancelled task ends without an error.
      try Task.checkCancellation()
      if try change(turn, { $0.point.lacksBytes }) { throw URLError(.networkConnectionLost) }
    }
    return (Data(), head ?? response)
  }

  private func change<Value: Sendable>(_ turn: Int, _ body: (inout State) throws -> sending Value) throws -> Value {
    try state.withLock { state in
      guard state.turn == turn else { throw URLError(.cancelled) }
      return try body(&state)
    }
  }

  /// Closes the file; the body of an error response, if given, replaces its content first.
  func close(with body: Data?) throws {
    if let body {
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: body)
    }
    try handle.close()
  }

  func remove() {
    state.withLock { $0.turn += 1 }
    try? handle.close()
    try? FileManager.default.removeItem(at: url)
  }
}
