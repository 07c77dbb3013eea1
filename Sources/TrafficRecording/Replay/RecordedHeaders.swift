import Foundation
import NetworkConditions

/// The header fields of a recorded response as they fit the body that is served.
///
/// An archive holds the fields of the wire and a body without chunks and compression: taken together they would lie.
struct RecordedHeaders {
  private(set) var fields: [HeaderField] = []
  private(set) var notes: [String] = []

  /// Fields that are about one connection (RFC 9110, 7.6.1), or about how the body was cut into pieces.
  private static let perConnection: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade",
  ]

  /// - Parameters:
  ///   - length: the length to be announced; `nil` leaves what is recorded, and a negative one announces none.
  init(_ response: HTTPArchive.Response, body: RecordedBody, length: Int64?) {
    var hasLength = false
    var redacted: [String] = []
    for field in response.headers {
      let name = field.name.lowercased()
      // HTTP/2 writes the status as a field.
      if name.hasPrefix(":") || Self.perConnection.contains(name) { continue }
      guard Self.isToken(field.name) else {
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
      // Chrome joins fields of one name by line breaks.
      for part in field.value.split(whereSeparator: \.isNewline) {
        var value = part.trimmingCharacters(in: .whitespaces)
        if name == "content-type", let charset = body.charset { value = Self.replacing(value, charset) }
        fields.append(HeaderField(field.name, value))
      }
    }
    if let length, length >= 0, !hasLength { fields.append(HeaderField("Content-Length", String(length))) }
    let isRedirect = (300..<400).contains(response.status) && response.status != 304
    if isRedirect, !response.redirectURL.isEmpty, !fields.contains(where: { $0.name.lowercased() == "location" }) {
      fields.append(HeaderField("Location", response.redirectURL))
    }
    if !fields.contains(where: { $0.name.lowercased() == "content-type" }), !response.content.mimeType.isEmpty,
      response.content.mimeType != "x-unknown", body.count > 0
    {
      fields.append(HeaderField("Content-Type", response.content.mimeType))
    }
    if !redacted.isEmpty {
      notes.append("\(redacted.joined(separator: ", ")) was redacted in the recording; it is left out")
    }
  }

  private static func replacing(_ type: String, _ charset: String) -> String {
    let parts = type.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    return (parts.filter { !$0.lowercased().hasPrefix("charset=") } + ["charset=\(charset)"]).joined(separator: "; ")
  }

  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
  }
}
