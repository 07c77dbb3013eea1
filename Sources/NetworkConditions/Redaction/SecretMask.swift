import Foundation

/// Replaces a secret in a body with the same number of other bytes, which later scans recognise.
package struct SecretMask {
  package let offset: Int
  package let bytes: [UInt8]

  init(_ secret: SecretScanner.Secret) {
    offset = secret.range.lowerBound
    let count = secret.range.count
    if secret.isNumber {
      // A number stays a number, so that the body can be decoded.
      bytes =
        count == 1 ? [UInt8(ascii: "0")] : [UInt8(ascii: "1")] + Array(repeating: UInt8(ascii: "0"), count: count - 1)
    } else {
      let word = Array(Redaction.word.utf8)
      let isShort = count < word.count
      bytes = (isShort ? [] : word) + Array(repeating: UInt8(ascii: "*"), count: isShort ? count : count - word.count)
    }
  }

  static func isMask(_ value: some Collection<UInt8>, isNumber: Bool) -> Bool {
    if isNumber {
      return value.first == UInt8(ascii: value.count == 1 ? "0" : "1")
        && value.dropFirst().allSatisfy { $0 == UInt8(ascii: "0") }
    }
    if value.elementsEqual(Redaction.placeholder.utf8) { return true }
    let rest = value.starts(with: Redaction.word.utf8) ? value.dropFirst(Redaction.word.utf8.count) : value[...]
    return rest.allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

extension Redaction {
  package func masks(in body: Data, mediaType: String?) -> [SecretMask] {
    guard isActive else { return [] }
    return body.withBytes { bytes in
      guard let syntax = Self.syntax(of: bytes, mediaType) else { return [] }
      return SecretScanner.secrets(in: bytes, syntax, SecretNames(self)).map(SecretMask.init)
    }
  }

  /// Replaces every secret with the same word, so that bodies that differ only in secrets become equal.
  package func canonical(_ body: Data, mediaType: String?) -> Data {
    body.withBytes { bytes in
      guard isActive, let syntax = Self.syntax(of: bytes, mediaType) else { return body }
      let secrets = SecretScanner.secrets(in: bytes, syntax, SecretNames(self, findsMasks: true))
      return secrets.isEmpty ? body : Data(Self.replacing(secrets, in: bytes))
    }
  }

  /// The names of values that were masked earlier; an empty name for values without one.
  package func maskedNames(in body: Data, mediaType: String?) -> Set<String> {
    let names = SecretNames(self, findsMasks: true)
    body.withBytes { bytes in
      guard let syntax = Self.syntax(of: bytes, mediaType) else { return }
      _ = SecretScanner.secrets(in: bytes, syntax, names)
    }
    return names.maskedNames
  }

  /// The names of a URL's items that were masked earlier; `nil` if the URL holds no mask.
  package func maskedNames(inURL url: String) -> Set<String>? {
    guard url.contains(Self.word) else { return nil }
    let names = SecretNames(self, findsMasks: true)
    var url = url
    url.withUTF8 { _ = SecretScanner.secrets(in: $0, .url, names) }
    return names.maskedNames
  }

  /// Whether bodies of this media type are not scanned, because they are not text.
  package static func isOpaque(_ mediaType: String) -> Bool {
    let type = mediaType.lowercased()
    return ["image/", "audio/", "video/", "font/", "zip", "pdf", "wasm", "protobuf", "grpc"].contains {
      type.contains($0)
    }
      && !type.contains("svg")
  }

  /// A body's syntax, by its media type or else its beginning; `nil` if it is not text.
  private static func syntax(of body: UnsafeBufferPointer<UInt8>, _ mediaType: String?) -> SecretScanner.Syntax? {
    let type = mediaType?.prefix { $0 != ";" }.lowercased() ?? ""
    func mentions(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    if mentions("json", "graphql", "event-stream") { return .text }
    if mentions("x-www-form-urlencoded") { return .form }
    if type.hasPrefix("multipart/") { return .multipart }
    if mentions("html", "javascript", "css", "svg") { return .markup }
    if mentions("xml") { return .xml }
    if isOpaque(type) { return nil }
    let start = body.prefix(512)
    if start.contains(0) { return nil }
    let text = start.drop(while: \.isSpace)
    if text.starts(with: "<?xml".utf8) || text.starts(with: "<soap".utf8) { return .xml }
    if text.first == UInt8(ascii: "<") { return .markup }
    let name = start.prefix(while: \.isItemNamePart)
    let isForm = start.dropFirst(name.count).first == UInt8(ascii: "=") && !start.contains(where: \.isSpace)
    return isForm ? .form : .text
  }
}

extension Data {
  package func masked(by masks: [SecretMask]) -> Data {
    var data = self
    for mask in masks {
      let start = data.startIndex + mask.offset
      data.replaceSubrange(start..<start + mask.bytes.count, with: mask.bytes)
    }
    return data
  }

  fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withUnsafeBytes { body($0.bindMemory(to: UInt8.self)) }
  }
}
