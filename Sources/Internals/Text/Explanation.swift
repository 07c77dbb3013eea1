/// The explanation of one of the package's errors or refusals, under a short name.
///
/// `netcond explain NAME` prints it; the page "When it says no" has the same text.
package struct Explanation: Hashable, Sendable {
  /// The short name, such as `deadlock`.
  package let name: String
  /// Words that identify the error's message, or an example of it.
  package let words: String
  /// The cause, in one or two sentences.
  package let why: String
  /// How to fix it.
  package let remedy: String

  /// The suffix of an error message that names this explanation.
  package var reference: String { "(netcond explain \(name))" }

  /// Returns a message with this reference at its end, unless it already has one from its cause.
  package func ending(_ message: String) -> String {
    // Most messages have no parenthesis, and finding a byte is quicker than finding a text.
    message.utf8.contains(UInt8(ascii: "(")) && message.contains("(netcond explain ")
      ? message : "\(message) \(reference)"
  }

  /// Returns a message with this reference, then a text about its run; a period is added to that text's first line.
  package func ending(_ message: String, of run: String) -> String {
    guard !run.isEmpty else { return "\(message) \(reference)" }
    return "\(message) \(reference). It ran \(run.replacing("\n", with: ".\n", maxReplacements: 1))"
  }

  /// All explanations, in the order of the documentation page.
  package static let all: [Explanation] = simulations + requests + inputs + searches + programs

  /// The explanation that a text names, or whose reference or words the text contains.
  package static func find(_ text: String) -> Explanation? {
    all.first { $0.name == text || text.contains($0.reference) } ?? all.first { text.contains($0.words) }
  }
}

/// An error of this package, whose description ends with a reference for `netcond explain`.
///
/// A test checks that every public error in the sources conforms.
package protocol ExplainedError: Error, CustomStringConvertible {
  /// The message without the reference, for use in other messages and tables.
  var sentence: String { get }
  var explanation: Explanation { get }
}
