import NetworkConditions

/// A place in a text, counted from 1; columns in Unicode scalars.
struct Place: Hashable, Sendable {
  var file: String
  var line: Int
  var column: Int

  func error(_ reason: String) -> ProfileError {
    .syntax(file: file, line: line, column: column, reason: reason)
  }
}

/// A word of a text, without the quotation marks around it, and where it stands.
struct Word: Hashable, Sendable {
  var text: String
  var place: Place

  func error(_ reason: String) -> ProfileError { place.error(reason) }

  /// The word as an error shows it.
  var shown: String { text.quoted }
}
