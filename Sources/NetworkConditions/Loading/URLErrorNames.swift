import URLLoading

/// The names of the codes that a network gives, as Swift spells them.
package enum URLErrorNames {
  /// The name of a code, or its number when it is none of a network's.
  package static func name(of code: URLError.Code) -> String {
    known(code) ?? "code \(code.rawValue)"
  }

  /// The name of a code; `nil` when it is none of a network's.
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
