public import Foundation
public import Internals
import URLLoading

/// Why every request of a network fails: it was made with a profile, a token or a pace that cannot be used.
///
/// It is no `URLError`, since it is the test's mistake and nothing that a network does: no client takes it for the network.
public struct NetworkSetupError: ExplainedError, Hashable, Sendable, LocalizedError, CustomNSError {
  /// The mistake, and what would be right.
  public let reason: String

  init(_ reason: String) { self.reason = reason }

  /// The mistake, and what it leads to.
  public var description: String { explanation.ending(sentence) }

  package var sentence: String { "The simulated network cannot be used, and every request fails: \(reason)" }
  package var explanation: Explanation { .unusableNetwork }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The sentence, for those who ask through Foundation.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

  /// The package's own domain, and none of Foundation's.
  public static var errorDomain: String { "NetworkConditions.NetworkSetupError" }

  /// Prints the error on standard error, since the client may catch it.
  func say() { FileHandle.standardError.write(Data("\(self)\n".utf8)) }
}

extension URLError {
  /// The error with which all requests of a network fail; the client gets what is beneath.
  static func setup(_ error: NetworkSetupError) -> URLError {
    URLError(.resourceUnavailable, userInfo: [NSUnderlyingErrorKey: error])
  }

  var forClient: any Error { (userInfo[NSUnderlyingErrorKey] as? NetworkSetupError) ?? self }
}
