/// How an impairment is written in a profile, without the syntax.
package enum Setting: Hashable, Sendable {
  case word(String)
  case probability(Probability)
  case duration(Duration)
  case number(Int)
  case members([Member])

  /// A key and what stands behind it.
  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: Setting

    init(_ key: String, _ value: Setting) {
      self.key = key
      self.value = value
    }
  }
}

/// A value of a profile that an impairment reads; whoever provides it knows the syntax, and the place for errors.
package protocol SettingReader {
  associatedtype Failure: Error
  associatedtype Object: SettingObject where Object.Reader == Self

  /// The value as an error shows it.
  var shown: String { get }
  /// The value, where it is a text.
  var word: String? { get }
  /// The value, where it is a bare number.
  var bareNumber: Double? { get }
  /// Whether the value has members.
  var isObject: Bool { get }

  func error(_ reason: String) -> Failure
  func probability() throws(Failure) -> Probability
  func duration() throws(Failure) -> Duration
  /// The members of a value that may have these keys and no others.
  func object(keys: [String], of what: String) throws(Failure) -> Object
}

/// The members of a value that an impairment reads.
package protocol SettingObject {
  associatedtype Reader: SettingReader

  /// The keys, in their order.
  var keys: [String] { get }
  /// The value of a key, or nothing when it is left out.
  subscript(_ key: String) -> Reader? { get }
  /// The value of a key that must not be left out.
  func required(_ key: String, _ remedy: String) throws(Reader.Failure) -> Reader
}
