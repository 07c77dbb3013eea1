#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking

  /// Uses completion handlers, since Foundation's `data(for:delegate:)` can deadlock on Linux.
  ///
  /// It happens when a task is cancelled at the moment its request ends (swift-corelibs-foundation issue 5412). Hedging
  /// and timeouts would cause that often.
  extension URLSession: HTTPLoader {
    /// Sends a request and returns its complete response.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
      try await CancellableTask.run { dataTask(with: request, completionHandler: $0) }
    }

    /// Sends a request with a body and returns its complete response.
    public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
      try await CancellableTask.run { uploadTask(with: request, from: body, completionHandler: $0) }
    }

    /// Sends a request with a file as its body and returns its complete response.
    public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
      try await CancellableTask.run { uploadTask(with: request, fromFile: file, completionHandler: $0) }
    }
  }
#endif
