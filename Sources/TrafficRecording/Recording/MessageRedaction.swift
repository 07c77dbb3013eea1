import Foundation
import NetworkConditions

/// Header fields, cookies and URLs as they are recorded: with what is secret left out, and that said.
struct MessageRedaction {
  let redaction: Redaction

  func fields(_ headers: [HeaderField]) -> [HTTPArchive.Field] {
    headers.map { field in
      let isSecret = redaction.headerNames.contains(field.name.lowercased())
      return HTTPArchive.Field(field.name, redaction.value(field.value, of: field.name), isRedacted: isSecret)
    }
  }

  func cookiesSent(_ headers: [HeaderField]) -> [HTTPArchive.Cookie] {
    redacted(CookieFields.sent(in: headers), of: "Cookie")
  }

  func cookiesSet(_ headers: [HeaderField]) -> [HTTPArchive.Cookie] {
    redacted(CookieFields.set(in: headers), of: "Set-Cookie")
  }

  private func redacted(_ cookies: [HTTPArchive.Cookie], of field: String) -> [HTTPArchive.Cookie] {
    guard redaction.headerNames.contains(field.lowercased()) else { return cookies }
    return cookies.map { cookie in
      var cookie = cookie
      cookie.value = Redaction.placeholder
      cookie.isRedacted = true
      return cookie
    }
  }

  /// A URL without its fragment, which is never sent, and its password.
  func url(_ text: String) -> String {
    var text = text[...]
    if let fragment = text.firstIndex(of: "#") { text = text[..<fragment] }
    guard !redaction.headerNames.isEmpty, let slashes = text.range(of: "://") else { return String(text) }
    let authority = text[slashes.upperBound...].prefix { !"/?".contains($0) }
    guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
      return String(text)
    }
    return text[...colon] + "redacted" + text[at...]
  }

  /// The items of a URL's query, decoded.
  static func query(of url: String) -> [HTTPArchive.Field] {
    guard let query = URLText(url).query, !query.isEmpty else { return [] }
    return query.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
        part.replacing("+", with: " ").removingPercentEncoding ?? String(part)
      }
      return HTTPArchive.Field(parts[0], parts.count > 1 ? parts[1] : "")
    }
  }
}
