import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the simulation needs to know of a request over and over, read out of Foundation's types once.
struct RequestLine {
  let method: String
  let url: String
  let server: ServerAddress
  /// Which of the requests with this method and URL it is, counted from 1.
  let occurrence: Int
  /// What identifies the request in every draw of chance.
  let key: UInt64

  var version: StreamRequest.HTTPVersion { server.isSecure ? .http2 : .http1 }

  init(_ request: URLRequest, identities: inout RequestIdentities) {
    method = request.httpMethod ?? "GET"
    let address = request.url
    url = address?.absoluteString ?? ""
    (server, occurrence, key) = identities.next(method, url) { ServerAddress(address) }
  }
}

/// Where a request goes, taken out of its URL.
struct ServerAddress {
  let host: String
  let port: Int
  let isSecure: Bool
  let needsResolution: Bool

  init(_ url: URL?) {
    host = url?.host ?? ""
    isSecure = url?.scheme.map { ASCII.equalIgnoringCase($0, "https") } ?? false
    port = url?.port ?? (isSecure ? 443 : 80)
    needsResolution = Origin.needsResolution(host)
  }
}

/// Tells equal requests apart by their turn, so that chance is keyed by what a request is and not by when it came.
struct RequestIdentities {
  private struct Line: Hashable {
    var method: String
    var url: String
  }
  private struct Turn {
    var count = 0
    let hash: KeyedRandom
    let server: ServerAddress
  }
  private var turns: [Line: Turn] = [:]

  /// Where the next request with this method and URL goes, which one it is, counted from 1, and its key in every draw.
  mutating func next(
    _ method: String, _ url: String, server: () -> ServerAddress
  ) -> (server: ServerAddress, occurrence: Int, key: UInt64) {
    let line = Line(method: method, url: url)
    var turn =
      turns[line] ?? Turn(hash: KeyedRandom(seed: 0).keyed(by: method).keyed(by: url), server: server())
    turn.count += 1
    turns[line] = turn
    return (turn.server, turn.count, turn.hash.keyed(by: UInt64(turn.count)).bits)
  }
}

/// Comparisons of what protocols write in ASCII, without Foundation's machinery for languages.
package enum ASCII {
  static func equalIgnoringCase(_ one: UInt8, _ other: UInt8) -> Bool {
    lowercased(one) == lowercased(other)
  }

  package static func equalIgnoringCase(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8, by: equalIgnoringCase)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
