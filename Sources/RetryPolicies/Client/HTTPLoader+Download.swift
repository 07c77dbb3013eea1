import Internals
public import URLLoading

extension HTTPLoader {
  /// Downloads into a temporary file, which is the caller's to move or remove, again and again as a policy says.
  ///
  /// An attempt goes on where the one before broke off, where the server gave a strong `ETag`: it asks for the rest by `Range`
  /// and `If-Range`. Where the server has something else by now, the file begins anew. No attempt is hedged.
  ///
  /// - Parameters:
  ///   - request: what is sent by each attempt.
  ///   - policy: what is retried, when, and within which limits.
  ///   - clock: as in `data(for:retry:clock:random:observe:)`.
  ///   - random: decides the jitter.
  ///   - observe: learns of each attempt when it has ended.
  /// - Returns: the file, and the head of the answer with which it begins. Where all attempts fail with a status, it is the last
  ///   one's body and head.
  /// - Throws: as `data(for:retry:clock:random:observe:)`; there is no file then.
  public func download(
    for request: URLRequest, retry policy: some RetryPolicy, clock: RetryClock = .automatic,
    random: RetryRandom = .unpredictable(), observe: (@Sendable (AttemptRecord) -> Void)? = nil
  ) async throws -> (URL, URLResponse) {
    let file = try PartialFile(of: request)
    do {
      let (data, response) = try await RetryRun(
        send: { try await file.fill(from: self, $0) }, request: policy.rules.keyed(request),
        policy: OneAtATime(base: policy), clock: clock.resolved(for: self), random: random, requestBytes: 0,
        observe: observe
      ).run()
      try file.close(with: ResponseFacts(response).status < 300 ? nil : data)
      return (file.url, response)
    } catch {
      file.remove()
      throw error
    }
  }
}

/// The file of a download, to which one attempt at a time adds.
private final class PartialFile: Sendable {
  private struct State {
    var point = ResumePoint()
    /// The number of the attempt that may write: one that was given up may still be under way.
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

  /// Makes one attempt.
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
      // A stream whose task is cancelled ends without an error.
      try Task.checkCancellation()
    }
    return (Data(), head ?? response)
  }

  private func change<Value: Sendable>(_ turn: Int, _ body: (inout State) throws -> sending Value) throws -> Value {
    try state.withLock { state in
      guard state.turn == turn else { throw URLError(.cancelled) }
      return try body(&state)
    }
  }

  /// Ends the file; with another body where none of its own came.
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
