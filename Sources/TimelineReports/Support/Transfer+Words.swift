import Foundation
package import NetworkConditions

extension Transfer {
  /// Whether people would call the transfer a failure: it has an error, or a status of 400 or above.
  package var isFailure: Bool {
    if case .failed = outcome { return true }
    return outcome == .finished && (status ?? 0) >= 400
  }

  var errorName: String {
    guard case .failed(let code) = outcome else { return "" }
    return URLErrorNames.known(code) ?? "\(code.rawValue)"
  }
}

struct URLPlace {
  let text: String
  /// Scheme, host and port, such as `https://api.example.com`.
  let origin: String
  /// Path and query, at least `/`.
  let path: String

  init(_ url: String) {
    text = url
    let authority = url.range(of: "://")?.upperBound ?? url.startIndex
    let slash = url[authority...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    origin = String(url[..<slash])
    let rest = String(url[slash...])
    path = rest.hasPrefix("/") ? rest : "/\(rest)"
  }
}
