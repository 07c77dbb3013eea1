import Internals
public import URLLoading

/// The network's own calls, with the arguments of `URLSession`'s.
///
/// On Linux they can do what a session cannot: download, stream bytes, and return a 401.
extension SimulatedNetwork: HTTPLoader {
  /// Sends a request and returns its whole answer.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await collect(call(request, .find(in: request)))
  }

  /// Sends a request with a body and returns its whole answer.
  public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
    try await collect(call(request, .whole(RequestBody(body))))
  }

  /// Sends a request with a file as its body and returns its whole answer.
  public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
    try await collect(call(request, .fromFile(file)))
  }

  /// Sends a request and returns the answer's head, with the body as it arrives, byte by byte.
  public func bytes(for request: URLRequest) async throws -> (SimulatedBytes, URLResponse) {
    let call = try call(request, .find(in: request), takesWhole: false)
    while true {
      let output = try await call.next()
      if let (head, url) = output.response {
        return (SimulatedBytes(chunks: SimulatedBytes.Chunks(call: call, first: output)), head.response(for: url))
      }
      if case .failed(let error)? = output.end { throw error.forClient }
    }
  }

  /// Sends a request and returns the answer's head, with the body as it arrives, in pieces.
  public func chunks(for request: URLRequest) async throws -> (AsyncThrowingStream<Data, any Error>, URLResponse) {
    let (bytes, response) = try await bytes(for: request)
    let chunks = Locked(bytes.chunks.makeAsyncIterator())
    let stream = AsyncThrowingStream {
      // An iterator has one reader at a time.
      var iterator = chunks.value
      defer { chunks.withLock { [iterator] in $0 = iterator } }
      return try await iterator.next()
    }
    return (stream, response)
  }

  /// Sends a GET request for a URL, and returns the answer's head, with the body as it arrives.
  public func bytes(from url: URL) async throws -> (SimulatedBytes, URLResponse) {
    try await bytes(for: URLRequest(url: url))
  }

  /// Sends a request and writes its answer's body to a temporary file, which the caller must move or remove.
  public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
    let (bytes, response) = try await bytes(for: request)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("download-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw URLError.refused(
        .unwritableFile, .cannotCreateFile, url: request.url, because: "Cannot create \(file.path).")
    }
    do {
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      for try await chunk in bytes.chunks { try handle.write(contentsOf: chunk) }
      return (file, response)
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
  }

  /// Downloads a URL to a temporary file, which the caller must move or remove.
  public func download(from url: URL) async throws -> (URL, URLResponse) {
    try await download(for: URLRequest(url: url))
  }

  private func collect(_ call: NetworkCall) async throws -> (Data, URLResponse) {
    var data = Data()
    var response: URLResponse?
    while true {
      let output = try await call.next()
      if let (head, url) = output.response { response = head.response(for: url) }
      for piece in output.body { data.append(piece) }
      switch output.end {
      case nil: continue
      case .failed(let error): throw error.forClient
      case .finished, .redirected:
        guard let response else { throw URLError(.badServerResponse) }
        return (data, response)
      }
    }
  }
}
