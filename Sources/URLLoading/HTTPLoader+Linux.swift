#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking

  /// On Linux these go by a completion handler, since Foundation's own `data(for:delegate:)` there can deadlock when its
  /// task is cancelled in the very moment in which the request ends (swift-corelibs-foundation issue 5412). Hedging and
  /// timeouts would meet that moment again and again.
  extension URLSession: HTTPLoader {
    /// Sends a request and gives back the whole of its answer.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
      try await CancellableTask.run { dataTask(with: request, completionHandler: $0) }
    }

    /// Sends a request with a body and gives back the whole of its answer.
    public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
      try await CancellableTask.run { uploadTask(with: request, from: body, completionHandler: $0) }
    }

    /// Sends a request with a file as its body and gives back the whole of its answer.
    public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
      try await CancellableTask.run { uploadTask(with: request, fromFile: file, completionHandler: $0) }
    }
  }
#endif
