import URLLoading

/// How far the body of an answer has come, and by what the rest of it can be asked for (RFC 9110, section 14).
struct ResumePoint: Sendable {
  /// What an answer means for the bytes that have come.
  enum Step: Hashable {
    /// Its body is the whole, from the first byte on.
    case begins
    /// Its body is the rest.
    case goesOn
    /// There is no rest: all bytes have come.
    case isComplete
    /// Its range is not the one that was asked for: the bytes that have come are of no use.
    case isWrong
    /// It is another answer, such as an error of the server.
    case isNone
  }

  /// How many bytes have come.
  var count: Int64 = 0
  /// The head of the answer that the first of them came with.
  private(set) var head: URLResponse?
  /// A strong entity tag, by which the server knows whether the rest is of the same; `nil` where the rest cannot be asked for.
  private var tag: String?

  /// Whether the rest can be asked for.
  var canGoOn: Bool { count > 0 && tag != nil }

  /// The request for the rest, or for the whole where the rest cannot be asked for.
  ///
  /// `If-Range` has a server that has something else by now send all of that (section 13.1.5).
  func request(_ request: URLRequest) -> URLRequest {
    guard let tag, canGoOn else { return request }
    var rest = request
    rest.setValue("bytes=\(count)-", forHTTPHeaderField: "Range")
    rest.setValue(tag, forHTTPHeaderField: "If-Range")
    return rest
  }

  /// Learns of the head of an answer, before its body.
  ///
  /// - Parameters:
  ///   - response: the head.
  ///   - request: what was sent first of all, without a range of this type.
  mutating func take(_ response: URLResponse, to request: URLRequest) -> Step {
    let facts = ResponseFacts(response)
    switch facts.status {
    case 206 where canGoOn:
      guard Self.range(facts)?.start == count, facts.header("ETag") ?? tag == tag else {
        self = ResumePoint()
        return .isWrong
      }
      return .goesOn
    case 416 where canGoOn:
      if Self.range(facts)?.length == count { return .isComplete }
      self = ResumePoint()
      return .isWrong
    case 200..<300:
      (count, head, tag) = (0, response, Self.tag(facts, request))
      return .begins
    default: return .isNone
    }
  }

  /// The tag by which the rest may be asked for.
  ///
  /// A weak one does not hold for bytes. A body that was compressed on the way is not counted in the bytes of a range. The whole is
  /// asked for again if the request has its own range, or is no GET.
  private static func tag(_ facts: ResponseFacts, _ request: URLRequest) -> String? {
    guard request.httpMethod ?? "GET" == "GET", request.value(forHTTPHeaderField: "Range") == nil,
      facts.status == 200, facts.header("Accept-Ranges") != "none",
      ["identity", nil].contains(facts.header("Content-Encoding")),
      let tag = facts.header("ETag"), tag.hasPrefix("\"")
    else { return nil }
    return tag
  }

  /// The numbers of `Content-Range`, such as `bytes 5-9/10` or `bytes */10` (section 14.4).
  private static func range(_ facts: ResponseFacts) -> (start: Int64?, length: Int64?)? {
    guard let text = facts.header("Content-Range"), text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/")
    guard parts.count == 2 else { return nil }
    return (parts[0].split(separator: "-").first.flatMap { Int64($0) }, Int64(parts[1]))
  }
}

/// A policy without copies of an attempt: what is put together from attempts takes one at a time.
struct OneAtATime: WrappingPolicy {
  let base: any RetryPolicy

  func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? { nil }
}
