public import URLLoading

/// Something that carries out one HTTP request: a `URLSession`, a ``RequestLoader``, or a client of your own.
public protocol RequestLoading: Sendable {
  /// Sends a request once and gives back the whole of its answer, whatever its status.
  ///
  /// It must end soon after its task is cancelled: timeouts, deadlines and hedging cancel attempts, and a request does
  /// not return before all of its attempts have ended.
  func load(_ request: URLRequest) async throws -> (Data, URLResponse)
}

/// A loader made of a closure.
public struct RequestLoader: RequestLoading {
  private let body: @Sendable (URLRequest) async throws -> (Data, URLResponse)

  /// Takes the closure that sends a request once.
  public init(_ load: @escaping @Sendable (URLRequest) async throws -> (Data, URLResponse)) {
    body = load
  }

  /// Calls the closure.
  public func load(_ request: URLRequest) async throws -> (Data, URLResponse) {
    try await body(request)
  }
}

extension URLSession: RequestLoading {
  /// Sends a request once.
  ///
  /// On Linux this goes by a completion handler, since Foundation's own `data(for:delegate:)` there can deadlock when
  /// its task is cancelled in the very moment in which the request ends (swift-corelibs-foundation issue 5412). Hedging
  /// and timeouts would meet that moment again and again.
  public func load(_ request: URLRequest) async throws -> (Data, URLResponse) {
    try await answer(to: request)
  }

  func uploader(of body: Data) -> RequestLoader {
    RequestLoader { try await self.answer(to: $0, uploading: body) }
  }

  func uploader(ofFile file: URL) -> RequestLoader {
    RequestLoader { try await self.answer(to: $0, uploadingFile: file) }
  }
}
