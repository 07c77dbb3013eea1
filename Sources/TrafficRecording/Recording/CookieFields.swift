import NetworkConditions

/// Reads cookies from header fields, as archives list them.
enum CookieFields {
  static func sent(in headers: [HeaderField]) -> [HTTPArchive.Cookie] {
    values(of: "cookie", in: headers).flatMap { $0.split(separator: ";") }.compactMap { pair in
      let (name, value) = split(pair)
      return name.isEmpty ? nil : HTTPArchive.Cookie(name, value ?? "")
    }
  }

  static func set(in headers: [HeaderField]) -> [HTTPArchive.Cookie] {
    values(of: "set-cookie", in: headers).flatMap(separated).compactMap { text in
      let parts = text.split(separator: ";")
      guard let first = parts.first else { return nil }
      let (name, value) = split(first)
      guard !name.isEmpty else { return nil }
      var cookie = HTTPArchive.Cookie(name, value ?? "", isHTTPOnly: false, isSecure: false)
      for part in parts.dropFirst() {
        let (attribute, value) = split(part)
        switch attribute.lowercased() {
        case "path": cookie.path = value
        case "domain": cookie.domain = value
        case "httponly": cookie.isHTTPOnly = true
        case "secure": cookie.isSecure = true
        default: break
        }
      }
      return cookie
    }
  }

  private static func values(of name: String, in headers: [HeaderField]) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// Splits cookies that Foundation joined with commas: dates contain commas, too, so only a name and `=` begin a cookie.
  private static func separated(_ value: String) -> [String] {
    var cookies: [String] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.drop { $0 == " " }.prefix { $0 != "=" && $0 != ";" }
      let isCookie = part[name.endIndex...].first == "=" && !name.contains(" ") && !name.isEmpty
      if isCookie || cookies.isEmpty { cookies.append(String(part)) } else { cookies[cookies.count - 1] += ",\(part)" }
    }
    return cookies
  }

  private static func split(_ pair: Substring) -> (name: String, value: String?) {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    return (parts[0], parts.count > 1 ? parts[1] : nil)
  }
}
