import Foundation

extension URL {
  /// Creates a URL from text as people, servers and archives write it.
  ///
  /// Foundation escapes a whole part if one of its characters is not allowed: next to a raw `|`, `%20` would become
  /// `%2520`. This initializer escapes only the characters that are not allowed.
  package init?(written text: String, relativeTo base: URL? = nil) {
    let bytes = Array(text.utf8)
    let host = Self.hostRange(of: bytes)
    let fragment = bytes.firstIndex(of: UInt8(ascii: "#"))
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isAllowed =
        switch byte {
        case _ where host.contains(index) || index == fragment: true
        case UInt8(ascii: "%"): bytes.hexadecimal(at: index + 1, count: 2) != nil
        default: byte.isAllowedInURLs
        }
      if isAllowed {
        result.append(byte)
      } else {
        result += byte.percentEscape.utf8
      }
    }
    self.init(string: String(decoding: result, as: UTF8.self), relativeTo: base)
  }

  private static func hostRange(of bytes: [UInt8]) -> Range<Int> {
    guard let slash = bytes.firstIndex(where: { "/?#".utf8.contains($0) }), bytes[slash...].starts(with: "//".utf8),
      slash == 0 || bytes[slash - 1] == UInt8(ascii: ":")
    else { return 0..<0 }
    let start = slash + 2
    let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    return (bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start)..<end
  }

  /// A host name in its wire form (RFC 5891), or the text itself if it is no host name.
  package static func wireHost(_ host: String) -> String {
    guard host.utf8.contains(where: { $0 > 127 }) else { return host }
    return URL(string: "http://\(host)/")?.host ?? host
  }

  /// The path without percent escapes; with all of them if they are not UTF-8, where Foundation's path is empty.
  var decodedPath: String {
    let path = path
    return path.isEmpty ? URLComponents(url: self, resolvingAgainstBaseURL: true)?.decodedPath ?? "" : path
  }
}

extension URLComponents {
  /// The path without percent escapes; with all of them if they are not UTF-8, where Foundation's path is empty.
  var decodedPath: String {
    let path = path
    return path.isEmpty ? percentEncodedPath : path
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The number that `count` hexadecimal digits at an index write; `nil` if they are not there.
  package func hexadecimal(at start: Int, count: Int) -> UInt32? {
    guard start + count <= endIndex else { return nil }
    var value: UInt32 = 0
    for byte in self[start..<start + count] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

extension UInt8 {
  package var percentEscape: String { "%\(self < 16 ? "0" : "")\(String(self, radix: 16, uppercase: true))" }

  /// Whether a path, a query or a fragment may contain the byte unescaped (RFC 3986, 3.3 to 3.5).
  fileprivate var isAllowedInURLs: Bool { isAlphanumeric || "-._~!$&'()*+,;=:@/?".utf8.contains(self) }
}
