public import Foundation
import Internals
import NetworkConditions

extension HTTPArchive {
  /// The archive as HAR 1.2 JSON, with one entry on each line.
  public var json: Data {
    var bytes = Array(preamble)
    for (index, entry) in entries.enumerated() {
      bytes += Self.separator(before: index)
      bytes += entry.json
    }
    bytes += Self.ending
    return Data(bytes)
  }

  /// Writes the archive to a file; an existing file is replaced only on success.
  public func write(to url: URL) throws(HTTPArchiveError) {
    do throws(FileError) {
      let file = try PendingFile(url.path)
      try file.write(json)
      try file.keep()
    } catch {
      throw .unwritable(file: url.lastPathComponent, reason: error.reason)
    }
  }

  // While an archive is recorded it may be too large for memory, so its parts are written one by one.

  var preamble: [UInt8] {
    let log: JSONValue = [
      "version": "1.2", "creator": creator.document, "browser": browser?.document,
      "pages": pages.isEmpty ? nil : .array(pages.map(\.document)), "comment": comment.map(JSONValue.string),
    ]
    // The closing brace of the log comes after the entries.
    return Array("{\"log\": \(log.lineText.dropLast()), \"entries\": [".utf8)
  }

  static func separator(before index: Int) -> [UInt8] { Array((index == 0 ? "\n" : ",\n").utf8) }

  static var ending: [UInt8] { Array("\n]}}\n".utf8) }
}

extension HTTPArchive.Entry {
  var json: [UInt8] {
    let value: JSONValue = [
      "pageref": pageID.map(JSONValue.string),
      "startedDateTime": .string(Timestamp.text(started ?? Date(timeIntervalSince1970: 0))),
      "time": .milliseconds(time),
      "request": request.document, "response": response.document, "cache": .object([]), "timings": timings.document,
      "serverIPAddress": serverAddress.map(JSONValue.string), "connection": connection.map(JSONValue.string),
      "_initiator": initiator.map { ["type": "other", "url": .string($0)] },
      "_protocol": Self.protocols[response.httpVersion].map(JSONValue.string), "comment": comment.map(JSONValue.string),
    ]
    return Array(value.lineText.utf8)
  }

  /// The ALPN names of HTTP versions, which WebPageTest writes beside `httpVersion`.
  private static let protocols = ["HTTP/2": "h2", "HTTP/3": "h3"]
}

extension JSONValue {
  /// A duration in exact milliseconds with up to six decimals, so that sums add up; -1 for `nil`.
  fileprivate static func milliseconds(_ duration: Duration?) -> JSONValue {
    guard let (seconds, attoseconds) = duration.map({ max($0, .zero).components }) else { return .number("-1") }
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    return .number(DecimalText.of(nanoseconds, places: 6))
  }
}

extension HTTPArchive.Creator {
  fileprivate var document: JSONValue { ["name": .string(name), "version": .string(version)] }
}

extension HTTPArchive.Page {
  fileprivate var document: JSONValue {
    [
      "startedDateTime": .string(Timestamp.text(started)), "id": .string(id), "title": .string(title),
      "pageTimings": ["onContentLoad": .milliseconds(contentLoaded), "onLoad": .milliseconds(loaded)],
      "comment": comment.map(JSONValue.string),
    ]
  }
}

extension HTTPArchive.Timings {
  fileprivate var document: JSONValue {
    [
      "blocked": .milliseconds(blocked), "dns": .milliseconds(dns), "connect": .milliseconds(connect),
      "send": .milliseconds(send), "wait": .milliseconds(wait), "receive": .milliseconds(receive),
      "ssl": .milliseconds(tls),
    ]
  }
}

extension HTTPArchive.Request {
  fileprivate var document: JSONValue {
    [
      "method": .string(method), "url": .string(url), "httpVersion": .string(httpVersion),
      "cookies": .array(cookies.map(\.document)), "headers": .array(headers.map(\.document)),
      "queryString": .array(query.map(\.document)), "postData": body?.document, "headersSize": .integer(headerBytes),
      "bodySize": .integer(bodyBytes),
    ]
  }
}

extension HTTPArchive.PostData {
  fileprivate var document: JSONValue {
    [
      "mimeType": .string(mimeType), "params": .array(parameters.map(\.document)),
      // The specification requires both `params` and `text`, and lets one be empty.
      "text": .string(text ?? ""), "_encoding": encoding.map(JSONValue.string), "_file": file.map(JSONValue.string),
    ]
  }
}

extension HTTPArchive.Response {
  fileprivate var document: JSONValue {
    [
      "status": .integer(status), "statusText": .string(statusText), "httpVersion": .string(httpVersion),
      "cookies": .array(cookies.map(\.document)), "headers": .array(headers.map(\.document)),
      "content": content.document,
      "redirectURL": .string(redirectURL), "headersSize": .integer(headerBytes), "bodySize": .integer(bodyBytes),
      "_transferSize": transferBytes >= 0 ? .integer(transferBytes) : nil, "_error": error.map(JSONValue.string),
    ]
  }
}

extension HTTPArchive.Content {
  fileprivate var document: JSONValue {
    [
      "size": .integer(size), "mimeType": .string(mimeType), "text": text.map(JSONValue.string),
      "encoding": encoding.map(JSONValue.string), "_file": file.map(JSONValue.string),
      "comment": comment.map(JSONValue.string),
    ]
  }
}

extension HTTPArchive.Field {
  fileprivate var document: JSONValue {
    ["name": .string(name), "value": .string(value), "_redacted": isRedacted ? .bool(true) : nil]
  }
}

extension HTTPArchive.Cookie {
  fileprivate var document: JSONValue {
    [
      "name": .string(name), "value": .string(value), "path": path.map(JSONValue.string),
      "domain": domain.map(JSONValue.string), "expires": expires.map(JSONValue.string),
      "httpOnly": isHTTPOnly.map(JSONValue.bool), "secure": isSecure.map(JSONValue.bool),
      "_redacted": isRedacted ? .bool(true) : nil,
    ]
  }
}
