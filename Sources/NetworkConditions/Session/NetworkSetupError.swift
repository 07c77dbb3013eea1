public import Foundation
public import Internals
import URLLoading

/// The reason why every request of a network fails: its profile, token or pace is unusable.
///
/// It is not a `URLError`, so that clients do not mistake the test's error for a network failure.
public struct NetworkSetupError: ExplainedError, Hashable, Sendable, LocalizedError, CustomNSError {
  /// The mistake, and a right example.
  public let reason: String

  init(_ reason: String) { self.reason = reason }

  /// The mistake and its consequence.
  public var description: String { explanation.ending(sentence) }

  package var sentence: String { "The simulated network cannot be used, and every request fails: \(reason)" }
  package var explanation: Explanation { .unusableNetwork }

  /// The same text as ``description``.
  public var errorDescription: String? { description }

  /// The same text as ``description``, for Foundation.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

  /// The error domain of this package.
  public static var errorDomain: String { "NetworkConditions.NetworkSetupError" }

  /// Prints the error on standard error, because the client may catch it and stay silent.
  func say() { StandardError.say("\(self)") }
}

extension URLError {
  /// Wraps the error for an exchange; the client gets the underlying `NetworkSetupError`.
  static func setup(_ error: NetworkSetupError) -> URLError {
    URLError(.resourceUnavailable, userInfo: [NSUnderlyingErrorKey: error])
  }
}
