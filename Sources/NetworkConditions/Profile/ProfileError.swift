public import Foundation
public import Internals

/// A mistake in a profile, a name or a quantity: where it is, what was written, and what would have been right.
public enum ProfileError: Error, Hashable, Sendable {
  /// A text is not the quantity that was asked for; the reason names the text and gives an example.
  case quantity(reason: String)
  /// No profile has this name; `near` holds the names that resemble it, the nearest first.
  case unknownName(String, near: [String])
  /// A profile cannot begin at this moment; the reason says which it has.
  case unknownMoment(String, reason: String)
  /// A file cannot be read at all: it is missing, too large or no text.
  case unreadable(file: String, reason: String)
  /// A file is not JSON; line and column are counted from 1, columns in Unicode scalars.
  case syntax(file: String, line: Int, column: Int, reason: String)
  /// A value in a file is wrong; the path leads to it, such as `phases[2].down.rate`, and is empty for the whole file.
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
        + (near.isEmpty
          ? ", nor anything like it; `NetworkProfile.all` lists them"
          : "; near names are \(near.map(\.quoted).joined(separator: ", "))")
    case .unknownMoment(let moment, let reason):
      "\(moment.quoted) is no moment to begin at: \(reason)"
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
  /// The same line, for those who ask through Foundation.
  public var errorDescription: String? { description }
}

extension String {
  /// The text between quotation marks as an error shows it: on one line, and not longer than a line can bear.
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
