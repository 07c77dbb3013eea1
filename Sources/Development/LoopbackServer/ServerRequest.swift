package import Foundation

/// A request as received.
package struct ServerRequest: Sendable {
  package var method: String
  /// The request target of the request line, including the query.
  package var target: String
  package var headers: [(name: String, value: String)]
  /// The body's hash and length.
  package var bodyHash = BodyHash()
  /// The body; incomplete if it is longer than ``keptBody``.
  package var body = Data()
  /// The number of the connection, from 1.
  package var connection: Int

  /// The largest number of body bytes that are kept.
  package static let keptBody = 8 << 20

  package var path: String { String(target.prefix { $0 != "?" }) }

  package var query: [String: String] {
    var result: [String: String] = [:]
    for item in target.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1).map { $0.removingPercentEncoding ?? String($0) }
      result[parts[0]] = parts.count == 2 ? parts[1] : ""
    }
    return result
  }

  package subscript(header: String) -> String? {
    headers.first { $0.name.lowercased() == header.lowercased() }?.value
  }
}
