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

  /// The value as an error shows it.
  var shown: String { get }
  /// The value, where it is a text.
  var word: String? { get }
  /// The value, where it is a bare number.
  var bareNumber: Double? { get }
  /// The keys of the value, in their order, where it has any.
  var keys: [String]? { get }

  func error(_ reason: String) -> Failure
  func probability() throws(Failure) -> Probability
  func duration() throws(Failure) -> Duration
  /// Refuses a value without keys, or with other ones than these.
  func check(keys: [String], of what: String) throws(Failure)
  /// What stands behind a key.
  func member(_ key: String) -> Self?
}

extension SettingReader {
  /// What stands behind a key that must not be left out.
  func required(_ key: String, _ remedy: String) throws(Failure) -> Self {
    guard let value = member(key) else { throw error("the key \"\(key)\" is missing; \(remedy)") }
    return value
  }
}
