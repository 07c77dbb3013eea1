public import Foundation

extension Set<URLError.Code> {
  /// The errors that may pass by themselves: the network or the server was not there, or broke off.
  ///
  /// A certificate that is refused, an address that makes no sense or a request that was cancelled stays as it is.
  public static let transient: Set<URLError.Code> = [
    .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
    .notConnectedToInternet, .badServerResponse, .secureConnectionFailed, .internationalRoamingOff, .callIsActive,
    .dataNotAllowed,
  ]
}
