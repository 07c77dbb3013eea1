public import URLLoading

/// A request that reached a stub, for assertions.
///
/// Its values are as they came; only ``description`` leaves out secrets.
public struct RecordedRequest: Sendable, CustomStringConvertible {
  /// The request, without its body.
  public let request: URLRequest
  /// The body; one in a large file stays there, within reach of ``bodyData`` also when the file has been removed.
  public let body: RequestBody
  /// Which of the equal requests (by method and URL, secrets apart) of its network it is, counted from 1.
  public let occurrence: Int
  /// When it reached the server, in the network's time.
  public let time: SimulatedInstant
  let client: RequestClient
  let redaction: Redaction
  private let file: KeptFile?

  /// The bodies of larger files stay on disk, and count as this size.
  private static let largeFile: Int64 = 1 << 20

  init(_ request: TransportRequest, redaction: Redaction?) {
    self.request = request.request
    switch request.body {
    case .file(let url, let length) where length > Self.largeFile: (body, file) = (request.body, KeptFile(url))
    case .file: (body, file) = ((try? request.body.load()).map { .data($0) } ?? request.body, nil)
    case .empty, .data: (body, file) = (request.body, nil)
    }
    client = request.client ?? RequestClient()
    occurrence = request.occurrence
    time = request.time
    self.redaction = redaction ?? request.redaction
  }

  /// The method in upper case.
  public var method: String { (request.httpMethod ?? "GET").uppercased() }

  /// The URL.
  public var url: URL? { request.url }

  /// The header fields by name.
  public var headers: [String: String] { request.allHTTPHeaderFields ?? [:] }

  /// The value of a header field, without regard to case in its name.
  public func header(_ name: String) -> String? { request.value(forHTTPHeaderField: name) }

  /// The body's bytes; empty when they can no longer be read, or the file that has them has changed since.
  public var bodyData: Data {
    if let file { return file.load(body.count) ?? Data() }
    return (try? body.load()) ?? Data()
  }

  /// How much it counts for among the requests that are kept.
  var size: Int64 { file == nil ? body.count : Self.largeFile }

  /// The body as text in UTF-8.
  public var bodyText: String { String(decoding: bodyData, as: UTF8.self) }

  /// The body, decoded from JSON.
  public func json<Value: Decodable>(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) throws -> Value {
    try (decoder ?? JSONDecoder()).decode(type, from: bodyData)
  }

  /// Whether the client went away before it had the whole answer: cancelled, timed out or cut off; outside of a
  /// ``Simulation`` that takes a moment (``StubRoute/waitUntilCancelled(times:)``).
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
