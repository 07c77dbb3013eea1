import Internals
import NetworkConditions
import URLLoading

/// The error text for a request that a recording lacks: the request, the nearest entries, and how to make them match.
struct NearestEntries: CustomStringConvertible {
  private static let most = 3
  /// How many similar entries are compared letter by letter.
  private static let candidates = 24

  let recording: Recording
  let request: TransportRequest

  var description: String {
    let method = (request.request.httpMethod ?? "GET").uppercased()
    let url = URLText(request.request.url?.absoluteString ?? "")
    let title = "\(recording.name) has no \(method) \(request.redaction.url(url.shown))"
    guard !recording.lines.isEmpty else { return "\(title): it has no entries." }
    if let reason = reason(method, url) { return "\(title) \(reason)." }
    let near = ranked(method, url.shown).prefix(Self.most).map { "\($0.method) \(request.redaction.url($0.url))" }
    let count = FigureText.count(recording.lines.count, "request")
    return "\(title); the nearest of its \(count): \(near.joined(separator: ", "))\(hint(method, url))."
  }

  private func reason(_ method: String, _ url: URLText) -> String? {
    let matching = recording.matching
    guard recording.lines.contains(where: { $0.method == method && $0.url == url.shown }) else { return nil }
    let parts = [
      matching.matchesBody ? "body" : nil, matching.headers.isEmpty ? nil : matching.headers.joined(separator: ", "),
    ]
    let what = parts.compactMap { $0 }.joined(separator: " and ")
    return what.isEmpty ? nil : "with the same \(what); ignoring that, it has one"
  }

  private func hint(_ method: String, _ url: URLText) -> String {
    let others = recording.lines.lazy.map { (line: $0, url: URLText($0.url)) }
    let matching = recording.matching
    if others.contains(where: { $0.line.method != method && $0.line.url == url.shown }) {
      return "; only the method differs"
    }
    let sameMethod = others.filter { $0.line.method == method }
    if !matching.ignoresQuery,
      sameMethod.contains(where: { $0.url.path == url.path && (matching.ignoresOrigin || $0.url.origin == url.origin) })
    {
      return "; only the query differs, which ignoringQueryItems(_:) or ignoringQuery() ignores"
    }
    if !matching.ignoresOrigin, sameMethod.contains(where: { $0.url.path == url.path && $0.url.query == url.query }) {
      return "; only the host differs, which ignoringOrigin() ignores"
    }
    return ""
  }

  private func ranked(_ method: String, _ url: String) -> [Recording.Line] {
    let wanted = Array(url.utf8)
    func shared(_ text: String) -> Int {
      let other = Array(text.utf8)
      let front = zip(wanted, other).prefix { $0 == $1 }.count
      let back = zip(wanted.reversed(), other.reversed()).prefix { $0 == $1 }.count
      return min(front + back, other.count)
    }
    let alike = recording.lines.enumerated().map { ($0.offset, shared($0.element.url)) }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }.prefix(Self.candidates)
    let letters = Array(url.suffix(120))
    let distances = alike.map { index, _ in
      let line = recording.lines[index]
      let distance = EditDistance.between(letters, Array(line.url.suffix(120))) + (line.method == method ? 0 : 1)
      return (distance, index)
    }
    return distances.sorted { $0 < $1 }.map { recording.lines[$0.1] }
  }
}
