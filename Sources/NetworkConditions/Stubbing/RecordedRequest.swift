public import URLLoading

/// A request that reached a stub, for assertions.
///
/// Its values are unchanged. Only ``description`` hides secrets.
public struct RecordedRequest: Sendable, CustomStringConvertible {
  /// The request, without its body.
  public let request: URLRequest
  /// The body; a large file stays on disk, and ``bodyData`` can read it even after its removal.
  public let body: RequestBody
  /// The request's number among the network's equal requests (by method and URL without secrets), from 1.
  public let occurrence: Int
  /// When the request reached the server, in the network's time.
  public let time: SimulatedInstant
  let client: RequestClient
  let redaction: Redaction
  private let file: KeptFile?

  /// A file's body above this size stays on disk, and counts as this many bytes of memory.
  private static let largeFile: Int64 = 1 << 20

  init(_ request: TransportRequest) {
    self.request = request.request
    switch request.body {
    case .file(let url, let length) where length > Self.largeFile: (body, file) = (request.body, KeptFile(url))
    case .file: (body, file) = ((try? request.body.load()).map { .data($0) } ?? request.body, nil)
    case .empty, .data: (body, file) = (request.body, nil)
    }
    client = request.client ?? RequestClient()
    occurrence = request.occurrence
    time = request.time
    redaction = request.redaction
  }

  /// The request's method in upper case.
  public var method: String { (request.httpMethod ?? "GET").uppercased() }

  /// The request's URL.
  public var url: URL? { request.url }

  /// The header fields by name.
  public var headers: [String: String] { request.allHTTPHeaderFields ?? [:] }

  /// A header field's value, by its name in any case.
  public func header(_ name: String) -> String? { request.value(forHTTPHeaderField: name) }

  /// The body's bytes; empty if its file changed or cannot be read any more.
  public var bodyData: Data {
    if let file { return file.load(body.count) ?? Data() }
    return (try? body.load()) ?? Data()
  }

  /// The size that counts against the stub's memory limit.
  var size: Int64 { file == nil ? body.count : Self.largeFile }

  /// The body as UTF-8 text.
  public var bodyText: String { String(decoding: bodyData, as: UTF8.self) }

  /// Decodes the body from JSON.
  public func json<Value: Decodable>(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) throws -> Value {
    try (decoder ?? JSONDecoder()).decode(type, from: bodyData)
  }

  /// Whether the client left before it had the whole answer: it was cancelled, timed out or cut off.
  ///
  /// Outside of a ``Simulation`` this takes a moment to become `true` (``StubRoute/waitUntilCancelled(times:)``).
  public var wasCancelled: Bool { client.isGone }

  var shownURL: String { url.map { redaction.url($0.absoluteString) } ?? "no URL" }

  /// One line, such as `POST https://api.example.com/orders, 12 bytes of body, Authorization: <redacted>, cancelled`.
  public var description: String {
    var parts = ["\(method) \(shownURL)"]
    if body.count > 0 { parts.append("\(body.count) bytes of body") }
    parts += redaction.headers(headers).map { "\($0.name): \($0.value)" }
    if wasCancelled { parts.append("cancelled") }
    return parts.joined(separator: ", ")
  }
}

/// A request that ended after a stub's server had its head, but before it had the whole body.
///
/// It was cut off, its client gave up, or the server had answered early (``StubResponse/early(afterBytes:)``).
public struct PartialRequest: Sendable {
  /// The request, without its body.
  public let request: URLRequest
  /// How many bytes of the body had arrived at the end.
  public let bytesReceived: Int64
  /// The body's size; `nil` if it was a stream that was still being read.
  public let bytesExpected: Int64?
}
