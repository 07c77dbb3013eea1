public import Foundation

/// A pattern for the URLs that a route answers: a whole URL, a path, or a host with or without a path.
///
/// In host and path, `*` and `{id}` match any characters but slashes, and `**` any characters:
///
/// - `"https://api.example.com/orders/*"`: this scheme, host, port (by default the scheme's) and path;
/// - `"/orders/**"`: this path on any host;
/// - `"*.example.com"`, `"localhost:8080/feed"`: this host; without a port or a path, any port or path;
/// - any of them with `?page=2&sort=*`: required query items, in any order and among others.
///
/// A pattern without a query ignores the request's. A pattern that can match nothing does not stop the test process:
/// the route reports its ``problem``.
public struct URLPattern: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  struct QueryItem: Hashable, Sendable {
    var name: String
    var value: Glob
  }

  private enum Port: Hashable, Sendable {
    case any
    case schemeDefault
    case exactly(Int)
  }

  /// The pattern as written.
  public let description: String
  /// The reason why the pattern can match nothing, as a sentence; `nil` for a good pattern.
  public private(set) var problem: String?
  private(set) var query: [QueryItem] = []
  private var scheme: Glob?
  private var host: Glob?
  private var port = Port.any
  private var path: Glob?

  /// Creates a pattern; check ``problem`` if the text may be wrong.
  public init(_ text: String) {
    description = text
    problem = parse(text)
  }

  /// Creates a pattern for one URL, without its fragment; a star or a question mark in it stands for itself.
  public init(_ url: URL) {
    let text = url.absoluteString.prefix { $0 != "#" }.replacing("*", with: "%2A")
    let query = text.firstIndex(of: "?").map { text.index(after: $0) } ?? text.endIndex
    self.init(String(text[..<query] + text[query...].replacing("?", with: "%3F")))
  }

  /// Creates a pattern from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// Whether this pattern surely matches every URL that `other` matches; `false` if that cannot be decided.
  func covers(_ other: URLPattern) -> Bool {
    func covers(_ own: Glob?, _ others: Glob?) -> Bool { own == nil || others.map { own?.covers($0) == true } == true }
    return problem == nil && (port == .any || port == other.port) && covers(scheme, other.scheme)
      && covers(host, other.host) && covers(path, other.path) && Set(query).isSubset(of: other.query)
  }

  func matches(_ url: URLParts) -> Bool {
    mismatches(url).isEmpty
  }

  /// The parts that do not match, one word each: `scheme`, `host`, `port`, `path`, `query`.
  func mismatches(_ url: URLParts) -> [String] {
    guard problem == nil else { return ["pattern"] }
    var result: [String] = []
    if let scheme, !scheme.matches(url.scheme) { result.append("scheme") }
    if let host, !host.matches(url.host) { result.append("host") }
    switch port {
    case .any: break
    case .schemeDefault:
      if url.port != nil, url.effectivePort != URLParts.port(of: url.scheme) { result.append("port") }
    case .exactly(let port): if port != url.effectivePort { result.append("port") }
    }
    if let path, !path.matches(url.path) { result.append("path") }
    if !Self.matches(query, url) { result.append("query") }
    return result
  }

  static func matches(_ query: [QueryItem], _ url: URLParts) -> Bool {
    query.allSatisfy { wanted in
      url.query.contains { $0.name == wanted.name && wanted.value.matches($0.value ?? "") }
    }
  }

  /// Parses the text into parts, and returns the mistake in it; `nil` if there is none.
  private mutating func parse(_ text: String) -> String? {
    guard !text.isEmpty else { return "it is empty; write \"https://host/path\", \"/path\", \"host\" or \"host/path\"" }
    if text.unicodeScalars.contains(where: { $0.value <= 32 || !$0.isASCII && $0.properties.isWhitespace }) {
      return
        "it contains white space; write a method before it, as in stub(.get, \"/feed\"), and a space in a path as %20"
    }
    if text.utf8.contains(UInt8(ascii: "#")) { return "it has a fragment, which is never sent to a server" }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    if halves.count == 2 { query = Self.items(halves[1]) }
    let main = Self.withoutParameters(halves[0])
    if let colon = main.utf8.firstIndex(of: UInt8(ascii: ":")), main[colon...].hasPrefix("://") {
      let scheme = main[..<colon].lowercased()
      guard ["http", "https"].contains(scheme) || scheme.contains("*") else {
        return "\"\(scheme)\" is not a simulated scheme; write http, https or *"
      }
      self.scheme = Glob(scheme)
      port = .schemeDefault
      return place(main[colon...].dropFirst(3), pathIfNone: "/")
    }
    if main.isEmpty { return nil }
    if main.hasPrefix("//") { return "it starts with two slashes; write \"/path\" or \"https://host/path\"" }
    if main.hasPrefix("/") {
      path = Glob(decoding: main)
      return nil
    }
    if main.hasPrefix("http:") || main.hasPrefix("https:") { return "two slashes belong after the scheme's colon" }
    if !main.contains(where: { "/.:*[".contains($0) }), main.lowercased() != "localhost" {
      return "it is neither a host nor a path; write \"/\(main)\" for a path or \"\(main)/**\" for a host"
    }
    return place(main[...], pathIfNone: nil)
  }

  /// Replaces the parameters of a path template, as in OpenAPI, with `*`; a literal brace in a URL is written %7B.
  private static func withoutParameters(_ text: Substring) -> String {
    let parts = text.split(separator: "{", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { result, part in
      // Written without a regex, which is slow to make.
      if let end = part.firstIndex(where: { $0 == "}" || $0 == "/" }), part[end] == "}" {
        result += "*" + part[end...].dropFirst()
      } else {
        result += "{" + part
      }
    }
  }

  /// Parses the text after the scheme: host, port and path; returns the mistake in it, if any.
  private mutating func place(_ text: Substring, pathIfNone: String?) -> String? {
    let slash = text.firstIndex(of: "/")
    path = (slash.map { String(text[$0...]) } ?? pathIfNone).map { Glob(decoding: $0) }
    var host = text[..<(slash ?? text.endIndex)]
    if host.contains("@") { return "it has a user name; match the Authorization header instead" }
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      let number = host[host.index(after: colon)...]
      host = host[..<colon]
      if number == "*" {
        port = .any
      } else if let value = Int(number), (1...65_535).contains(value) {
        port = .exactly(value)
      } else {
        return "\"\(number)\" is not a port; write 1 to 65535, or *"
      }
    }
    guard !host.isEmpty else { return "it has no host; write \"https://host/path\", or \"/path\" for any host" }
    self.host = Glob(host: String(host))
    return nil
  }

  private static func items(_ text: Substring) -> [QueryItem] {
    text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return QueryItem(
        name: parts[0].removingPercentEncoding ?? parts[0], value: Glob(decoding: parts.count == 2 ? parts[1] : "**"))
    }
  }
}
