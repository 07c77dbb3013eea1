public import Foundation

/// Decides which secrets are removed from texts, reports and recordings.
///
/// A value's name can make it a secret: a password, a token, a signature, or a key that looks random. So can its shape: a
/// JSON Web Token, or the user of a URL. More names can be added:
///
/// ```swift
/// network.redaction = .standard.adding("X-Tenant", "pickup_code")
/// ```
///
/// This holds for header fields, URLs, forms, JSON, XML and texts inside them, even damaged ones. Nothing is parsed:
/// names are looked for around each colon and equals sign. Redacted text stays as it is.
///
/// Only texts are redacted. Assertions can still read the values themselves.
public struct Redaction: Hashable, Sendable {
  /// Replaces a header field's secret value.
  public static let placeholder = "<redacted>"
  static let word = "redacted"

  /// Removes everything that looks like a credential.
  public static let standard = Redaction(isStandard: true)
  /// Removes nothing.
  public static let none = Redaction(isStandard: false)

  let isStandard: Bool
  /// The added names, in the form that ``SecretNames`` compares.
  private(set) var names: Set<String> = []

  /// Returns a redaction with more names of header fields, query or form items, and JSON keys.
  ///
  /// Case, hyphens and underscores make no difference.
  public func adding(_ names: String...) -> Redaction { adding(names) }

  /// Returns a redaction with more names of secrets.
  public func adding(_ names: some Sequence<String>) -> Redaction {
    var copy = self
    copy.names.formUnion(names.map { SecretNames.plain($0.utf8) }.filter { !$0.isEmpty })
    return copy
  }

  /// A header field's value without secrets.
  public func value(_ value: String, of name: String) -> String { field(value, of: name).text }

  /// The header fields without secrets.
  public func headers(_ headers: [HeaderField]) -> [HeaderField] {
    headers.map { HeaderField($0.name, value($0.value, of: $0.name)) }
  }

  /// The header fields without secrets, sorted by name.
  public func headers(_ headers: [String: String]) -> [HeaderField] {
    self.headers(headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) })
  }

  /// A URL in which `redacted` replaces passwords, user names without a password, and secrets of the query.
  public func url(_ text: String) -> String { redacted(text, as: .url).text }

  /// A text without the secrets in its URLs and in its pairs of names and values, such as an error's.
  public func text(_ text: String) -> String { redacted(text, as: .text).text }

  /// A body without secrets, of the same length, so that a replay takes the same time and JSON stays valid.
  ///
  /// - Parameters:
  ///   - data: the body.
  ///   - mediaType: the body's media type; if it is missing or generic, the type is guessed.
  public func body(_ data: Data, mediaType: String? = nil) -> Data {
    data.masked(by: masks(in: data, mediaType: mediaType))
  }

  // MARK: With counts

  /// A header field's value without secrets, whether all of it was secret, and the number of secrets.
  package func field(_ value: String, of name: String) -> (text: String, isWhole: Bool, count: Int) {
    let plain = isStandard ? SecretNames.plain(name.utf8) : ""
    if !names.contains(plain), let (text, count) = FieldSecrets.shown(value, of: plain, self) {
      return (text, false, count)
    }
    let finder = SecretNames(self)
    let weight = finder.weight(Array(name.utf8), as: .header)
    if weight == .certain || weight == .likely && SecretShape.looksRandom(Array(value.utf8)) {
      return (Self.placeholder, true, value == Self.placeholder ? 0 : 1)
    }
    let (text, count) = redacted(value, as: .text)
    return (text, false, count)
  }

  /// A query or form item's decoded value without secrets, and whether all of it was secret.
  package func item(_ value: String, of name: String) -> (text: String, isWhole: Bool) {
    guard isActive else { return (value, false) }
    let weight = SecretNames(self).weight(Array(name.utf8), as: .item)
    let isSecret = weight == .certain || weight == .likely && SecretShape.looksRandom(Array(value.utf8))
    return isSecret || value == Self.word ? (Self.word, true) : (text(value), false)
  }

  package func redacted(_ text: String, as syntax: SecretScanner.Syntax) -> (text: String, count: Int) {
    guard isActive, !text.isEmpty else { return (text, 0) }
    var text = text
    let bytes = text.withUTF8 { bytes -> (bytes: [UInt8], count: Int)? in
      let secrets = SecretScanner.secrets(in: bytes, syntax, SecretNames(self))
      return secrets.isEmpty ? nil : (Self.replacing(secrets, in: bytes), secrets.count)
    }
    return bytes.map { (String(decoding: $0.bytes, as: UTF8.self), $0.count) } ?? (text, 0)
  }

  var isActive: Bool { isStandard || !names.isEmpty }

  static func replacing(_ secrets: [SecretScanner.Secret], in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var end = 0
    for secret in secrets {
      result += bytes[end..<secret.range.lowerBound]
      result += word.utf8
      end = secret.range.upperBound
    }
    return result + bytes[end...]
  }
}
