import NetworkConditions
import TrafficRecording
import URLLoading

/// Archives in the forms that tools write.
enum Samples {
  /// A browser's archive: byte order mark, custom fields, `null`, times of -1, HTTP/2 fields, decoded content.
  static let browser = Data(
    ("\u{FEFF}"
      + #"""
      {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"},
        "pages": [{"startedDateTime": "2026-01-31T23:59:58.100Z", "id": "page_1", "title": "https://example.com/",
          "pageTimings": {"onContentLoad": 120.5, "onLoad": null}}],
        "entries": [{
          "_initiator": {"type": "script", "stack": {"callFrames": [], "parent": {"parent": {}}}}, "_priority": "High",
          "cache": {}, "connection": "443", "pageref": "page_1",
          "request": {"method": "GET", "url": "https://example.com/feed?page=1#top", "httpVersion": "h2",
            "headers": [{"name": ":authority", "value": "example.com"}, {"name": "accept", "value": "*/*"}],
            "queryString": [{"name": "page", "value": "1"}], "cookies": [], "headersSize": -1, "bodySize": 0},
          "response": {"status": 200, "statusText": "", "httpVersion": "h2",
            "headers": [{"name": ":status", "value": "200"}, {"name": "content-encoding", "value": "gzip"},
              {"name": "content-length", "value": "39"}, {"name": "transfer-encoding", "value": "chunked"},
              {"name": "content-type", "value": "application/json"}, {"name": "set-cookie", "value": "a=1\nb=2"}],
            "cookies": [], "content": {"size": 13, "mimeType": "application/json", "text": "{\"items\": []}"},
            "redirectURL": "", "headersSize": -1, "bodySize": 39, "_transferSize": 39, "_error": null},
          "serverIPAddress": "93.184.216.34", "startedDateTime": "2026-02-01T00:59:59.123456+01:00",
          "time": 80.9, "timings": {"blocked": 1.5, "dns": -1, "ssl": -1, "connect": -1, "send": 0.25, "wait": 70.125,
            "receive": 9.0, "_blocked_queueing": 1.2}
        }]}}
      """#).utf8)

  /// An archive of requests, each with its response text.
  static func archive(_ exchanges: [(request: String, text: String)]) -> HTTPArchive {
    HTTPArchive(
      entries: exchanges.map { line, text in
        let parts = line.split(separator: " ").map(String.init)
        return entry(parts[1], method: parts[0], content: HTTPArchive.Content(size: Int64(text.utf8.count), text: text))
      })
  }

  static func entry(
    _ url: String, method: String = "GET", status: Int = 200, headers: [HTTPArchive.Field] = [],
    content: HTTPArchive.Content = HTTPArchive.Content(), timings: HTTPArchive.Timings = HTTPArchive.Timings()
  ) -> HTTPArchive.Entry {
    HTTPArchive.Entry(
      started: nil, request: HTTPArchive.Request(method: method, url: url),
      response: HTTPArchive.Response(status: status, headers: headers, content: content), timings: timings)
  }
}

/// The answer that a client receives.
struct Answer {
  let status: Int
  var text: String { String(decoding: data, as: UTF8.self) }
  let data: Data
  let headers: [String: String]
}

extension Transport {
  /// Sends a request through an unlimited network without real waits.
  func ask(
    _ method: String = "GET", _ url: String, headers: [String: String] = [:], body: Data? = nil
  ) async throws -> Answer {
    let network = SimulatedNetwork("unlimited", pace: .immediate, transport: self)
    defer { network.invalidate() }
    return try await network.ask(method, url, headers: headers, body: body)
  }
}

extension SimulatedNetwork {
  func ask(
    _ method: String = "GET", _ url: String, headers: [String: String] = [:], body: Data? = nil
  ) async throws -> Answer {
    var request = URLRequest(url: URL(string: url)!)
    request.httpMethod = method
    request.httpBody = body
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await data(for: request)
    let http = response as! HTTPURLResponse
    var fields: [String: String] = [:]
    for (name, value) in http.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
    return Answer(status: http.statusCode, data: data, headers: fields)
  }
}

/// A temporary folder, which is removed with its contents.
final class Scratch {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  var names: [String] { ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).sorted() }
}
