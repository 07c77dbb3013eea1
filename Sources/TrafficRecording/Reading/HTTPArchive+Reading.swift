public import Foundation
import Internals
public import NetworkConditions

extension HTTPArchive {
  /// Reads an archive from a file, which may be compressed with gzip.
  ///
  /// - Throws: an error that names the file, the place, the value and its correction.
  public init(contentsOf url: URL) throws(ProfileError) {
    try self.init(json: Data(ordinaryFile: url), file: url.lastPathComponent)
    source.folder = url.deletingLastPathComponent()
  }

  /// Reads an archive from memory.
  ///
  /// - Parameters:
  ///   - json: the text, in UTF-8, or in UTF-16 with a byte order mark; it may be compressed with gzip.
  ///   - file: the archive's name in errors.
  /// - Throws: an error that names the place, the value and its correction.
  public init(json: Data, file: String = "archive") throws(ProfileError) {
    var bytes = [UInt8](json)
    if bytes.starts(with: [0x1F, 0x8B]) {
      do {
        bytes = try Inflater.unpack(bytes)
      } catch {
        throw .unreadable(file: file, reason: "is gzip that cannot be unpacked: \(error)")
      }
    }
    if bytes.starts(with: [0x50, 0x4B, 3, 4]) {
      throw .unreadable(file: file, reason: "is a zip archive; unpack it, and name the .har file in it")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      guard let text = String(data: Data(bytes), encoding: .utf16) else {
        throw .unreadable(file: file, reason: "is not UTF-16, as its first bytes promise; write UTF-8")
      }
      bytes = [UInt8](text.utf8)
    }
    var cursor = JSONCursor(bytes, file: file, isLenient: true)
    self.init()
    source.name = file
    var hasLog = false
    try cursor.object("an HTTP archive") { (cursor, key) throws(ProfileError) in
      guard key == "log" else { return try cursor.skip() }
      hasLog = true
      try read(&cursor)
    }
    try cursor.end()
    guard hasLog else {
      throw cursor.error("the key \"log\" is missing; an HTTP archive is {\"log\": {\"entries\": [...]}}")
    }
  }

  private mutating func read(_ cursor: inout JSONCursor) throws(ProfileError) {
    var hasEntries = false
    try cursor.object("a log") { (cursor, key) throws(ProfileError) in
      switch key {
      case "creator": creator = try Creator(&cursor)
      case "browser": browser = try Creator(&cursor)
      case "comment": comment = try cursor.label("a comment")
      case "pages": pages = try cursor.list("the pages", Page.init)
      case "entries":
        hasEntries = true
        entries = try cursor.list("the entries", atMost: .max, Entry.init)
      default: try cursor.skip()
      }
    }
    guard hasEntries else { throw cursor.error("the key \"entries\" is missing; it is a list of exchanges") }
  }
}

extension JSONCursor {
  mutating func list<Element>(
    _ what: String, atMost limit: Int = 100_000, _ read: (inout JSONCursor) throws(ProfileError) -> Element
  ) throws(ProfileError) -> [Element] {
    var elements: [Element] = []
    try array(what) { (cursor) throws(ProfileError) in
      guard elements.count < limit else {
        throw cursor.error("\(what) are more than \(limit); no exchange has that many")
      }
      elements.append(try read(&cursor))
    }
    return elements
  }

  /// Reads a count of bytes; -1 is unknown.
  mutating func size() throws(ProfileError) -> Int64 {
    let value = try number("a size in bytes", -1e15...1e15)
    return value < 0 ? -1 : Int64(value)
  }

  /// Reads a duration in milliseconds; `nil`, which is negative in the archive, is unknown.
  mutating func milliseconds() throws(ProfileError) -> Duration? {
    // The bound keeps sums from overflowing; no real exchange takes even a year.
    let value = try number("a time in milliseconds", -1e12...1e12)
    return value < 0 ? nil : .nanoseconds(Int64((value * 1e6).rounded()))
  }

