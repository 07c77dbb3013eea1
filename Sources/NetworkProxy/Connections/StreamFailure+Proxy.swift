import LinkSimulator
import URLLoading

/// How clients of a proxy learn what has gone wrong.
extension StreamFailure {
  /// The status of a gateway's answer (RFC 9110, section 15.6).
  var status: Int {
    switch self {
    case .connectTimedOut, .resolutionTimedOut, .retransmissionsExhausted: 504
    default: 502
    }
  }

  /// The type of the error as Proxy-Status names it (RFC 9209, section 2.3).
  var proxyError: String {
    switch self {
    case .offline: "destination_ip_unroutable"
    case .connectionLost, .truncated, .notServed: "connection_terminated"
    case .resolutionFailed: "dns_error"
    case .resolutionTimedOut: "dns_timeout"
    case .refused: "connection_refused"
    case .connectTimedOut, .retransmissionsExhausted: "connection_timeout"
    case .handshakeFailed: "tls_protocol_error"
    case .reset, .streamReset: "connection_terminated"
    }
  }

  /// The code of SOCKS5.
  var reply: SOCKS5.Reply {
    switch self {
    case .offline: .networkUnreachable
    case .resolutionFailed, .resolutionTimedOut: .hostUnreachable
    case .refused: .refused
    case .connectTimedOut, .retransmissionsExhausted: .expired
    default: .failure
    }
  }

  /// The code that a client with the URL loading system would get.
  var code: URLError.Code {
    switch self {
    case .offline: .notConnectedToInternet
    case .resolutionFailed: .cannotFindHost
    case .resolutionTimedOut: .dnsLookupFailed
    case .refused: .cannotConnectToHost
    case .connectTimedOut: .timedOut
    case .handshakeFailed: .secureConnectionFailed
    case .connectionLost, .reset, .truncated, .notServed, .streamReset, .retransmissionsExhausted:
      .networkConnectionLost
    }
  }

  var sentence: String {
    switch self {
    case .offline: "it is offline."
    case .connectionLost: "the connection was lost."
    case .resolutionFailed: "the host's name does not resolve."
    case .resolutionTimedOut: "the look-up of the host's name got no answer."
    case .refused: "the server refused the connection."
    case .connectTimedOut: "the server never answered."
    case .handshakeFailed: "the TLS handshake failed."
    case .reset: "the server reset the connection."
    case .truncated: "the server closed the connection."
    case .notServed: "the server takes in no more requests."
    case .streamReset: "the server gave the request up."
    case .retransmissionsExhausted: "the server answers no more."
    }
  }
}

/// The words beside a status (RFC 9110, section 15).
enum HTTPStatus {
  static func phrase(_ code: Int) -> String {
    switch code {
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 508: "Loop Detected"
    default: "Status"
    }
  }
}

extension Double {
  /// A whole number as text.
  var wholeText: String { "\(Int64(self))" }
}
