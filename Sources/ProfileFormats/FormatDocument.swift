package import Foundation
package import NetworkConditions

/// A document that an importer reads, with its name for error messages.
package struct FormatDocument: Sendable {
  /// The document's bytes, at most ``largestSize``.
  package let data: Data
  /// The file's name, without its folder.
  let file: String

  /// The greatest size of a document: 16 MiB, for long logs; other documents have a few kilobytes.
  package static let largestSize = 16 << 20

  static let mostProfiles = 1_000

  static func tooMany(_ count: Int) -> String { "\(count) profiles are more than a document may hold, \(mostProfiles)" }

  package init(_ data: Data, file: String) {
    self.data = data
    self.file = file
  }

  package init(_ text: String, file: String) {
    self.init(Data(text.utf8), file: file)
  }

  /// Reads a file, and refuses one that is too large before reading it.
  package init(contentsOf url: URL) throws(ProfileError) {
    let file = url.lastPathComponent
    let limit = Self.largestSize
    self.init(try Data(ordinaryFile: url, atMost: limit) { _ in Self.tooLarge(file, limit: limit) }, file: file)
  }

  func text(atMost limit: Int = 1 << 20) throws(ProfileError) -> String {
    guard data.count <= limit else { throw Self.tooLarge(file, limit: limit) }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw .unreadable(file: file, reason: "is not UTF-8 text")
    }
    return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// The profile's name: the given one, or else the file's name without its extension.
  func profileName(_ given: String? = nil) -> String {
    let parts = file.split(separator: ".", omittingEmptySubsequences: true)
    let stem = parts.prefix(max(1, parts.count - 1)).joined(separator: ".")
    return [given ?? "", stem].map(\.portableName).first { !$0.isEmpty } ?? "imported"
  }

  private static func tooLarge(_ file: String, limit: Int) -> ProfileError {
    .unreadable(file: file, reason: "is larger than \(limit >> 20) MiB, too large for this format")
  }
}

extension String {
  /// The text as a valid profile name: on one line, at most 100 characters, no spaces around it.
  fileprivate var portableName: String {
    let scalars = unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    let trimmed = String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)
    let short = String(String.UnicodeScalarView(trimmed.unicodeScalars.prefix(100)))
    return short.trimmingCharacters(in: .whitespaces)
  }
}

extension NetworkProfile {
  /// The name in a form that reads back unchanged from another tool's document.
  var portableName: String { name.portableName.isEmpty ? "profile" : name.portableName }
}
