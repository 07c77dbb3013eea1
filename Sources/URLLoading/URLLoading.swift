@_exported public import Foundation

// Linux has the types about URL loading in a module of their own: who imports this module has them on each platform.
#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif

/// On Linux these go by a completion handler, since Foundation's own `data(for:delegate:)` there can deadlock when its
/// task is cancelled in the very moment in which the request ends (swift-corelibs-foundation issue 5412).
extension URLSession {
  /// Sends a request and gives back the whole of its answer.
  package func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
    #if canImport(FoundationNetworking)
      try await CancellableTask.run { dataTask(with: request, completionHandler: $0) }
    #else
      try await data(for: request, delegate: nil)
    #endif
  }

  /// Sends a request with a body and gives back the whole of its answer.
  package func answer(to request: URLRequest, uploading body: Data) async throws -> (Data, URLResponse) {
    #if canImport(FoundationNetworking)
      try await CancellableTask.run { uploadTask(with: request, from: body, completionHandler: $0) }
    #else
      try await upload(for: request, from: body, delegate: nil)
    #endif
  }

  /// Sends a request with a file as its body and gives back the whole of its answer.
  package func answer(to request: URLRequest, uploadingFile file: URL) async throws -> (Data, URLResponse) {
    #if canImport(FoundationNetworking)
      try await CancellableTask.run { uploadTask(with: request, fromFile: file, completionHandler: $0) }
    #else
      try await upload(for: request, fromFile: file, delegate: nil)
    #endif
  }
}
