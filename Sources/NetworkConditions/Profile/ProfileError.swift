public import Foundation
public import Internals

/// A mistake in a profile, an archive, a name or a quantity, with its place, its text and a right example.
public enum ProfileError: Error, Hashable, Sendable {
  /// A text is not the expected quantity; the reason quotes it and gives an example.
  case quantity(reason: String)
  /// No profile has this name; `near` holds similar names, the most similar first.
  case unknownName(String, near: [String])
  /// A profile cannot start at this moment; the reason lists the possible ones.
  case unknownMoment(String, reason: String)
  /// A file cannot be read: it is missing, too large or not text.
  case unreadable(file: String, reason: String)
  /// A file is not JSON; line and column count from 1, columns in Unicode scalars.
  case syntax(file: String, line: Int, column: Int, reason: String)
  /// A value in a file is wrong; `path` names it, such as `phases[2].down.rate`, and is empty for the whole file.
  case value(file: String, path: String, reason: String)
}

extension ProfileError: ExplainedError {
  /// The error in one line, such as `tunnel.json: down.rate: "12 parsecs" is not a rate; write for example …`.
  public var description: String { explanation.ending(sentence) }

  package var explanation: Explanation {
    switch self {
    case .unknownName: .unknownProfile
    case .unreadable: .unreadableFile
    case .syntax: .wrongSyntax
    case .quantity, .unknownMoment, .value: .wrongValue
    }
  }

  package var sentence: String {
    switch self {
    case .quantity(let reason):
      reason
    case .unknownName(let name, _) where ReplayTokenFormat.isToken(name):
      "\(name.quoted) is a replay token, not a profile. Repeat its run with `replaying:`, such as "
        + "`Simulation(replaying: token)`, or read it with `ReplayToken(token)`."
    case .unknownName(let name, let near):
      "no profile is called \(name.quoted)"
        + (NearNames.question(near.prefix(3).map(\.quoted))
          ?? " or anything similar; `NetworkProfile.all` lists them")
    case .unknownMoment(let moment, let reason):
      "\(moment.quoted) is not a moment to start at: \(reason)"
    case .unreadable(let file, let reason):
      "\(file): \(reason)"
    case .syntax(let file, let line, let column, let reason):
      "\(file): line \(line), column \(column): \(reason)"
    case .value(let file, let path, let reason):
      path.isEmpty ? "\(file): \(reason)" : "\(file): \(path): \(reason)"
    }
  }
}

extension ProfileError: LocalizedError {
  /// The same text as ``description``, for Foundation.
  public var errorDescription: String? { description }
}

extension String {
  /// The text in quotation marks for an error: on one line, and shortened if it is long.
  package var quoted: String {
    var text = ""
    for (index, scalar) in unicodeScalars.enumerated() {
      if index == 60 {
        text += "…"
        break
      }
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"\(text)\""
  }
}
