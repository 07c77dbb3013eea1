public import Foundation
import Internals

extension HTTPArchive {
  /// The archive as HAR 1.2, one entry on a line.
  public var json: Data {
    var bytes = Array(preamble)
    for (index, entry) in entries.enumerated() {
      bytes += Self.separator(before: index)
      bytes += entry.json
    }
    bytes += Self.ending
    return Data(bytes)
  }

  /// Writes the archive to a file, in the place of one that may be there, which stays when that fails.
  public func write(to url: URL) throws(HTTPArchiveError) {
    do throws(FileError) {
      let file = try PendingFile(url.path)
      try file.write(json)
      try file.keep()
    } catch {
      throw .unwritable(file: url.lastPathComponent, reason: error.reason)
    }
  }

  // An archive may be too large for memory while it is recorded: its parts are written one by one.

  /// All that stands before the entries.
  var preamble: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", "1.2")
      writer.member("creator") { $0.write(creator) }
      if let browser { writer.member("browser") { $0.write(browser) } }
      if !pages.isEmpty { writer.member("pages", pages) { $0.writeMembers(of: $1) } }
      writer.member("comment", comment)
    }
    // The brace that closes the log comes after the entries.
    return Array("{\"log\": ".utf8) + writer.bytes.dropLast() + ", \"entries\": [".utf8
  }

  /// What stands before an entry.
  static func separator(before index: Int) -> [UInt8] { Array((index == 0 ? "\n" : ",\n").utf8) }

  /// What stands behind the last entry.
  static var ending: [UInt8] { Array("\n]}}\n".utf8) }
}

extension HTTPArchive.Entry {
  /// The entry on one line.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("pageref", pageID)
      writer.member("startedDateTime", Timestamp.text(started ?? Date(timeIntervalSince1970: 0)))
      writer.member("time", milliseconds: time)
      writer.member("request") { writer in writer.object { $0.writeMembers(of: request) } }
      writer.member("response") { writer in writer.object { $0.writeMembers(of: response) } }
      writer.member("cache") { $0.object { _ in } }
      writer.member("timings") { writer in writer.object { $0.writeMembers(of: timings) } }
      writer.member("serverIPAddress", serverAddress)
      writer.member("connection", connection)
      writer.member("comment", comment)
    }
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ creator: HTTPArchive.Creator) {
    object { writer in
      writer.member("name", creator.name)
      writer.member("version", creator.version)
    }
  }

  fileprivate mutating func writeMembers(of page: HTTPArchive.Page) {
    member("startedDateTime", Timestamp.text(page.started))
    member("id", page.id)
    member("title", page.title)
    member("pageTimings") { writer in
      writer.object { writer in
        writer.member("onContentLoad", milliseconds: page.contentLoaded)
        writer.member("onLoad", milliseconds: page.loaded)
      }
    }
    member("comment", page.comment)
  }

  fileprivate mutating func writeMembers(of timings: HTTPArchive.Timings) {
    member("blocked", milliseconds: timings.blocked)
    member("dns", milliseconds: timings.dns)
    member("connect", milliseconds: timings.connect)
    member("send", milliseconds: timings.send)
    member("wait", milliseconds: timings.wait)
    member("receive", milliseconds: timings.receive)
    member("ssl", milliseconds: timings.tls)
  }

  fileprivate mutating func writeMembers(of request: HTTPArchive.Request) {
    member("method", request.method)
    member("url", request.url)
    member("httpVersion", request.httpVersion)
    member("cookies", request.cookies) { $0.writeMembers(of: $1) }
    member("headers", request.headers) { $0.writeMembers(of: $1) }
    member("queryString", request.query) { $0.writeMembers(of: $1) }
    if let body = request.body {
      member("postData") { writer in
        writer.object { writer in
          writer.member("mimeType", body.mimeType)
          writer.member("params", body.parameters) { $0.writeMembers(of: $1) }
          // The specification asks for both, and lets one be empty.
          writer.member("text", body.text ?? "")
          writer.member("_encoding", body.encoding)
          writer.member("_file", body.file)
        }
      }
    }
    member("headersSize", request.headerBytes)
    member("bodySize", request.bodyBytes)
  }

  fileprivate mutating func writeMembers(of response: HTTPArchive.Response) {
    member("status", Int64(response.status))
    member("statusText", response.statusText)
    member("httpVersion", response.httpVersion)
    member("cookies", response.cookies) { $0.writeMembers(of: $1) }
    member("headers", response.headers) { $0.writeMembers(of: $1) }
    member("content") { writer in
      writer.object { writer in
        writer.member("size", response.content.size)
        writer.member("mimeType", response.content.mimeType)
        writer.member("text", response.content.text)
        writer.member("encoding", response.content.encoding)
        writer.member("_file", response.content.file)
        writer.member("comment", response.content.comment)
      }
    }
    member("redirectURL", response.redirectURL)
    member("headersSize", response.headerBytes)
    member("bodySize", response.bodyBytes)
    if response.transferBytes >= 0 { member("_transferSize", response.transferBytes) }
    member("_error", response.error)
  }

  fileprivate mutating func writeMembers(of field: HTTPArchive.Field) {
    member("name", field.name)
    member("value", field.value)
    if field.isRedacted { member("_redacted", true) }
  }

  fileprivate mutating func writeMembers(of cookie: HTTPArchive.Cookie) {
    member("name", cookie.name)
    member("value", cookie.value)
    member("path", cookie.path)
    member("domain", cookie.domain)
    member("expires", cookie.expires)
    member("httpOnly", cookie.isHTTPOnly)
    member("secure", cookie.isSecure)
    if cookie.isRedacted { member("_redacted", true) }
  }
}
