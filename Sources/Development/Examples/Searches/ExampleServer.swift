import Foundation

/// Holds what the servers of all examples have in common.
enum ExampleServer {
  static let base: URL = {
    guard let url = URL(string: "https://api.example.com") else { preconditionFailure("a constant URL") }
    return url
  }()
}

/// The error of a scenario that saw what it was not to see.
package struct ExampleFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
