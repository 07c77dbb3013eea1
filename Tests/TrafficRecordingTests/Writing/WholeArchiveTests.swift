import Foundation
import Testing
import TrafficRecording

/// An archive with a value in every member, and the JSON that it stands for.
struct WholeArchiveTests {
  private static let entry = HTTPArchive.Entry(
    started: Date(timeIntervalSince1970: 5),
    request: HTTPArchive.Request(
      method: "PUT", url: "https://x.example/?a=1", httpVersion: "HTTP/2", headers: [.init("A", "b")],
      cookies: [.init("c", "d")], query: [.init("a", "1")],
      body: HTTPArchive.PostData(
        mimeType: "e/f", text: "g", encoding: "base64", file: "h.bodies/1", parameters: [.init("i", "j")]),
      headerBytes: 11, bodyBytes: 12),
    response: HTTPArchive.Response(
      status: 302, statusText: "Look", httpVersion: "HTTP/3", headers: [.init("K", "l", isRedacted: true)],
      cookies: [
        .init(
          "m", "n", path: "/o", domain: "p", expires: "2026-01-31T00:00:00Z", isHTTPOnly: true, isSecure: false,
          isRedacted: true)
      ],
      content: HTTPArchive.Content(
        size: 13, mimeType: "q/r", text: "s", encoding: "base64", file: "t.bodies/2", comment: "u"),
      redirectURL: "/v", headerBytes: 14, bodyBytes: 15, error: "w"),
    timings: HTTPArchive.Timings(
      blocked: .milliseconds(1), dns: .milliseconds(2), connect: .milliseconds(8), send: .milliseconds(4),
      wait: .milliseconds(16), receive: .milliseconds(32), tls: .milliseconds(5)),
    pageID: "x", serverAddress: "::1", connection: "7", comment: "y")

  private static var sent: HTTPArchive.Entry {
    var entry = entry
    entry.response.transferBytes = 29
    entry.initiator = "https://x.example/page"
    return entry
  }

  private static let archive = HTTPArchive(
    creator: HTTPArchive.Creator(name: "1", version: "2"), browser: HTTPArchive.Creator(name: "3", version: "4"),
    pages: [
      HTTPArchive.Page(
        started: Date(timeIntervalSince1970: 4), id: "x", title: "z", contentLoaded: .milliseconds(21),
        loaded: .milliseconds(22), comment: "page")
    ],
    entries: [sent], comment: "whole")

  private static let json = """
    {"log": {"version": "1.2", "creator": {"name": "1", "version": "2"}, "browser": {"name": "3", "version": "4"},
    "comment": "whole", "pages": [{"startedDateTime": "1970-01-01T00:00:04.000000Z", "id": "x", "title": "z",
      "pageTimings": {"onContentLoad": 21, "onLoad": 22}, "comment": "page"}],
    "entries": [{"pageref": "x", "startedDateTime": "1970-01-01T00:00:05.000000Z", "time": 63,
      "request": {"method": "PUT", "url": "https://x.example/?a=1", "httpVersion": "HTTP/2",
        "headers": [{"name": "A", "value": "b"}], "cookies": [{"name": "c", "value": "d"}],
        "queryString": [{"name": "a", "value": "1"}],
        "postData": {"mimeType": "e/f", "text": "g", "_encoding": "base64", "_file": "h.bodies/1",
          "params": [{"name": "i", "value": "j"}]},
        "headersSize": 11, "bodySize": 12},
      "response": {"status": 302, "statusText": "Look", "httpVersion": "HTTP/3",
        "headers": [{"name": "K", "value": "l", "_redacted": true}],
        "cookies": [{"name": "m", "value": "n", "path": "/o", "domain": "p", "expires": "2026-01-31T00:00:00Z",
          "httpOnly": true, "secure": false, "_redacted": true}],
        "content": {"size": 13, "mimeType": "q/r", "text": "s", "encoding": "base64", "_file": "t.bodies/2",
          "comment": "u"},
        "redirectURL": "/v", "headersSize": 14, "bodySize": 15, "_transferSize": 29, "_error": "w"},
      "cache": {}, "timings": {"blocked": 1, "dns": 2, "connect": 8, "send": 4, "wait": 16, "receive": 32, "ssl": 5},
      "serverIPAddress": "::1", "connection": "7", "_protocol": "h3", "comment": "y",
      "_initiator": {"type": "other", "url": "https://x.example/page"}}]}}
    """

  private static func object(_ json: Data) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: json) as? NSDictionary)
  }

  @Test func `each member of an archive is written under its own name`() throws {
    #expect(
      try Self.object(Self.archive.json) == Self.object(Data(Self.json.utf8)),
      "\(String(decoding: Self.archive.json, as: UTF8.self))")
  }

  @Test func `each member of an archive is read from its own name`() throws {
    #expect(try HTTPArchive(json: Data(Self.json.utf8)) == Self.archive)
  }
}
