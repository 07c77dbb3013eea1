import URLLoading

/// The parts of a request that the simulation needs over and over, read out of Foundation's types once.
struct RequestLine {
  let method: String
  let url: String
  /// The URL as texts show it.
  let shownURL: String
  let server: ServerAddress
  /// Which of the requests with this method and shown URL it is, counted from 1.
  let occurrence: Int
  /// Identifies the request in every draw of chance.
  let key: UInt64

  /// The version of HTTP by which it travels, which the profile of its path may change.
  var version: StreamRequest.HTTPVersion

  init(_ request: URLRequest, identities: inout RequestIdentities) {
    method = request.httpMethod ?? "GET"
    let address = request.url
    url = address?.absoluteString ?? ""
    (shownURL, server, occurrence, key) = identities.next(method, url) { ServerAddress(address) }
    version = server.version(between: Self.usualEnds)
  }

  private static let usualEnds = PathConfiguration()
}

/// Where a request goes, taken out of its URL.
struct ServerAddress: Hashable {
  let host: String
  let port: Int
  let isSecure: Bool
  let needsResolution: Bool

  /// The version of HTTP by which requests travel there.
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

/// A server over one of the paths.
struct PathOrigin: Hashable {
  let path: Int
  let server: ServerAddress
}

/// Comparisons of what protocols write in ASCII, without Foundation's machinery for languages.
package enum ASCII {
  static func equalIgnoringCase(_ one: UInt8, _ other: UInt8) -> Bool {
    lowercased(one) == lowercased(other)
  }

  package static func equalIgnoringCase(_ one: String, _ other: String) -> Bool {
    // Names are mostly written alike, which is far quicker to see.
    one == other || one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8, by: equalIgnoringCase)
  }

  static func lowercased(_ text: String) -> String {
    String(decoding: text.utf8.lazy.map { lowercased($0) }, as: UTF8.self)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
