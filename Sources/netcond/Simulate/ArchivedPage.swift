import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import TrafficRecording

/// A page's requests from an HTTP archive, with the dependencies between them.
///
/// A request depends on the document, script or style sheet that caused it (`_initiator`). If the archive does not name
/// one, it depends on the last request that had ended before it began. It then waits as long after that as in the
/// archive.
struct ArchivedPage {
  private(set) var requests: [WorkloadScenario.Request] = []
  private(set) var client = WorkloadScenario.Client.http2
  private(set) var notes: [String] = []
  /// How many requests over http or https have no response from the network.
  private(set) var unanswered = 0

  private struct Recorded {
    let url: String
    let begin: Duration
    let end: Duration
    let initiator: String?
  }

  init(_ archive: HTTPArchive) {
    var entries = archive.entries
    if archive.pages.count > 1, let first = archive.pages.first {
      entries.removeAll { $0.pageID != nil && $0.pageID != first.id }
      notes.append("Only the first of \(archive.pages.count) pages is simulated.")
    }
    let all = entries.filter { Self.components($0) != nil }
    // A `data:` URL has its content, and a `blob:` is in the browser's memory.
    let others = entries.count { entry in
      Self.components(entry) == nil && !["data:", "blob:"].contains { entry.request.url.lowercased().hasPrefix($0) }
    }
    if others > 0 {
      let subject = "\(FigureText.count(others, "request")) without HTTP, as over wss,"
      notes.append("\(subject) \(others == 1 ? "is" : "are") left out.")
    }
    let sent = all.filter { !Self.isEmpty($0) }
    unanswered = all.count - sent.count
    if unanswered > 0 {
      let subject = unanswered == 1 ? "1 request was" : "\(unanswered) requests were"
      notes.append("\(subject) answered by the cache or failed, and \(unanswered == 1 ? "is" : "are") left out.")
    }
    // Requests that began together keep their order.
    let sorted = sent.enumerated().sorted { one, other in
      let dates = [one, other].map { $0.element.started ?? .distantPast }
      return dates[0] == dates[1] ? one.offset < other.offset : dates[0] < dates[1]
    }.map(\.element)
    chooseClient(sorted)
    if sorted.contains(where: { max($0.request.bodyBytes, $0.bodyBytesOnWire) > TransferCase.mostBytes }) {
      notes.append("Bodies of more than 100 GB are simulated with 100 GB.")
    }
    let start = sorted.first?.started
    var recorded: [Recorded] = []
    for entry in sorted {
      let begin = start.flatMap { start in
        entry.started.map { Duration.microseconds(Int64((max(0, $0.timeIntervalSince(start)) * 1e6).rounded())) }
      }
      let item = Recorded(
        url: Self.plain(entry.request.url), begin: begin ?? .zero, end: (begin ?? .zero) + entry.time,
        initiator: entry.initiator.map(Self.plain))
      requests.append(Self.request(entry, item, after: recorded))
      recorded.append(item)
    }
  }

  /// Chooses the protocol of most requests, and uses it for all.
  private mutating func chooseClient(_ entries: [HTTPArchive.Entry]) {
    let clients = entries.map(Self.client)
    let counts = WorkloadScenario.Client.allCases.map { client in clients.count { $0 == client } }
    guard let most = counts.max(), let place = counts.lastIndex(of: most) else { return }
    client = WorkloadScenario.Client.allCases[place]
    if most < entries.count {
      notes.append(
        "\(entries.count - most) of \(entries.count) requests used another protocol; all use \(client.words) here.")
    }
  }

  private static func client(_ entry: HTTPArchive.Entry) -> WorkloadScenario.Client {
    guard components(entry)?.scheme?.lowercased() == "https" else { return .http1 }
    let version = entry.response.httpVersion.lowercased()
    if version.hasPrefix("http/1") { return .secureHTTP1 }
    return version.hasPrefix("http/3") || version.hasPrefix("h3") ? .http3 : .http2
  }

  private static func request(
    _ entry: HTTPArchive.Entry, _ item: Recorded, after before: [Recorded]
  ) -> WorkloadScenario.Request {
    let components = components(entry)
    let host = [components?.host ?? "", components?.port.map { ":\($0)" } ?? ""].joined()
    // The query is left out: it may contain secrets, and does not matter.
    let path = Redaction.standard.url(components?.path ?? "/")
    let text = entry.request.body?.text?.utf8.count ?? 0
    // Base64 has four characters for three bytes.
    let recorded = entry.request.body?.encoding == nil ? text : text / 4 * 3
    let sent = entry.request.bodyBytes > 0 ? entry.request.bodyBytes : Int64(recorded)
    var request = WorkloadScenario.Request(
      id: "\(before.count)", host: host, path: path.isEmpty ? "/" : path, method: sent > 0 ? .put : .get)
    request.requestBytes = min(sent, TransferCase.mostBytes)
    request.responseBytes = min(entry.bodyBytesOnWire, TransferCase.mostBytes)
    if entry.request.method.uppercased() == "HEAD" || [204, 304].contains(entry.response.status) {
      request.responseBytes = 0
    }
    if let parent = parent(of: item, among: before) {
      request.after = [parent]
      request.wait = max(.zero, item.begin - before[parent].end)
    } else {
      request.start = item.begin
    }
    return request
  }

  private static func parent(of item: Recorded, among before: [Recorded]) -> Int? {
    if let initiator = item.initiator, let place = before.lastIndex(where: { $0.url == initiator }) { return place }
    return before.indices.filter { before[$0].end <= item.begin }.max { before[$0].end < before[$1].end }
  }

  /// The URL of an HTTP request; `nil` for others, such as `data:`.
  private static func components(_ entry: HTTPArchive.Entry) -> URLComponents? {
    guard let components = URLComponents(string: entry.request.url), components.host?.isEmpty == false,
      ["http", "https"].contains(components.scheme?.lowercased())
    else { return nil }
    return components
  }

  /// Whether nothing was transferred: the browser's cache answered, or the request failed (status 0 in a HAR).
  private static func isEmpty(_ entry: HTTPArchive.Entry) -> Bool {
    entry.response.transferBytes == 0 && entry.response.status == 200 || entry.response.status == 0
  }

  private static func plain(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
}

extension WorkloadScenario.Client {
  var words: String {
    switch self {
    case .http1: "HTTP/1.1"
    case .secureHTTP1: "HTTP/1.1 over TLS"
    case .http2: "HTTP/2"
    case .http3: "HTTP/3"
    }
  }
}
