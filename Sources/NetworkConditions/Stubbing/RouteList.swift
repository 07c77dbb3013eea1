import Internals
import URLLoading

/// The error text for a request without a matching stub: the request, and the routes, nearest first.
struct RouteList: CustomStringConvertible {
  private static let longest = 12

  let routes: [StubRoute]
  let request: TransportRequest
  let record: RecordedRequest

  var description: String {
    let title = "No stub matches \(record.method) \(record.shownURL)"
    let reference = Explanation.noStub.reference
    guard !routes.isEmpty else { return "\(title): there are no stubs \(reference)." }
    let parts = URLParts(request.request.url)
    // Routes with fewer mismatches come first, and among those the ones more similar to the request.
    let ranked = routes.enumerated().map { index, route in
      let mismatches = route.condition.mismatches(request, record.method, parts)
      return (mismatches: mismatches, distance: distance(to: route, parts), index: index, route: route)
    }.sorted { ($0.mismatches.count, $0.distance, $0.index) < ($1.mismatches.count, $1.distance, $1.index) }
    var lines = ranked.prefix(Self.longest).map { "  \($0.route) (\(reason($0.route, $0.mismatches)))" }
    if ranked.count > Self.longest { lines.append("  and \(ranked.count - Self.longest) more") }
    return "\(title) \(reference). The stubs are, nearest first:\n\(lines.joined(separator: "\n"))"
  }

  private func reason(_ route: StubRoute, _ mismatches: [String]) -> String {
    if let problem = route.condition.url?.problem { return "a pattern that matches nothing: \(problem)" }
    return mismatches.isEmpty ? "added since" : "another \(mismatches.joined(separator: ", "))"
  }

  private func distance(to route: StubRoute, _ parts: URLParts) -> Int {
    let pattern = Array((route.condition.url?.description ?? "").utf8)
    let url = Array((record.url?.absoluteString ?? "").utf8)
    let path = Array(parts.path.utf8)
    func shared(_ text: [UInt8]) -> Int {
      let front = zip(pattern, text).prefix { $0 == $1 }.count
      let back = zip(pattern.reversed(), text.reversed()).prefix { $0 == $1 }.count
      return min(front + back, pattern.count)
    }
    return -max(shared(url), shared(path))
  }
}
