public import URLLoading

/// How an attempt ended.
public enum AttemptOutcome: Sendable {
  /// A response arrived, whatever its status.
  case response(ResponseFacts)
  /// An error, usually a `URLError`; an attempt that exceeds its timeout ends with `URLError.timedOut`.
  case failure(any Error)
  /// The attempt was cancelled: another one succeeded first, or the caller gave up.
  case abandoned

  /// The status of the response.
  public var status: Int? {
    guard case .response(let head) = self else { return nil }
    return head.status
  }

  /// The code of a `URLError`, or the closest code for a POSIX error, since sessions throw both.
  public var errorCode: URLError.Code? {
    guard case .failure(let error) = self else { return nil }
    if let code = (error as? URLError)?.code {
      // Linux has no code for a connection that closes early, only libcurl's text: "Empty reply from server" (-1011), or
      // "transfer closed with 40 bytes remaining to read" (-1).
      let isClosed = ["Empty reply", "transfer closed"].contains(where: error.localizedDescription.hasPrefix)
      return isClosed ? .networkConnectionLost : code
    }
    let system = error as NSError
    guard system.domain == NSPOSIXErrorDomain else { return nil }
    switch POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: system.code)) {
    case .ECONNRESET, .ECONNABORTED, .EPIPE, .ENOTCONN: return .networkConnectionLost
    case .ECONNREFUSED, .EHOSTUNREACH, .ENETUNREACH, .ENETDOWN: return .cannotConnectToHost
    case .ETIMEDOUT: return .timedOut
    default: return nil
    }
  }

  /// Whether the server did nothing for the attempt: the request never reached it, or its status says so.
  ///
  /// Those statuses are 401 Unauthorized (RFC 9110, section 15.5.2) and 425 Too Early (RFC 8470, section 5.2).
  /// Then even a request that is not idempotent may be sent again.
  public var isWithoutEffect: Bool {
    switch self {
    case .response(let head): [401, 425].contains(head.status)
    case .failure: errorCode.map(Set<URLError.Code>.unsent.contains) ?? false
    case .abandoned: false
    }
  }

  /// A response with a status and headers.
  public static func response(_ status: Int, headers: [String: String] = [:]) -> AttemptOutcome {
    .response(ResponseFacts(status: status, headers: headers))
  }

  /// A failure with the code of a `URLError`.
  public static func failure(_ code: URLError.Code) -> AttemptOutcome {
    .failure(URLError(code))
  }
}

/// The parts of a response that a policy gets to see: status and headers.
public struct ResponseFacts: Hashable, Sendable {
  /// The status code; 200 for a response that is not HTTP, such as that of a `file:` URL.
  public let status: Int
  /// Header values, keyed by lower-case name.
  private let headers: [String: String]

  /// Creates the facts; if header names differ only in case, the last in sorted order counts.
  public init(status: Int, headers: [String: String] = [:]) {
    self.status = status
    let sorted = headers.sorted { $0.key < $1.key }
    self.headers = Dictionary(sorted.map { ($0.key.lowercased(), $0.value) }) { $1 }
  }

  /// Copies status and headers from a response.
  public init(_ response: URLResponse) {
    guard let http = response as? HTTPURLResponse else {
      self.init(status: 200)
      return
    }
    var headers: [String: String] = [:]
    for (name, value) in http.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    self.init(status: http.statusCode, headers: headers)
  }

  /// The value of a header; the case of its name does not count.
  public func header(_ name: String) -> String? {
    headers[name.lowercased()]
  }
}
