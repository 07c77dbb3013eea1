import Foundation
public import NetworkConditions

extension HTTPArchive {
  /// How many secrets were left out, counted by place.
  public struct Omissions: Hashable, Sendable, CustomStringConvertible {
    /// How many secrets were in header fields; a cookie counts with its field.
    public internal(set) var headers = 0
    /// How many secrets were in URLs of requests.
    public internal(set) var urls = 0
    /// How many secrets were in bodies.
    public internal(set) var bodies = 0

    /// How many secrets were left out in all.
    public var total: Int { headers + urls + bodies }

    /// Creates a count of no secrets.
    public init() {}

    /// The counts in one line, such as `3 secrets left out: 2 in header fields, 1 in bodies`.
    public var description: String {
      guard total > 0 else { return "no secret left out" }
      let parts = [(headers, "header fields"), (urls, "URLs"), (bodies, "bodies")].filter { $0.0 > 0 }
      let places = parts.map { "\($0.0) in \($0.1)" }.joined(separator: ", ")
      return "\(total) \(total == 1 ? "secret" : "secrets") left out: \(places)"
    }

    static func += (sum: inout Omissions, other: Omissions) {
      sum.headers += other.headers
      sum.urls += other.urls
      sum.bodies += other.bodies
    }
  }

  /// Returns the archive without secrets, and how many were left out.
  ///
  /// Bodies keep their length, and sizes stay those of the transferred bytes. A body in a separate file is not changed.
  public func redacted(by redaction: Redaction = .standard) -> (archive: HTTPArchive, omissions: Omissions) {
    var (archive, omissions) = (self, Omissions())
    for index in archive.entries.indices { omissions += archive.entries[index].redact(by: redaction) }
    for index in archive.pages.indices {
      archive.pages[index].title = redaction.text(archive.pages[index].title)
      archive.pages[index].comment = archive.pages[index].comment.map(redaction.text)
    }
    archive.comment = archive.comment.map(redaction.text)
    return (archive, omissions)
  }
}

extension HTTPArchive.Entry {
  mutating func redact(by redaction: Redaction) -> HTTPArchive.Omissions {
    var omissions = HTTPArchive.Omissions()
    (request.url, omissions.urls) = redaction.redacted(request.url, as: .url)
    for index in request.headers.indices {
      let count = request.headers[index].redact(by: redaction)
      // The field no longer has the value that the client sent.
      if count > 0 { request.headers[index].isRedacted = true }
      omissions.headers += count
    }
    for index in response.headers.indices {
      let count = response.headers[index].redact(by: redaction)
      // A cookie or challenge without its secret can be shown, but must not be replayed.
      if count > 0, response.headers[index].value.contains(Redaction.placeholder) {
        response.headers[index].isRedacted = true
      }
      omissions.headers += count
    }
    for index in request.cookies.indices { request.cookies[index].redact(by: redaction, of: "Cookie") }
    for index in response.cookies.indices { response.cookies[index].redact(by: redaction, of: "Set-Cookie") }
    request.query.redactItems(by: redaction)
    if var body = request.body {
      omissions.bodies += Self.redact(&body.text, body.encoding, body.mimeType, by: redaction)
      omissions.bodies += body.parameters.redactItems(by: redaction)
      request.body = body
    }
    let content = response.content
    omissions.bodies += Self.redact(&response.content.text, content.encoding, content.mimeType, by: redaction)
    response.redirectURL = redaction.url(response.redirectURL)
    response.error = response.error.map(redaction.text)
    response.content.comment = content.comment.map(redaction.text)
    initiator = initiator.map(redaction.url)
    comment = comment.map(redaction.text)
    return omissions
  }

  private static func redact(
    _ text: inout String?, _ encoding: String?, _ mediaType: String, by redaction: Redaction
  ) -> Int {
    guard let body = text, !Redaction.isOpaque(mediaType) else { return 0 }
    let isEncoded = encoding?.lowercased() == "base64"
    let decoded = isEncoded ? Data(base64Encoded: body, options: .ignoreUnknownCharacters) : nil
    // Text that is not base64, although the archive says so, may have secrets, too.
    let data = decoded ?? Data(body.utf8)
    let masks = redaction.masks(in: data, mediaType: mediaType)
    guard !masks.isEmpty else { return 0 }
    let masked = data.masked(by: masks)
    text = decoded == nil ? String(decoding: masked, as: UTF8.self) : masked.base64EncodedString()
    return masks.count
  }
}

extension HTTPArchive.Field {
  fileprivate mutating func redact(by redaction: Redaction) -> Int {
    let (text, isWhole, count) = redaction.field(value, of: name)
    value = text
    isRedacted = isRedacted || isWhole
    return count
  }
}

extension [HTTPArchive.Field] {
  @discardableResult
  fileprivate mutating func redactItems(by redaction: Redaction) -> Int {
    var count = 0
    for index in indices {
      let (text, isWhole) = redaction.item(self[index].value, of: self[index].name)
      if text != self[index].value { count += 1 }
      self[index].value = text
      self[index].isRedacted = self[index].isRedacted || isWhole
    }
    return count
  }
}

extension HTTPArchive.Cookie {
  fileprivate mutating func redact(by redaction: Redaction, of field: String) {
    let (text, isWhole, _) = redaction.field("\(name)=\(value)", of: field)
    guard isWhole || text.contains(Redaction.placeholder) || redaction.item(value, of: name).isWhole else { return }
    value = Redaction.placeholder
    isRedacted = true
  }
}
