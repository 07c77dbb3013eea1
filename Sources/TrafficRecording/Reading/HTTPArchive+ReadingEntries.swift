import Foundation
import NetworkConditions

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
    // Some tools count TLS beside the connection and not in it, which shows where it is the longer one.
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
      case "headers": headers = try [HTTPArchive.Field](&cursor, "the header fields")
      case "cookies": cookies = try [HTTPArchive.Cookie](&cursor)
      case "queryString": query = try [HTTPArchive.Field](&cursor, "the items of a query")
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
        // Chrome writes 0 for a request that failed, and some tools -1.
        status = max(0, Int(try cursor.whole("an HTTP status", -1...999)))
      case "statusText": statusText = try cursor.label("a reason phrase")
      case "httpVersion": httpVersion = try cursor.label("a version")
      case "headers": headers = try [HTTPArchive.Field](&cursor, "the header fields")
      case "cookies": cookies = try [HTTPArchive.Cookie](&cursor)
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
      case "params": parameters = try [HTTPArchive.Field](&cursor, "the items of a form")
      default: try cursor.skip()
      }
    }
    if encoding?.isEmpty == true { encoding = nil }
  }
}

extension [HTTPArchive.Field] {
  init(_ cursor: inout JSONCursor, _ what: String) throws(ProfileError) {
    self = []
    try cursor.array(what) { (cursor) throws(ProfileError) in
      var field = HTTPArchive.Field("", "")
      try cursor.object("a name and a value") { (cursor, key) throws(ProfileError) in
        switch key {
        case "name": field.name = try cursor.label("a name")
        case "value": field.value = try cursor.label("a value")
        case "_redacted": field.isRedacted = try cursor.bool("whether it is redacted")
        default: try cursor.skip()
        }
      }
      append(field)
    }
  }
}

extension [HTTPArchive.Cookie] {
  init(_ cursor: inout JSONCursor) throws(ProfileError) {
    self = []
    try cursor.array("the cookies") { (cursor) throws(ProfileError) in
      var cookie = HTTPArchive.Cookie("", "")
      try cursor.object("a cookie") { (cursor, key) throws(ProfileError) in
        switch key {
        case "name": cookie.name = try cursor.label("a name")
        case "value": cookie.value = try cursor.label("a value")
        case "path": cookie.path = try cursor.label("a path")
        case "domain": cookie.domain = try cursor.label("a host")
        case "httpOnly": cookie.isHTTPOnly = try cursor.bool("whether scripts cannot see it")
        case "secure": cookie.isSecure = try cursor.bool("whether it is for TLS only")
        case "_redacted": cookie.isRedacted = try cursor.bool("whether it is redacted")
        // Dates of cookies come in every form; nothing depends on them but what is written back.
        case "expires": cookie.expires = try cursor.expiry()
        default: try cursor.skip()
        }
      }
      append(cookie)
    }
  }
}

extension JSONCursor {
  /// A cookie's date as ISO 8601; `nil` when it has none that can be told.
  fileprivate mutating func expiry() throws(ProfileError) -> String? {
    var copy = self
    try skip()
    guard let text = try? copy.string("a date") else { return nil }
    return Timestamp.parse(text) == nil ? nil : text
  }
}
