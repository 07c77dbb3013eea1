public import Foundation
public import LinkSimulator
import Synchronization

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A request that reached a stub, for assertions.
///
/// Its values are as they came; only ``description`` leaves out secrets.
public struct RecordedRequest: Sendable, CustomStringConvertible {
  /// What a reply's cancellation reaches, however long the request is kept.
  final class Fate: Sendable {
    let isGone = Atomic<Bool>(false)
  }

  /// The request, without its body.
  public let request: URLRequest
  /// The body; one that came in a file is mapped, and stays when the file is removed.
  public let body: RequestBody
  /// Which of the equal requests (by method and URL, secrets apart) of its network it is, counted from 1.
  public let occurrence: Int
  /// When it reached the server, in the network's time.
  public let time: SimulatedInstant
  let fate = Fate()
  let redaction: Redaction

  init(_ request: TransportRequest, redaction: Redaction?) {
    self.request = request.request
    body =
      if case .file = request.body, let mapped = try? request.body.load() { .data(mapped) } else { request.body }
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

  /// The body's bytes; empty when they can no longer be read.
  public var bodyData: Data { (try? body.load()) ?? Data() }

  /// The body as text in UTF-8.
  public var bodyText: String { String(decoding: bodyData, as: UTF8.self) }

  /// The body, decoded from JSON.
  public func json<Value: Decodable>(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) throws -> Value {
    try (decoder ?? JSONDecoder()).decode(type, from: bodyData)
  }

  /// Whether the client went away before it had the whole answer: cancelled, timed out or cut off.
  public var wasCancelled: Bool { fate.isGone.load(ordering: .acquiring) }

  /// The URL as texts show it.
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
