/// What a refusal or an error of the package means, under a short name.
///
/// `netcond explain NAME` prints it, and the page "When it says no" has the same words.
package struct Explanation: Hashable, Sendable {
  /// Its short name, such as `deadlock`.
  package let name: String
  /// Words that such a message has in it, or an example of one.
  package let words: String
  /// The cause, in a sentence or two.
  package let why: String
  /// What to do about it.
  package let remedy: String

  /// The part of a message that leads to it.
  package var reference: String { "(netcond explain \(name))" }

  /// Returns a message that ends with its reference, unless it has one: that of the cause is the better one.
  package func ending(_ message: String) -> String {
    message.contains("(netcond explain ") ? message : "\(message) \(reference)"
  }

  /// All, in the order of the page.
  package static let all: [Explanation] = simulations + requests + inputs + searches + programs

  /// The one whose name the text is, or whose reference or words it has.
  package static func find(_ text: String) -> Explanation? {
    all.first { $0.name == text || text.contains($0.reference) } ?? all.first { text.contains($0.words) }
  }
}

/// An error of this package: its description ends with the name by which `netcond explain` tells more.
///
/// A test finds every public error in the sources, and requires that it conforms.
package protocol ExplainedError: Error, CustomStringConvertible {
  /// What happened, on what, and what to do, without the name: for use within other messages and tables.
  var sentence: String { get }
  /// What it means.
  var explanation: Explanation { get }
}
