import Foundation
import Internals
import NetworkConditions

/// The header fields of a recorded response, adjusted to the decoded body that is served.
///
/// Fields about chunks are removed. `Content-Encoding` stays, since every session shows it.
struct RecordedHeaders {
  private(set) var fields: [HeaderField] = []
  private(set) var notes: [String] = []

  /// Fields that belong to one connection (RFC 9110, 7.6.1) or to the transfer coding.
  private static let perConnection: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade",
  ]

  /// Adjusts the fields; a `length` of `nil` keeps the recorded `Content-Length`, and a negative one removes it.
  init(_ response: HTTPArchive.Response, body: RecordedBody, length: Int64?) {
    var hasLength = false
    var redacted: [String] = []
    for field in response.headers {
      let name = field.name.lowercased()
      // HTTP/2 writes the status as a pseudo-field.
      if name.hasPrefix(":") || Self.perConnection.contains(name) { continue }
      guard field.name.isToken else {
        notes.append("\(field.name.quoted) is not the name of a header field; it is left out")
        continue
      }
      if field.isRedacted || field.value == Redaction.placeholder {
        if !redacted.contains(field.name) { redacted.append(field.name) }
        continue
      }
      if name == "content-encoding", !body.isEncoded { continue }
      if name == "content-length", let length {
        if length >= 0, !hasLength { fields.append(HeaderField(field.name, String(length))) }
        hasLength = true
        continue
      }
      let isType = name == "content-type"
      for part in Self.parts(of: field.value) {
        fields.append(HeaderField(field.name, isType ? body.charset.map { Self.replacing(part, $0) } ?? part : part))
      }
    }
    // A compressed body without a recorded length came in chunks: the client could not know its length.
    if let length, length >= 0, !hasLength, !body.isEncoded {
      fields.append(HeaderField("Content-Length", String(length)))
    }
    let isRedirect = (300..<400).contains(response.status) && response.status != 304
    if isRedirect, !response.redirectURL.isEmpty, !Self.has("location", fields) {
      fields.append(HeaderField("Location", response.redirectURL))
    }
    if !Self.has("content-type", fields), !response.content.mimeType.isEmpty,
      response.content.mimeType != "x-unknown", body.count > 0
    {
      fields.append(HeaderField("Content-Type", response.content.mimeType))
    }
    if !redacted.isEmpty {
      notes.append("\(redacted.joined(separator: ", ")) was redacted in the recording; it is left out")
    }
  }

  private static func has(_ name: String, _ fields: [HeaderField]) -> Bool {
    fields.contains { ASCII.equalIgnoringCase($0.name, name) }
  }

  /// Splits the values of equally named fields, which Chrome joins by line breaks; most values are single.
  private static func parts(of value: String) -> [String] {
    guard value.utf8.contains(where: { $0 < 0x20 }) || value.utf8.first == 0x20 || value.utf8.last == 0x20 else {
      return [value]
    }
    return value.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func replacing(_ type: String, _ charset: String) -> String {
    let parts = type.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    return (parts.filter { !$0.lowercased().hasPrefix("charset=") } + ["charset=\(charset)"]).joined(separator: "; ")
  }
}
