public import URLLoading

/// How an attempt ended.
public enum AttemptOutcome: Sendable {
  /// With the head of a response, whatever its status.
  case response(ResponseFacts)
  /// With an error: usually a `URLError`. A timeout of the single try is `URLError.timedOut`.
  case failure(any Error)
  /// Not at all: it was cancelled, since another attempt had won or since the caller gave the request up.
  case abandoned

  /// The status of the response.
  public var status: Int? {
    guard case .response(let head) = self else { return nil }
    return head.status
  }

  /// The code of a `URLError`, or the one that an error of POSIX is as good as: sessions throw these, too.
  public var errorCode: URLError.Code? {
    guard case .failure(let error) = self else { return nil }
    if let code = (error as? URLError)?.code { return code }
    let system = error as NSError
    guard system.domain == NSPOSIXErrorDomain else { return nil }
    switch POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: system.code)) {
    case .ECONNRESET, .ECONNABORTED, .EPIPE, .ENOTCONN: return .networkConnectionLost
    case .ECONNREFUSED, .EHOSTUNREACH, .ENETUNREACH, .ENETDOWN: return .cannotConnectToHost
    case .ETIMEDOUT: return .timedOut
    default: return nil
    }
  }

  /// Whether the server did nothing for it: it was never asked, or says so.
  ///
  /// It says so by 401 Unauthorized (RFC 9110, section 15.5.2) and 425 Too Early (RFC 8470, section 5.2).
  /// Then even what is not idempotent may be sent again.
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

/// The parts of a response that a policy may know.
public struct ResponseFacts: Hashable, Sendable {
  /// The status code; 200 for what is no HTTP response, such as that of a `file:` URL.
  public let status: Int
  /// The values of the headers, by names in lower case.
  private let headers: [String: String]

  /// Creates the facts; of headers whose names differ in case only, the last by name counts.
  public init(status: Int, headers: [String: String] = [:]) {
    self.status = status
    var lowered: [String: String] = [:]
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { lowered[name.lowercased()] = value }
    self.headers = lowered
  }

  /// Takes them from a response.
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

  /// The value of a header, without regard to the case of its name.
  public func header(_ name: String) -> String? {
    headers[name.lowercased()]
  }
}
