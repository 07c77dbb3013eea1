import Foundation

/// A URL as reports may show it.
struct SafeURL {
  /// The whole, with `redacted` in place of a password.
  let text: String
  /// Scheme, host and port, such as `https://api.example.com`.
  let origin: String
  /// Path and query, at least `/`.
  let path: String

  init(_ url: String) {
    let parts = Self.withoutPassword(url)
    text = parts
    let authority = parts.range(of: "://").map { $0.upperBound..<parts.endIndex }
    let slash = parts[authority ?? parts.startIndex..<parts.endIndex].firstIndex { "/?#".contains($0) }
    origin = String(parts[..<(slash ?? parts.endIndex)])
    let rest = String(parts[(slash ?? parts.endIndex)...])
    path = rest.hasPrefix("/") ? rest : "/\(rest)"
  }

  private static func withoutPassword(_ url: String) -> String {
    guard let scheme = url.range(of: "://") else { return url }
    let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    guard let at = url[scheme.upperBound..<end].lastIndex(of: "@"),
      let colon = url[scheme.upperBound..<at].firstIndex(of: ":")
    else { return url }
    return "\(url[..<colon]):redacted\(url[at...])"
  }
}
