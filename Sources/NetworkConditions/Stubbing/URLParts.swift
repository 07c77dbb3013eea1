import Foundation

struct URLParts {
  let scheme: String
  let host: String
  let port: Int?
  let path: String
  let query: [URLQueryItem]

  init(_ url: URL?) {
    let components = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    scheme = components?.scheme?.lowercased() ?? ""
    let host = url?.host?.lowercased() ?? ""
    self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    port = components?.port
    let path = components?.decodedPath ?? ""
    self.path = path.isEmpty ? "/" : path
    query = components?.queryItems ?? []
  }

  var effectivePort: Int? {
    port ?? Self.port(of: scheme)
  }

  static func port(of scheme: String) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }
}
