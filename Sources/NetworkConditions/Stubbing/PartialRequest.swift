public import URLLoading

/// A request of which a stub's server had the head and not all of the body when it ended.
///
/// It was cut off, its client gave up, or the server had answered it before (``StubResponse/early(afterBytes:)``).
public struct PartialRequest: Sendable {
  /// The request, without its body.
  public let request: URLRequest
  /// How many bytes of the body had come when the request ended for its client.
  public let bytesReceived: Int64
  /// How many bytes the body has; `nil` when it is a stream that was still being read.
  public let bytesExpected: Int64?
}
