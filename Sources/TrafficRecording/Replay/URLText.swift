import Foundation
import NetworkConditions

/// A URL in normalized form, so that equal URLs are equal texts (RFC 3986, section 6.2).
///
/// Archives contain URLs that Foundation would refuse or change.
struct URLText {
  /// Scheme, host and port, such as `https://example.com`.
  private(set) var origin: String
  private(set) var path: String
  /// The query without its question mark; `nil` when there is none.
  private(set) var query: String?

  init(_ text: String) {
    var rest = text[...]
    if let fragment = rest.utf8.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
    query = nil
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = Self.normal(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    origin = ""
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), rest[colon...].hasPrefix("://") {
      let scheme = rest[..<colon].lowercased()
      let begin = rest.utf8.index(colon, offsetBy: 3)
      let end = rest[begin...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      origin = Self.origin(scheme, rest[begin..<end])
      rest = rest[end...]
    }
    path = Self.normal(rest)
    if path.isEmpty { path = "/" }
  }

  /// The URL as errors show it, without user, password and fragment.
  var shown: String { origin + path + (query.map { "?\($0)" } ?? "") }

  /// The query without these items; `nil` when nothing is left.
  func query(without names: Set<String>) -> String? {
    guard let query, !names.isEmpty else { return query }
    let items = query.split(separator: "&", omittingEmptySubsequences: false).filter { item in
      let name = item.prefix { $0 != "=" }
      return !names.contains(String(name)) && !names.contains(Self.decoded(name))
    }
    return items.isEmpty ? nil : items.joined(separator: "&")
  }

  private static func origin(_ scheme: String, _ authority: Substring) -> String {
    // User and password do not belong to the origin.
    var host = authority.split(separator: "@", omittingEmptySubsequences: false).last.map { $0.lowercased() } ?? ""
    for (name, port) in [("http", ":80"), ("https", ":443")] where scheme == name && host.hasSuffix(port) {
      host.removeLast(port.count)
    }
    if host.hasSuffix(":") { host.removeLast() }
    if host.utf8.contains(where: { $0 > 127 }) {
      let name = host.prefix { $0 != ":" }
      host = URL.wireHost(String(name)) + host.dropFirst(name.count)
    }
    return "\(scheme)://\(host)"
  }

  /// The text with upper-case escapes, and only the necessary ones.
  private static func normal(_ text: Substring) -> String {
    guard text.utf8.contains(where: { !isPlain($0) }) else { return String(text) }
    return rewritten(text) { byte, isEscaped in
      (isEscaped ? isUnreserved(byte) : isPlain(byte)) ? [byte] : Array(byte.percentEscape.utf8)
    }
  }

  private static func decoded(_ text: Substring) -> String {
    rewritten(text) { byte, isEscaped in [byte == UInt8(ascii: "+") && !isEscaped ? 0x20 : byte] }
  }

  /// Rewrites each byte of a text, after decoding its escapes.
  private static func rewritten(_ text: Substring, _ write: (_ byte: UInt8, _ isEscaped: Bool) -> [UInt8]) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let value = bytes[index] == UInt8(ascii: "%") ? bytes.hexadecimal(at: index + 1, count: 2).map(UInt8.init) : nil
      result += write(value ?? bytes[index], value != nil)
      index += value == nil ? 1 : 3
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || "!$&'()*+,;=:@/?".utf8.contains(byte)
  }
}
