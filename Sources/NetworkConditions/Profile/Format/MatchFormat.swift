import Foundation

/// Reads and writes request matches: `{ "host": "*.cdn.example", "path": "/pay", "method": "POST" }`.
enum MatchFormat {
  /// - Parameter counts: whether the match may contain `nth`, the occurrence of a request.
  static func read(_ reader: FormatReader?, counts: Bool) throws(ProfileError) -> RequestMatch {
    guard let reader else { return .any }
    let keys = ["host", "path", "url", "scheme", "method"] + (counts ? ["nth"] : [])
    let object = try reader.object(keys: keys, of: "a match")
    guard !object.keys.isEmpty else { throw reader.error("the match is empty; leave it out to match every request") }
    let scheme = try object["scheme"].map(Self.scheme)
    let host = try object["host"].map(Self.host)
    let path = try object["path"].map(Self.path)
    let url = try object["url"].map(Self.url)
    if let given = object["url"], host != nil || path != nil {
      throw given.error("a whole URL already contains the host and the path; leave those out")
    }
    let method = try object["method"].map(Self.method)
    let nth = try object["nth"]?.count(1...Int.max, "the turn of a request")
    return RequestMatch(host: host, path: path, scheme: scheme, method: method, nth: nth, url: url)
  }

  private static func host(_ given: FormatReader) throws(ProfileError) -> Glob {
    let text = try given.string("a pattern of a host")
    guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0 == "/" || $0.value <= 0x20 }) else {
      throw given.error("\(text.quoted) is not a pattern of a host; write for example \"*.cdn.example\"")
    }
    // A URL's host has no port and is ASCII, so a pattern with either would match no request.
    if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
      throw given.error("a host has no port; write \(String(text[..<colon]).quoted)")
    }
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw given.error("\(text.quoted) is not ASCII, as a URL's host must be; write its form in xn--, or \"*\"")
    }
    return Glob(text)
  }

  private static func path(_ given: FormatReader) throws(ProfileError) -> Glob {
    let text = try given.string("a pattern of a path")
    guard text.hasPrefix("/") || text.hasPrefix("*") else {
      throw given.error("\(text.quoted) is not a pattern of a path, which begins with a slash; write \(example(text))")
    }
    if let mark = text.firstIndex(of: "?"), text[mark...].contains("=") {
      throw given.error("a path has no query; write \(String(text[..<mark]).quoted), or the whole \"url\"")
    }
    if let decoded = text.removingPercentEncoding, decoded != text {
      throw given.error("a path is matched without its percent-encoding; write \(decoded.quoted)")
    }
    return Glob(text)
  }

  private static func scheme(_ given: FormatReader) throws(ProfileError) -> String {
    let text = try given.string("a scheme").lowercased()
    guard text == "http" || text == "https" else {
      throw given.error("\(text.quoted) is not a scheme; write \"http\" or \"https\"")
    }
    return text
  }

  private static func method(_ given: FormatReader) throws(ProfileError) -> String {
    let text = try given.string("a method")
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard !text.isEmpty, text.uppercased().utf8.allSatisfy({ letters.contains($0) || "-_".utf8.contains($0) }) else {
      throw given.error("\(text.quoted) is not a method; write for example \"POST\"")
    }
    return text
  }

  private static func url(_ given: FormatReader) throws(ProfileError) -> String {
    let text = try given.string("a URL")
    guard text.contains("://"), !text.unicodeScalars.contains(where: { $0.value <= 0x20 }) else {
      throw given.error(
        "\(text.quoted) is not a whole URL; write for example \"https://api.example.com/pay?id=1\", or a \"path\"")
    }
    return text
  }

  private static func example(_ text: String) -> String {
    text.isEmpty ? "\"/\"" : "/\(text)".quoted
  }

  static func write(_ match: RequestMatch) -> JSONValue {
    [
      "host": match.host.map { .string($0.description) }, "path": match.path.map { .string($0.description) },
      "url": match.url.map { .string($0) }, "scheme": match.scheme.map { .string($0) },
      "method": match.method.map { .string($0) }, "nth": match.nth.map { .number("\($0)") },
    ]
  }
}
