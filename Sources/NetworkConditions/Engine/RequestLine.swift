import URLLoading

struct RequestLine {
  let method: String
  let url: String
  /// The URL without its secrets, for reports and errors.
  let shownURL: String
  let server: ServerAddress
  /// The request's number among those with this method and shown URL, from 1.
  let occurrence: Int
  /// The request's key in every random draw.
  let key: UInt64

  /// The request's version of HTTP; the profile of its path may change it.
  var version: StreamRequest.HTTPVersion
  /// Whether only the server can answer: through a tunnel, a proxy only passes bytes on.
  var isOpaque = false
  /// Whether a cache has an earlier response, and may answer with it.
  var isCached = false

  init(_ request: URLRequest, identities: inout RequestIdentities) {
    method = request.httpMethod ?? "GET"
    let address = request.url
    url = address?.absoluteString ?? ""
    (shownURL, server, occurrence, key) = identities.next(method, url) { ServerAddress(address) }
    version = server.version(between: Self.usualEnds)
  }

  private static let usualEnds = PathConfiguration()
}

struct ServerAddress: Hashable {
  let host: String
  let port: Int
  let isSecure: Bool
  let needsResolution: Bool

  func version(between ends: PathConfiguration) -> StreamRequest.HTTPVersion {
    isSecure ? ends.secureVersion : .http1
  }

  init(_ url: URL?) {
    host = url?.host ?? ""
    isSecure = url?.scheme.map { ASCII.equalIgnoringCase($0, "https") } ?? false
    port = url?.port ?? (isSecure ? 443 : 80)
    needsResolution = Origin.needsResolution(host)
  }
}

struct PathOrigin: Hashable {
  let path: Int
  let server: ServerAddress
}

/// Fast comparisons of ASCII texts, without Foundation.
package enum ASCII {
  static func equalIgnoringCase(_ one: UInt8, _ other: UInt8) -> Bool {
    lowercased(one) == lowercased(other)
  }

  package static func equalIgnoringCase(_ one: String, _ other: String) -> Bool {
    // Most equal names are spelled alike, which is faster to test.
    one == other || one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8, by: equalIgnoringCase)
  }

  static func lowercased(_ text: String) -> String {
    String(decoding: text.utf8.lazy.map { lowercased($0) }, as: UTF8.self)
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
