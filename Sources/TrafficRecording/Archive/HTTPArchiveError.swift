public import Foundation
public import Internals
import NetworkConditions

/// What is wrong with an archive or a recording: where, which value, and its correction.
public enum HTTPArchiveError: Error, Hashable, Sendable {
  /// A file cannot be read, or is not an archive.
  case unreadable(file: String, reason: String)
  /// A file is not JSON; line and column are counted from 1, columns in Unicode scalars.
  case syntax(file: String, line: Int, column: Int, reason: String)
  /// A value is wrong; `path` is its path, such as `log.entries[3].response.status`.
  case value(file: String, path: String, reason: String)
  /// A recording cannot be written.
  case unwritable(file: String, reason: String)
  /// A file or folder exists at this path, and the recording may not overwrite it.
  case alreadyExists(path: String)

  init(_ error: ProfileError) {
    switch error {
    case .syntax(let file, let line, let column, let reason):
      self = .syntax(file: file, line: line, column: column, reason: reason)
    case .value(let file, let path, let reason): self = .value(file: file, path: path, reason: reason)
    case .unreadable(let file, let reason): self = .unreadable(file: file, reason: reason)
    default: self = .unreadable(file: "archive", reason: error.sentence)
    }
  }
}

extension HTTPArchiveError: ExplainedError {
  /// The error in one line, such as `a.har: log.entries[3].response.status: "OK" is not a status; …`.
  public var description: String { explanation.ending(sentence) }

  package var explanation: Explanation {
    switch self {
    case .unreadable: .unreadableFile
    case .syntax: .wrongSyntax
    case .value: .wrongValue
    case .unwritable: .unwritableFile
    case .alreadyExists: .fileExists
    }
  }

  package var sentence: String {
    switch self {
    case .unreadable(let file, let reason), .unwritable(let file, let reason): "\(file): \(reason)"
    case .alreadyExists(let path): "\(path.quoted) already exists; name another file, or allow it to be overwritten"
    case .syntax(let file, let line, let column, let reason): "\(file): line \(line), column \(column): \(reason)"
    case .value(let file, let path, let reason): path.isEmpty ? "\(file): \(reason)" : "\(file): \(path): \(reason)"
    }
  }
}

extension HTTPArchiveError: LocalizedError {
  /// The error in the same line, for Foundation.
  public var errorDescription: String? { description }
}
