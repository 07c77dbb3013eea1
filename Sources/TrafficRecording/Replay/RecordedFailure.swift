import Foundation
import NetworkConditions

enum RecordedFailure {
  enum Kind: Equatable {
    case error(URLError.Code)
    /// The recorded client cancelled the request: after the recorded bytes, the replay sends nothing more.
    case silence
  }

  private static let codes: [URLError.Code] = [
    .badURL, .timedOut, .unsupportedURL, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost,
    .dnsLookupFailed, .httpTooManyRedirects, .resourceUnavailable, .notConnectedToInternet,
    .redirectToNonExistentLocation, .badServerResponse, .userAuthenticationRequired, .secureConnectionFailed,
    .serverCertificateUntrusted, .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse,
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: codes.map { (name(of: $0), $0) })

  /// The error codes for Chromium's names (net/base/net_error_list.h), by prefix.
  private static let chromium: [(String, URLError.Code)] = [
    ("ERR_NAME_", .cannotFindHost), ("ERR_DNS_", .dnsLookupFailed),
    ("ERR_INTERNET_DISCONNECTED", .notConnectedToInternet),
    ("ERR_NETWORK_CHANGED", .networkConnectionLost), ("ERR_CONNECTION_REFUSED", .cannotConnectToHost),
    ("ERR_CONNECTION_FAILED", .cannotConnectToHost), ("ERR_ADDRESS_UNREACHABLE", .cannotConnectToHost),
    ("ERR_CONNECTION_TIMED_OUT", .timedOut), ("ERR_TIMED_OUT", .timedOut), ("ERR_CERT_", .serverCertificateUntrusted),
    ("ERR_SSL_", .secureConnectionFailed), ("ERR_TOO_MANY_REDIRECTS", .httpTooManyRedirects),
    ("ERR_INVALID_HTTP_RESPONSE", .cannotParseResponse), ("ERR_CONTENT_DECODING_FAILED", .cannotDecodeRawData),
  ]

  /// The error codes for parts of mitmproxy's texts, most of which come from Python.
  private static let mitmproxy: [(String, URLError.Code)] = [
    ("Name or service not known", .cannotFindHost), ("nodename nor servname", .cannotFindHost),
    ("Connect call failed", .cannotConnectToHost), ("Certificate verify failed", .serverCertificateUntrusted),
  ]

  static func name(of code: URLError.Code) -> String {
    URLErrorNames.known(code) ?? "URLError \(code.rawValue)"
  }

  /// Reads the name of a failure; an unknown name counts as a lost connection.
  static func kind(of text: String) -> Kind {
    if text == URLErrorNames.known(.cancelled) || text.contains("ERR_ABORTED") { return .silence }
    if text == "Client disconnected." { return .silence }
    if let code = byName[text] { return .error(code) }
    if text.hasPrefix("URLError "), let number = Int(text.dropFirst(9)) {
      let code: URLError.Code? = URLError.Code(rawValue: number)
      if let code { return .error(code) }
    }
    let name = text.hasPrefix("net::") ? String(text.dropFirst(5)) : text
    let known = chromium.first { name.hasPrefix($0.0) } ?? mitmproxy.first { name.contains($0.0) }
    return .error(known?.1 ?? .networkConnectionLost)
  }
}
