/// Reads and writes which requests are meant: `{ "host": "*.cdn.example", "path": "/pay", "method": "POST" }`.
enum MatchFormat {
  /// - Parameter counts: whether `nth`, the turn of a request, may be given.
  static func read(_ reader: FormatReader?, counts: Bool) throws(ProfileError) -> RequestMatch {
    guard let reader else { return .any }
    let object = try reader.object(keys: ["host", "path", "url", "method"] + (counts ? ["nth"] : []), of: "a match")
    var host: Glob?
    var path: Glob?
    var method: String?
    if let given = object["host"] {
      let text = try given.string("a pattern of a host")
      guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0 == "/" || $0.value <= 0x20 }) else {
        throw given.error("\(text.quoted) is no pattern of a host; write for example \"*.cdn.example\"")
      }
      host = Glob(text)
    }
    if let given = object["path"] {
      let text = try given.string("a pattern of a path")
      guard text.hasPrefix("/") || text.hasPrefix("*") else {
        throw given.error("\(text.quoted) is no pattern of a path, which begins with a slash; write \(example(text))")
      }
      path = Glob(text)
    }
    var url: String?
    if let given = object["url"] {
      let text = try given.string("a URL")
      guard text.contains("://"), !text.unicodeScalars.contains(where: { $0.value <= 0x20 }) else {
        throw given.error(
          "\(text.quoted) is no whole URL; write for example \"https://api.example.com/pay?id=1\", or a \"path\"")
      }
      url = text
    }
    if let given = object["method"] {
      let text = try given.string("a method")
      guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw given.error("\(text.quoted) is no method; write for example \"POST\"")
      }
      method = text
    }
    let nth = try object["nth"]?.count(1...Int.max, "the turn of a request")
    return RequestMatch(host: host, path: path, method: method, nth: nth, url: url)
  }

  private static func example(_ text: String) -> String {
    text.isEmpty ? "\"/\"" : "/\(text)".quoted
  }

  static func write(_ match: RequestMatch) -> JSONValue {
    var members: [JSONValue.Member] = []
    if let host = match.host { members.append(.init("host", .string(host.description))) }
    if let path = match.path { members.append(.init("path", .string(path.description))) }
    if let url = match.url { members.append(.init("url", .string(url))) }
    if let method = match.method { members.append(.init("method", .string(method))) }
    if let nth = match.nth { members.append(.init("nth", .number(String(nth)))) }
    return .object(members)
  }
}
