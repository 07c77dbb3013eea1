public import Foundation
public import Internals
import NetworkConditions

/// Why a recording cannot be written; an archive that cannot be read throws a `ProfileError`.
public enum HTTPArchiveError: Error, Hashable, Sendable {
  /// A recording cannot be written.
  case unwritable(file: String, reason: String)
  /// A file or folder exists at this path, and the recording may not overwrite it.
  case alreadyExists(path: String)
}

extension HTTPArchiveError: ExplainedError {
  /// The error in one line, such as `a.har: is a folder (netcond explain unwritable-file)`.
  public var description: String { explanation.ending(sentence) }

  package var explanation: Explanation {
    switch self {
    case .unwritable: .unwritableFile
    case .alreadyExists: .fileExists
    }
  }

  package var sentence: String {
    switch self {
    case .unwritable(let file, let reason): "\(file): \(reason)"
    case .alreadyExists(let path): "\(path.quoted) already exists; name another file, or allow it to be overwritten"
    }
  }
}

extension HTTPArchiveError: LocalizedError {
  /// The same text as ``description``, for Foundation.
  public var errorDescription: String? { description }
}
