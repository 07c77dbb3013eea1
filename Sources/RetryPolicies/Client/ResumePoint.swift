import URLLoading

/// How much of a body has been received, and how to request the rest (RFC 9110, section 14).
struct ResumePoint: Sendable {
  enum Step: Hashable {
    /// The response holds the whole body, from the first byte.
    case begins
    /// The response holds the rest of the body.
    case goesOn
    /// The server has no further bytes: the body is complete.
    case isComplete
    /// The range differs from the requested one: the bytes received so far are useless.
    case isWrong
    /// The response holds other content than the body, such as a server's error.
    case isNone
  }

  var count: Int64 = 0
  /// The head of the response that began the body.
  private(set) var head: URLResponse?
  /// A strong entity tag, by which the server recognises the same content; `nil` if the rest cannot be requested.
  private var tag: String?
  /// The body's total length, if a response for the rest gave it.
  private var length: Int64?

  /// Whether bytes are missing although the response has ended: a server may send a part of the rest (section 15.3.7).
  var lacksBytes: Bool { length.map { count < $0 } ?? false }

  var canGoOn: Bool { count > 0 && tag != nil }

  /// Returns the request for the rest, or for the whole if the rest cannot be requested.
  ///
  /// With `If-Range`, a server whose content has changed sends all of the new content (section 13.1.5).
  func request(_ request: URLRequest) -> URLRequest {
    guard let tag, canGoOn else { return request }
    var rest = request
    rest.setValue("bytes=\(count)-", forHTTPHeaderField: "Range")
    rest.setValue(tag, forHTTPHeaderField: "If-Range")
    return rest
  }

  /// Handles a response's head; `request` is the caller's request, without an added range.
  mutating func take(_ response: URLResponse, to request: URLRequest) -> Step {
    let facts = ResponseFacts(response)
    switch facts.status {
    case 206 where canGoOn:
      guard Self.range(facts)?.start == count, facts.header("ETag") ?? tag == tag else {
        self = ResumePoint()
        return .isWrong
      }
      length = Self.range(facts)?.length
      return .goesOn
    case 416 where canGoOn:
      if Self.range(facts)?.length == count { return .isComplete }
      self = ResumePoint()
      return .isWrong
    case 200..<300:
      (count, head, tag, length) = (0, response, Self.tag(facts, request), nil)
      return .begins
    default: return .isNone
    }
  }

  /// Returns the tag that allows requesting the rest, or `nil`.
  ///
  /// A weak tag does not identify bytes. Ranges do not count the bytes of a body that was compressed in transit. A request
  /// with its own range, or with a method other than GET, is sent again as a whole.
  private static func tag(_ facts: ResponseFacts, _ request: URLRequest) -> String? {
    guard request.httpMethod ?? "GET" == "GET", request.value(forHTTPHeaderField: "Range") == nil,
      facts.status == 200, facts.header("Accept-Ranges") != "none",
      ["identity", nil].contains(facts.header("Content-Encoding")),
      let tag = facts.header("ETag"), tag.hasPrefix("\"")
    else { return nil }
    return tag
  }

  /// Parses `Content-Range`, such as `bytes 5-9/10` or `bytes */10` (section 14.4).
  private static func range(_ facts: ResponseFacts) -> (start: Int64?, length: Int64?)? {
    guard let text = facts.header("Content-Range"), text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/")
    guard parts.count == 2 else { return nil }
    return (parts[0].split(separator: "-").first.flatMap { Int64($0) }, Int64(parts[1]))
  }
}

/// A policy without hedges, for bodies that several attempts build up: only one may write at a time.
struct OneAtATime: WrappingPolicy {
  let base: any RetryPolicy

  func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? { nil }
}
