@_exported public import Foundation

// On Linux the URL loading types are in a separate module, which importers of this module get as well.
#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif

/// A type that performs HTTP requests: a `URLSession`, a simulated network, or your own client.
///
/// Clients that accept `any HTTPLoader` can use each of them. Only one method is required.
public protocol HTTPLoader: Sendable {
  /// Sends a request once and returns its complete response, whatever its status.
  ///
  /// It must return soon after its task is cancelled: timeouts, deadlines and hedging cancel attempts. A retried
  /// request returns only after all its attempts have ended.
  ///
  /// - Throws: a `URLError` if there is no response.
  func data(for request: URLRequest) async throws -> (Data, URLResponse)

  /// Sends a request once; returns the response's head, and the body in pieces as they arrive.
  func chunks(for request: URLRequest) async throws -> (AsyncThrowingStream<Data, any Error>, URLResponse)

  /// Sends a request with a body and returns its complete response.
  func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse)

  /// Sends a request with a file as its body and returns its complete response.
  func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse)
}

extension HTTPLoader {
  /// Sends a GET request for a URL and returns its complete response.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url))
  }

  /// Sends a request and returns the whole body as one piece.
  public func chunks(for request: URLRequest) async throws -> (AsyncThrowingStream<Data, any Error>, URLResponse) {
    let (data, response) = try await data(for: request)
    let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
    if !data.isEmpty { continuation.yield(data) }
    continuation.finish()
    return (stream, response)
  }

  /// Sends a request with a body and returns its complete response.
  public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
    var request = request
    request.httpBody = body
    return try await data(for: request)
  }

  /// Reads a file, sends it as a request's body, and returns the complete response.
  public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
    try await upload(for: request, from: try Data(contentsOf: file))
  }
}
