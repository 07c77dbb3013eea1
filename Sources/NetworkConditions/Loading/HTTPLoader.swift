public import URLLoading

/// Something that carries out HTTP requests: a `URLSession`, or a ``SimulatedNetwork`` in its place.
///
/// A client that takes `any HTTPLoader` can be handed either. Errors are `URLError`s.
public protocol HTTPLoader: Sendable {
  /// Sends a request and gives back the whole of its answer.
  func data(for request: URLRequest) async throws -> (Data, URLResponse)

  /// Sends a request with a body and gives back the whole of its answer.
  func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse)

  /// Sends a request with a file as its body and gives back the whole of its answer.
  func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse)
}

extension HTTPLoader {
  /// Gets what is at a URL.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url))
  }
}

extension URLSession: HTTPLoader {
  /// Sends a request and gives back the whole of its answer.
  ///
  /// On Linux this goes by a completion handler, since Foundation's own `data(for:delegate:)` there can deadlock when
  /// its task is cancelled in the very moment in which the request ends (swift-corelibs-foundation issue 5412).
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await answer(to: request)
  }

  /// Sends a request with a body and gives back the whole of its answer.
  public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
    try await answer(to: request, uploading: body)
  }

  /// Sends a request with a file as its body and gives back the whole of its answer.
  public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
    try await answer(to: request, uploadingFile: file)
  }
}
