import Internals
import URLLoading

extension URLError {
  /// An error like `URLSession`'s, with the failing URL, the POSIX error, and the reason as its description.
  static func simulated(
    _ code: URLError.Code, url: URL?, posix: POSIXErrorCode? = nil, because reason: String
  ) -> URLError {
    var info: [String: Any] = [NSLocalizedDescriptionKey: reason]
    if let url { info[NSURLErrorFailingURLErrorKey] = url }
    if let posix { info[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(posix.rawValue)) }
    return URLError(code, userInfo: info)
  }

  /// An error of a refused request; its description ends with the name of its explanation.
  static func refused(_ explanation: Explanation, _ code: URLError.Code, url: URL?, because reason: String) -> URLError
  {
    simulated(code, url: url, because: explanation.ending(reason))
  }

  /// The error of a GET with a body, which no URL session sends; `nil` for all other requests.
  static func refusal(of request: URLRequest, hasBody: Bool) -> URLError? {
    guard hasBody, request.httpMethod == "GET" else { return nil }
    return simulated(
      .dataLengthExceedsMaximum, url: request.url,
      because: "URLSession sends no GET with a body: put it into the URL's query, or send a POST.")
  }

  /// The error of a URL that cannot be loaded, with `URLSession`'s code; `nil` if it can be loaded.
  static func refusal(of url: URL?) -> URLError? {
    if let url, isPlain(url.absoluteString) { return nil }
    let scheme = url?.scheme ?? ""
    guard ["https", "http"].contains(scheme) || ["https", "http"].contains(scheme.lowercased()) else {
      return refused(
        .unsupportedURL, .unsupportedURL, url: url,
        because: """
          \(scheme.isEmpty ? "A URL without a scheme" : "\(scheme):") cannot be simulated, only http: and https:. \
          Load it in a session that is not simulated.
          """)
    }
    let hasHost = url?.host?.isEmpty == false
    if hasHost, url?.port ?? 0 <= 65_535 { return nil }
    return refused(
      .unsupportedURL, .badURL, url: url,
      because: "\(Redaction.standard.url(url?.absoluteString ?? "")) has "
        + (hasHost ? "a port above 65535." : "no host."))
  }

  /// Whether a text is a plain HTTP URL with a host; faster than parsing it.
  private static func isPlain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var place = bytes.starts(with: "https://".utf8) ? 8 : 7
      guard place == 8 || bytes.starts(with: "http://".utf8), place < bytes.count, bytes[place].isAlphanumeric
      else { return false }
      while place < bytes.count, bytes[place] != UInt8(ascii: "/") {
        guard bytes[place].isAlphanumeric || bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: "-")
        else { return false }
        place += 1
      }
      return true
    }
  }

  /// The error that `URLSession` gives for a failure on the path.
  package static func failure(_ failure: StreamFailure, url: URL?) -> URLError {
    let (code, posix, reason): (URLError.Code, POSIXErrorCode?, String) =
      switch failure {
      case .offline: (.notConnectedToInternet, .ENETDOWN, "The Internet connection appears to be offline.")
      case .connectionLost: (.networkConnectionLost, .ENETDOWN, "The network connection was lost.")
      case .resolutionFailed: (.cannotFindHost, nil, "A server with the specified hostname could not be found.")
      case .resolutionTimedOut: (.dnsLookupFailed, .ETIMEDOUT, "The host name look-up got no answer.")
      case .refused: (.cannotConnectToHost, .ECONNREFUSED, "Could not connect to the server: connection refused.")
      case .connectTimedOut: (.timedOut, .ETIMEDOUT, "Could not connect to the server: it never answered.")
      case .handshakeFailed: (.secureConnectionFailed, nil, "The TLS handshake failed.")
      case .reset: (.networkConnectionLost, .ECONNRESET, "The network connection was lost: reset by the peer.")
      case .truncated:
        (.networkConnectionLost, nil, "The server closed the connection before the response was complete.")
      case .notServed:
        (.networkConnectionLost, nil, "The server accepts no more requests on the connection (GOAWAY).")
      case .streamReset: (.networkConnectionLost, nil, "The server aborted the request (RST_STREAM).")
      case .retransmissionsExhausted: (.networkConnectionLost, .ETIMEDOUT, "The network connection was lost.")
      }
    return simulated(code, url: url, posix: posix, because: reason)
  }
}
