public import Foundation

/// An error of this module itself; all others are what the loader threw, or a `URLError`.
public enum RetryError: Error, Hashable, Sendable, LocalizedError, CustomStringConvertible {
  /// The policy did not let the first attempt start: its circuit breaker is open.
  case refused
  /// No policy has this name; these resemble it.
  case unknownPolicy(String, near: [String])

  /// The mistake, and what would be right.
  public var description: String {
    switch self {
    case .refused:
      "the retry policy let no attempt start: its circuit to this server is open after repeated failures"
    case .unknownPolicy(let name, let near):
      near.isEmpty
        ? "no retry policy is called \"\(name)\"; `RetryPolicyCatalogue.entries` lists them"
        : "no retry policy is called \"\(name)\"; near names are \(near.map { "\"\($0)\"" }.joined(separator: ", "))"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
