/// An impairment's value as a profile holds it, independent of the profile's syntax.
package enum Setting: Hashable, Sendable {
  case word(String)
  case probability(Probability)
  case duration(Duration)
  case number(Int)
  case members([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: Setting

    init(_ key: String, _ value: Setting) {
      self.key = key
      self.value = value
    }
  }
}

/// Reads a profile's value for an impairment; its implementation knows the syntax and the position for errors.
package protocol SettingReader {
  associatedtype Failure: Error
  associatedtype Object: SettingObject where Object.Reader == Self

  /// The value as an error message shows it.
  var shown: String { get }
  /// The value if it is a string, otherwise `nil`.
  var word: String? { get }
  /// The value if it is a bare number, otherwise `nil`.
  var bareNumber: Double? { get }
  var isObject: Bool { get }

  func error(_ reason: String) -> Failure
  func probability() throws(Failure) -> Probability
  func duration() throws(Failure) -> Duration
  /// The value as an object; throws for keys other than `keys`.
  func object(keys: [String], of what: String) throws(Failure) -> Object
}

/// The members of an object that an impairment reads from a profile.
package protocol SettingObject {
  associatedtype Reader: SettingReader

  var keys: [String] { get }
  subscript(_ key: String) -> Reader? { get }
  /// The value of a required key; throws an error with `remedy` when the key is absent.
  func required(_ key: String, _ remedy: String) throws(Reader.Failure) -> Reader
}
