public import Foundation

/// Which secrets are left out of texts, reports and recordings: one rule for every way out.
///
/// A value is a secret by the name that it stands under (a password, a token, a signature, a key that looks random), by
/// its shape (a JSON Web Token, the user of a URL), or because its name was added:
///
/// ```swift
/// network.redaction = .standard.adding("X-Tenant", "pickup_code")
/// ```
///
/// Header fields, URLs, forms, JSON, XML and texts nested in them count alike, whole or damaged: nothing is parsed, and
/// names are looked for around each colon and equals sign. Text that is redacted already stays as it is.
///
/// Only texts are redacted: the values themselves stay within reach of assertions.
public struct Redaction: Hashable, Sendable {
  /// Stands in place of the value of a header field.
  public static let placeholder = "<redacted>"
  static let word = "redacted"

  /// Leaves out everything that looks like a credential.
  public static let standard = Redaction(isStandard: true)
  /// Leaves out nothing.
  public static let none = Redaction(isStandard: false)

  let isStandard: Bool
  /// The names that were added, as ``SecretNames`` compares them.
  private(set) var names: Set<String> = []

  private init(isStandard: Bool) {
    self.isStandard = isStandard
  }

  /// A redaction of what stands under these names too, as header fields, items of a query or a form, or keys of JSON.
  ///
  /// Case, hyphens and underscores make no difference.
  public func adding(_ names: String...) -> Redaction { adding(names) }

  /// A redaction of what stands under these names too.
  public func adding(_ names: some Sequence<String>) -> Redaction {
    var copy = self
    copy.names.formUnion(names.map { SecretNames.plain($0.utf8) }.filter { !$0.isEmpty })
    return copy
  }

  /// A header field's value as it may be shown.
  public func value(_ value: String, of name: String) -> String { field(value, of: name).text }

  /// The fields as they may be shown.
  public func headers(_ headers: [HeaderField]) -> [HeaderField] {
    headers.map { HeaderField($0.name, value($0.value, of: $0.name)) }
  }

  /// The fields as they may be shown, sorted by name.
  public func headers(_ headers: [String: String]) -> [HeaderField] {
    self.headers(headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) })
  }

  /// A URL as it may be shown: `redacted` stands for passwords, for a user without one, and for secrets of the query.
  public func url(_ text: String) -> String { redacted(text, as: .url).text }

  /// Any text as it may be shown, such as that of an error, with the URLs and the pairs of names and values in it.
  public func text(_ text: String) -> String { redacted(text, as: .text).text }

  /// A body as it may be shown, of the same length, so that a replay takes as long and JSON stays JSON.
  ///
  /// - Parameters:
  ///   - data: the body.
  ///   - mediaType: what the body is; it is guessed at where that says nothing.
  public func body(_ data: Data, mediaType: String? = nil) -> Data {
    data.masked(by: masks(in: data, mediaType: mediaType))
  }

  // MARK: With counts

  /// A header field's value, whether all of it was left out, and how many secrets there were.
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

  /// The value of an item of a query or a form, decoded, and whether it was left out.
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
