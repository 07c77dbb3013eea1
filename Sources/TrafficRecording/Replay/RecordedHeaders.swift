import Foundation
import Internals
import NetworkConditions

/// The header fields of a recorded response as they fit the body that is served, without chunks and compression: what
/// is said of chunks is left out, and what is said of compression stands, as every session shows it.
struct RecordedHeaders {
  private(set) var fields: [HeaderField] = []
  private(set) var notes: [String] = []

  /// Fields that are about one connection (RFC 9110, 7.6.1), or about how the body was cut into pieces.
  private static let perConnection: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade",
  ]

  /// The length to be announced is the recorded one where it is `nil`, and a negative one announces none.
  init(_ response: HTTPArchive.Response, body: RecordedBody, length: Int64?) {
    var hasLength = false
    var redacted: [String] = []
    for field in response.headers {
      let name = field.name.lowercased()
      // HTTP/2 writes the status as a field.
      if name.hasPrefix(":") || Self.perConnection.contains(name) { continue }
      guard field.name.isToken else {
        notes.append("\(field.name.quoted) is no name of a header field; it is left out")
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
    // In chunks a compressed body has no length that a client could know.
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

  /// Chrome joins the values of fields of one name by line breaks; nearly all values are one, and go through as they are.
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
