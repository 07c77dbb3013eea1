import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the simulation needs to know of a request over and over, read out of Foundation's types once.
struct RequestLine {
  let method: String
  let url: String
  let host: String
  let port: Int
  let isSecure: Bool
  let needsResolution: Bool
  /// Which of the requests with this method and URL it is, counted from 1.
  let occurrence: Int
  /// What identifies the request in every draw of chance.
  let key: UInt64

  var version: StreamRequest.HTTPVersion { isSecure ? .http2 : .http1 }

  init(_ request: URLRequest, identities: inout RequestIdentities) {
    method = request.httpMethod ?? "GET"
    url = request.url?.absoluteString ?? ""
    host = request.url?.host ?? ""
    isSecure = url.utf8.prefix(6).elementsEqual("https:".utf8, by: ASCII.equalIgnoringCase)
    port = request.url?.port ?? (isSecure ? 443 : 80)
    needsResolution = Origin.needsResolution(host)
    (occurrence, key) = identities.next(method, url)
  }
}

/// Tells equal requests apart by their turn, so that chance is keyed by what a request is and not by when it came.
struct RequestIdentities {
  private struct Line: Hashable {
    var method: String
    var url: String
  }
  private var turns: [Line: (count: Int, hash: KeyedRandom)] = [:]

  /// Which of the requests with this method and URL the next one is, counted from 1, and its key in every draw.
  mutating func next(_ method: String, _ url: String) -> (occurrence: Int, key: UInt64) {
    let line = Line(method: method, url: url)
    var turn = turns[line] ?? (0, KeyedRandom(seed: 0).keyed(by: method).keyed(by: url))
    turn.count += 1
    turns[line] = turn
    return (turn.count, turn.hash.keyed(by: UInt64(turn.count)).bits)
  }
}

/// Comparisons of what protocols write in ASCII, without Foundation's machinery for languages.
enum ASCII {
  static func equalIgnoringCase(_ one: UInt8, _ other: UInt8) -> Bool {
    lowercased(one) == lowercased(other)
  }

  static func equalIgnoringCase(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8, by: equalIgnoringCase)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
