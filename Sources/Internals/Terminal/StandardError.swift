import Foundation

/// The process's standard error.
package enum StandardError {
  /// Writes a line; does nothing where it cannot be written, as on a full disk or to a closed descriptor.
  package static func say(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8)) }
}
