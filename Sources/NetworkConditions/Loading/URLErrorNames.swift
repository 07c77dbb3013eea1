import URLLoading

/// The Swift names of the error codes that a simulated network uses.
package enum URLErrorNames {
  /// A code's name, or its number if no simulated network uses the code.
  package static func name(of code: URLError.Code) -> String {
    known(code) ?? "code \(code.rawValue)"
  }

  /// A code's name; `nil` if no simulated network uses the code.
  package static func known(_ code: URLError.Code) -> String? {
    switch code {
    case .badURL: "badURL"
    case .timedOut: "timedOut"
    case .unsupportedURL: "unsupportedURL"
    case .cannotFindHost: "cannotFindHost"
    case .cannotConnectToHost: "cannotConnectToHost"
    case .networkConnectionLost: "networkConnectionLost"
    case .dnsLookupFailed: "dnsLookupFailed"
    case .httpTooManyRedirects: "httpTooManyRedirects"
    case .resourceUnavailable: "resourceUnavailable"
    case .notConnectedToInternet: "notConnectedToInternet"
    case .redirectToNonExistentLocation: "redirectToNonExistentLocation"
    case .badServerResponse: "badServerResponse"
    case .userAuthenticationRequired: "userAuthenticationRequired"
    case .secureConnectionFailed: "secureConnectionFailed"
    case .serverCertificateUntrusted: "serverCertificateUntrusted"
    case .serverCertificateHasBadDate: "serverCertificateHasBadDate"
    case .serverCertificateNotYetValid: "serverCertificateNotYetValid"
    case .cannotDecodeRawData: "cannotDecodeRawData"
    case .cannotDecodeContentData: "cannotDecodeContentData"
    case .cannotParseResponse: "cannotParseResponse"
    case .dataLengthExceedsMaximum: "dataLengthExceedsMaximum"
    case .cancelled: "cancelled"
    case .cannotWriteToFile: "cannotWriteToFile"
    case .cannotOpenFile: "cannotOpenFile"
    case .fileDoesNotExist: "fileDoesNotExist"
    case .requestBodyStreamExhausted: "requestBodyStreamExhausted"
    case .unknown: "unknown"
    default: nil
    }
  }
}
