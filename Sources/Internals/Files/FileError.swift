import Foundation

/// A file that cannot be read or written: which, and why.
package struct FileError: Error, Hashable, Sendable, LocalizedError, CustomStringConvertible {
  /// The path as it was given.
  package let path: String
  /// The problem with it, such as `is a folder`.
  package let reason: String

  package init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  init(_ path: String, unwritten problem: SystemError) {
    self.init(path, "cannot be written: \(problem)")
  }

  package var description: String { "\"\(path)\" \(reason)" }
  package var errorDescription: String? { description }
}
