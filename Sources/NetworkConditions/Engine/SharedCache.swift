import URLLoading

/// A shared cache: the last response to each URL, for requests that get a stale one (``RequestFault/stale``).
struct SharedCache {
  private var entries: [String: (part: AnswerPart, time: SimulatedInstant)] = [:]
  /// The cache keeps only responses with a body up to this size.
  private static let largest: Int64 = 16 << 20

  /// Whether the cache may answer a request (RFC 9111, 3.5, 4 and 5.2.1).
  func answers(_ request: URLRequest, _ line: RequestLine) -> Bool {
    !entries.isEmpty && entries[line.url] != nil && Self.mayAnswer(request)
  }

  static func mayAnswer(_ request: URLRequest) -> Bool {
    let directives = request.value(forHTTPHeaderField: "Cache-Control")?.lowercased() ?? ""
    return request.httpMethod ?? "GET" == "GET" && request.cachePolicy != .reloadIgnoringLocalAndRemoteCacheData
      && !["no-cache", "no-store", "max-age=0"].contains(where: directives.contains)
      && !["Authorization", "If-None-Match", "If-Modified-Since", "Range"].contains {
        request.value(forHTTPHeaderField: $0) != nil
      }
  }

  /// Whether the cache keeps a response: only one that says how long it is fresh (RFC 9111, 3, 4.2.1, 4.2.2 and 5.2.2).
  static func keeps(_ head: ResponseHead) -> Bool {
    let directives = head["Cache-Control"]?.lowercased() ?? ""
    let showsLifetime =
      ["max-age=", "s-maxage=", "public"].contains(where: directives.contains)
      || ["Expires", "Last-Modified"].contains { head[$0] != nil }
    return head.status == 200 && showsLifetime
      && !["no-cache", "no-store", "private", "max-age=0"].contains(where: directives.contains)
  }

  /// The stored response, with an `Age` field (RFC 9111, 5.1).
  func part(for line: RequestLine, at time: SimulatedInstant) -> AnswerPart? {
    guard let entry = entries[line.url] else { return nil }
    var part = entry.part
    part.head?.remove("Age")
    part.head?.headers.append(HeaderField("Age", "\(entry.time.duration(to: time).components.seconds)"))
    return part
  }

  /// Adds a part of a server's answer; the cache keeps it when it is whole.
  mutating func add(_ part: AnswerPart, of exchange: Exchange, at time: SimulatedInstant) {
    guard exchange.plan.keepsResponse, !exchange.plan.isReplaced, exchange.line.method == "GET",
      let answer = exchange.answer, Self.keeps(answer.head), answer.carried.count <= Self.largest
    else { return }
    var whole = exchange.server.kept ?? AnswerPart()
    whole.add(part)
    exchange.server.kept = whole
    if case .whole? = whole.end { entries[exchange.line.url] = (whole, time) }
  }
}
