import LinkSimulator
import NetworkConditions
import URLLoading

/// The HTTP status or SOCKS reply with which a proxy tells a client about a failure.
extension StreamFailure {
  var status: Int {
    switch self {
    case .connectTimedOut, .resolutionTimedOut, .retransmissionsExhausted: 504
    default: 502
    }
  }

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

  var reply: SOCKS5.Reply {
    switch self {
    case .offline: .networkUnreachable
    case .resolutionFailed, .resolutionTimedOut: .hostUnreachable
    case .refused: .refused
    case .connectTimedOut, .retransmissionsExhausted: .expired
    default: .failure
    }
  }

  var code: URLError.Code { URLError.failure(self, url: nil).code }

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
    case .notServed: "the server accepts no more requests."
    case .streamReset: "the server abandoned the request."
    case .retransmissionsExhausted: "the server stopped answering."
    }
  }
}
