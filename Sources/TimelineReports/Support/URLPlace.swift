import Foundation

/// A URL taken apart for reports: where it leads, and to what.
struct URLPlace {
  /// The whole.
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
