@_exported public import Foundation

// Linux has the types about URL loading in a module of their own: who imports this module has them on each platform.
#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif

/// Something that carries out HTTP requests: a `URLSession`, a simulated network in its place, or a client of your own.
///
/// A client that takes `any HTTPLoader` can be handed each of them. One method is required.
public protocol HTTPLoader: Sendable {
  /// Sends a request once and gives back the whole of its answer, whatever its status.
  ///
  /// It must end soon after its task is cancelled: timeouts, deadlines and hedging cancel attempts, and a request that is
  /// retried does not return before all of its attempts have ended.
  ///
  /// - Throws: a `URLError`, where there is no answer.
  func data(for request: URLRequest) async throws -> (Data, URLResponse)

  /// Sends a request once and gives back the head of its answer, and the body piece by piece.
  func chunks(for request: URLRequest) async throws -> (AsyncThrowingStream<Data, any Error>, URLResponse)

  /// Sends a request with a body and gives back the whole of its answer.
  func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse)

  /// Sends a request with a file as its body and gives back the whole of its answer.
  func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse)
}

extension HTTPLoader {
  /// Sends a GET request for a URL, and returns the whole of its answer.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url))
  }

  /// Sends a request, and gives back the whole body as one piece.
  public func chunks(for request: URLRequest) async throws -> (AsyncThrowingStream<Data, any Error>, URLResponse) {
    let (data, response) = try await data(for: request)
    let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
    if !data.isEmpty { continuation.yield(data) }
    continuation.finish()
    return (stream, response)
  }

  /// Sends a request with a body and gives back the whole of its answer.
  public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
    var request = request
    request.httpBody = body
    return try await data(for: request)
  }

  /// Sends a request with a file as its body, which is read first, and gives back the whole of its answer.
  public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
    try await upload(for: request, from: try Data(contentsOf: file))
  }
}
