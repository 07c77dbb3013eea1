#if !canImport(FoundationNetworking)
  public import Foundation

  extension URLSession: HTTPLoader {
    /// Sends a request and gives back the whole of its answer.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
      try await data(for: request, delegate: nil)
    }

    /// Sends a request with a body and gives back the whole of its answer.
    public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
      try await upload(for: request, from: body, delegate: nil)
    }

    /// Sends a request with a file as its body and gives back the whole of its answer.
    public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
      try await upload(for: request, fromFile: file, delegate: nil)
    }
  }
#endif