  /// Reads a date; `nil` when the text is empty.
  mutating func date() throws(ProfileError) -> Date? {
    let place = self
    let text = try string("a date")
    if text.isEmpty { return nil }
    guard let date = Timestamp.parse(text) else {
      throw place.error("\(text.quoted) is not a date; write for example \"2026-01-31T23:59:59.123Z\"")
    }
    return date
  }
}

extension HTTPArchive.Creator {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self.init(name: "", version: "")
    try cursor.object("a program") { (cursor, key) throws(ProfileError) in
      switch key {
      case "name": name = try cursor.label("a name")
      case "version": version = try cursor.label("a version")
      default: try cursor.skip()
      }
    }
  }
}

extension HTTPArchive.Page {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self.init(started: Date(timeIntervalSince1970: 0), id: "", title: "")
    try cursor.object("a page") { (cursor, key) throws(ProfileError) in
      switch key {
      case "startedDateTime": started = try cursor.date() ?? started
      case "id": id = try cursor.label("a page's id")
      case "title": title = try cursor.label("a title")
      case "comment": comment = try cursor.label("a comment")
      case "pageTimings":
        try cursor.object("the timings of a page") { (cursor, key) throws(ProfileError) in
          switch key {
          case "onContentLoad": contentLoaded = try cursor.milliseconds()
          case "onLoad": loaded = try cursor.milliseconds()
          default: try cursor.skip()
          }
        }
      default: try cursor.skip()
      }
    }
  }
}

extension HTTPArchive.Entry {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self.init(started: nil, request: .init(url: ""), response: .init(status: 0))
    var hasRequest = false
    try cursor.object("an entry") { (cursor, key) throws(ProfileError) in
      switch key {
      case "startedDateTime": started = try cursor.date()
      case "request":
        hasRequest = true
        request = try HTTPArchive.Request(&cursor)
      case "response": response = try HTTPArchive.Response(&cursor)
      case "timings": timings = try HTTPArchive.Timings(&cursor)
      case "pageref": pageID = try cursor.label("a page's id")
      case "serverIPAddress": serverAddress = try cursor.label("an address")
      case "connection": connection = try cursor.label("a connection's id")
      case "_initiator": initiator = try Initiator.url(&cursor)
      case "comment": comment = try cursor.label("a comment")
      default: try cursor.skip()
      }
    }
    guard hasRequest else { throw cursor.error("the key \"request\" is missing; every entry has one") }
  }
}

extension HTTPArchive.Timings {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self.init()
    try cursor.object("timings") { (cursor, key) throws(ProfileError) in
      switch key {
      case "blocked": blocked = try cursor.milliseconds()
      case "dns": dns = try cursor.milliseconds()
      case "connect": connect = try cursor.milliseconds()
      case "send": send = try cursor.milliseconds() ?? .zero
      case "wait": wait = try cursor.milliseconds() ?? .zero
      case "receive": receive = try cursor.milliseconds() ?? .zero
      case "ssl": tls = try cursor.milliseconds()
      default: try cursor.skip()
      }
    }
    // Some tools do not include TLS in `connect`; a TLS time above `connect` shows this.
    if let tls, tls > connect ?? .zero { connect = (connect ?? .zero) + tls }
  }
}

extension HTTPArchive.Request {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self.init(method: "", url: "")
    try cursor.object("a request") { (cursor, key) throws(ProfileError) in
      switch key {
      case "method": method = try cursor.string("a method")
      case "url": url = try cursor.string("a URL")
      case "httpVersion": httpVersion = try cursor.label("a version")
      case "headers": headers = try cursor.list("the header fields", HTTPArchive.Field.init)
      case "cookies": cookies = try cursor.list("the cookies", HTTPArchive.Cookie.init)
      case "queryString": query = try cursor.list("the items of a query", HTTPArchive.Field.init)
      case "postData": body = try HTTPArchive.PostData(&cursor)
      case "headersSize": headerBytes = try cursor.size()
      case "bodySize": bodyBytes = try cursor.size()
      default: try cursor.skip()
      }
    }
    guard !method.isEmpty else {
      throw cursor.error("the key \"method\" is missing or empty; write for example \"GET\"")
    }
    guard !url.isEmpty else {
      throw cursor.error("the key \"url\" is missing or empty; write for example \"https://example.com/\"")
    }
  }
}

extension HTTPArchive.Response {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self.init(status: 0, statusText: "")
    var hasStatus = false
    try cursor.object("a response") { (cursor, key) throws(ProfileError) in
      switch key {
      case "status":
        hasStatus = true
        // Chrome writes 0 for a failed request, and some tools write -1.
        status = max(0, Int(try cursor.whole("an HTTP status", -1...999)))
      case "statusText": statusText = try cursor.label("a reason phrase")
      case "httpVersion": httpVersion = try cursor.label("a version")
      case "headers": headers = try cursor.list("the header fields", HTTPArchive.Field.init)
      case "cookies": cookies = try cursor.list("the cookies", HTTPArchive.Cookie.init)
      case "content": content = try HTTPArchive.Content(&cursor)
      case "redirectURL": redirectURL = try cursor.string("a URL")
      case "headersSize": headerBytes = try cursor.size()
      case "bodySize": bodyBytes = try cursor.size()
      case "_transferSize": transferBytes = try cursor.size()
      case "_error", "_failureText": error = try cursor.label("an error")
      default: try cursor.skip()
      }
    }
    guard hasStatus else { throw cursor.error("the key \"status\" is missing; write 0 when there was no response") }
  }
}

extension HTTPArchive.Content {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self.init(size: -1, mimeType: "")
    try cursor.object("a body") { (cursor, key) throws(ProfileError) in
      switch key {
      case "size": size = try cursor.size()
      case "mimeType": mimeType = try cursor.string("a media type")
      case "text": text = try cursor.string("a body's text")
      case "encoding": encoding = try cursor.string("an encoding")
      case "_file": file = try cursor.string("a file's path")
      case "comment": comment = try cursor.label("a comment")
      default: try cursor.skip()
      }
    }
    if encoding?.isEmpty == true { encoding = nil }
  }
}

extension HTTPArchive.PostData {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self.init(mimeType: "")
    try cursor.object("a request's body") { (cursor, key) throws(ProfileError) in
      switch key {
      case "mimeType": mimeType = try cursor.string("a media type")
      case "text": text = try cursor.string("a body's text")
      case "encoding", "_encoding": encoding = try cursor.string("an encoding")
      case "_file": file = try cursor.string("a file's path")
      case "params": parameters = try cursor.list("the items of a form", HTTPArchive.Field.init)
      default: try cursor.skip()
      }
    }
    if encoding?.isEmpty == true { encoding = nil }
  }
}

extension HTTPArchive.Field {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self.init("", "")
    try cursor.object("a name and a value") { (cursor, key) throws(ProfileError) in
      switch key {
      case "name": name = try cursor.label("a name")
      case "value": value = try cursor.label("a value")
      case "_redacted": isRedacted = try cursor.bool("whether it is redacted")
      default: try cursor.skip()
      }
    }
  }
}

extension HTTPArchive.Cookie {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self.init("", "")
    try cursor.object("a cookie") { (cursor, key) throws(ProfileError) in
      switch key {
      case "name": name = try cursor.label("a name")
      case "value": value = try cursor.label("a value")
      case "path": path = try cursor.label("a path")
      case "domain": domain = try cursor.label("a host")
      case "httpOnly": isHTTPOnly = try cursor.bool("whether scripts cannot see it")
      case "secure": isSecure = try cursor.bool("whether it is for TLS only")
      case "_redacted": isRedacted = try cursor.bool("whether it is redacted")
      // Cookies have dates in many formats. They are only written back, so any text is accepted.
      case "expires":
        var copy = cursor
        try cursor.skip()
        expires = (try? copy.string("a date")).flatMap { Timestamp.parse($0) == nil ? nil : $0 }
      default: try cursor.skip()
      }
    }
  }
}
