import Foundation
import NetworkConditions
import Testing

@testable import TrafficRecording

struct ArchiveReadingTests {
  @Test func `an archive that a browser wrote is read with its pages and timings`() throws {
    let archive = try HTTPArchive(json: Samples.browser)
    #expect(archive.creator == HTTPArchive.Creator(name: "WebInspector", version: "537.36"))
    #expect(archive.pages.map(\.id) == ["page_1"] && archive.pages[0].contentLoaded == .microseconds(120_500))
    #expect(archive.pages[0].loaded == nil)
    let entry = try #require(archive.entries.first)
    #expect(entry.request.url == "https://example.com/feed?page=1#top" && entry.response.content.size == 13)
    #expect(entry.timings.dns == nil && entry.timings.blocked == .microseconds(1_500))
    #expect(entry.time == .microseconds(80_875))
    #expect(entry.started.map(Timestamp.text) == "2026-01-31T23:59:59.123456Z")
    #expect(entry.response.error == nil && entry.serverAddress == "93.184.216.34")
  }

  @Test func `an archive with only a method and a URL is read`() throws {
    let archive = try HTTPArchive(
      json: Data(#"{"log":{"entries":[{"request":{"method":"GET","url":"http://x/"}}]}}"#.utf8))
    #expect(archive.entries.count == 1 && archive.entries[0].response.status == 0)
    #expect(try HTTPArchive(json: Data(#"{"log":{"entries":[]}}"#.utf8)).entries.isEmpty)
  }

  @Test(arguments: [("base64", "base64"), ("", nil)])
  func `a body keeps the archive's encoding, and an empty encoding counts as missing`(written: String, read: String?)
    throws
  {
    let body = #"{"mimeType":"text/plain","size":0,"text":"aGk=","encoding":"\#(written)"}"#
    let archive = try HTTPArchive(
      json: Data(
        #"{"log":{"entries":[{"request":{"method":"GET","url":"x"},"response":{"status":200,"content":\#(body)}}]}}"#
          .utf8))
    #expect(archive.entries[0].response.content.encoding == read && archive.entries[0].response.content.size == 0)
  }

  @Test func `a size or a status below zero is unknown, and members of some programs alone are read`() throws {
    let body = #"{"mimeType": "", "text": "aGk=", "_encoding": "base64"}"#
    let request =
      #"{"method": "POST", "url": "x", "headersSize": -5, "bodySize": -0.5, "postData": \#(body)}"#
    let response =
      #"{"status": -1, "headersSize": 2.5e3, "bodySize": -7, "_transferSize": 9, "_failureText": "net::ERR_FAILED"}"#
    let archive = try HTTPArchive(
      json: Data(#"{"log": {"entries": [{"request": \#(request), "response": \#(response)}]}}"#.utf8))
    let entry = try #require(archive.entries.first)
    #expect(
      [entry.request.headerBytes, entry.request.bodyBytes] == [-1, -1] && entry.request.body?.encoding == "base64")
    #expect([entry.response.headerBytes, entry.response.bodyBytes, entry.response.transferBytes] == [2_500, -1, 9])
    #expect(entry.response.status == 0 && entry.response.error == "net::ERR_FAILED")
  }
  @Test func `a number where a text is expected is read as text`() throws {
    let archive = try HTTPArchive(
      json: Data(
        #"{"log":{"entries":[{"connection":443,"request":{"method":"GET","url":"x","headers":[{"name":"A","value":-1.5}]}}]}}"#
          .utf8))
    #expect(archive.entries[0].connection == "443" && archive.entries[0].request[header: "a"] == "-1.5")
  }

  @Test func `TLS time that an archive counts beside the connection time is added to it`() throws {
    let archive = try HTTPArchive(
      json: Data(
        #"{"log":{"entries":[{"request":{"method":"GET","url":"x"},"timings":{"connect":5,"ssl":8,"wait":1}}]}}"#.utf8))
    #expect(archive.entries[0].timings.connect == .milliseconds(13) && archive.entries[0].time == .milliseconds(14))
  }

  @Test func `equal times for connecting and TLS are counted once`() throws {
    let archive = try HTTPArchive(
      json: Data(
        #"{"log":{"entries":[{"request":{"method":"GET","url":"x"},"timings":{"connect":5,"ssl":5,"wait":1}}]}}"#.utf8))
    #expect(archive.entries[0].timings.connect == .milliseconds(5) && archive.entries[0].time == .milliseconds(6))
  }

  @Test func `the query of a request has its items in order, and its fragment is left out`() {
    for (url, sent, query) in [
      ("https://a.example/#top?a=1", "https://a.example/", []),
      ("https://a.example/?a=1&b&a==2#top", "https://a.example/?a=1&b&a==2", [("a", "1"), ("b", ""), ("a", "=2")]),
    ] {
      let request = HTTPArchive.Request(url: url).withQuery
      #expect(request.url == sent && request.query == query.map { HTTPArchive.Field($0, $1) })
    }
  }

  @Test func `a plus in a query is a space, and secrets are found in a base64 body whatever the case of its encoding`()
    throws
  {
    #expect(HTTPArchive.Request(url: "https://a.example/?q=a+b%2B").withQuery.query == [.init("q", "a b+")])
    let secret = Data(#"{"password": "hunter2-and-more"}"#.utf8).base64EncodedString()
    for encoding in ["base64", "BASE64"] {
      let content = HTTPArchive.Content(mimeType: "application/json", text: secret, encoding: encoding)
      let (archive, omissions) = HTTPArchive(entries: [Samples.entry("https://a.example/", content: content)])
        .redacted()
      let text = try #require(archive.entries[0].response.content.text)
      #expect(omissions.bodies == 1)
      #expect(!String(decoding: try #require(Data(base64Encoded: text)), as: UTF8.self).contains("hunter2"))
    }
  }

  @Test func `an archive in UTF-16 is read, and invalid Unicode becomes replacement characters`() throws {
    let text = #"{"log":{"comment":"é \ud83d\ude00 \ud800","entries":[]}}"#
    let utf16 = try #require("\u{FEFF}\(text)".data(using: .utf16LittleEndian))
    #expect(try HTTPArchive(json: utf16).comment == "é 😀 \u{FFFD}")
    #expect(
      try HTTPArchive(json: Data(#"{"log":{"comment":""#.utf8) + [0xFF] + Data(#"","entries":[]}}"#.utf8)).comment
        == "\u{FFFD}")
  }

  @Test func `an archive with objects for lists or form values, and quoted truth values, is read`() throws {
    let cookie = #"{"name": "a", "value": "1", "httpOnly": "true", "secure": "false"}"#
    let form = #"{"mimeType": "", "params": [{"name": "event", "value": {"tags": ["x", 1]}}]}"#
    let request = #"{"method": "POST", "url": "http://x.example/", "cookies": \#(cookie), "postData": \#(form)}"#
    let archive = try HTTPArchive(json: Data(#"{"log": {"entries": {"request": \#(request)}}}"#.utf8))
    let read = try #require(archive.entries.first).request
    let known = try #require(read.cookies.first)
    #expect(read.cookies.count == 1 && known.name == "a" && known.isHTTPOnly == true && known.isSecure == false)
    #expect(read.body?.parameters == [HTTPArchive.Field("event", #"{"tags": ["x", 1]}"#)])
  }

  @Test(arguments: [
    ("", #"a.har: line 1, column 1: the document ends where an HTTP archive should be"#),
    ("[]", #"a.har: a list is not an HTTP archive, an object in braces"#),
    ("{}", #"a.har: the key "log" is missing; an HTTP archive is {"log": {"entries": [...]}}"#),
    (#"{"log": {}}"#, #"a.har: log: the key "entries" is missing; it is a list of exchanges"#),
    (
      "{\"log\": {\n  \"entries\": [,]}}",
      #"a.har: line 2, column 15: found "," where an entry should be, an object in braces"#
    ),
    (#"{"log": {"entries": [{}]}}"#, #"a.har: log.entries[0]: the key "request" is missing; every entry has one"#),
    (
      #"{"log": {"entries": [{"request": {"method": "GET", "url": "x"}, "response": {"status": "OK"}}]}}"#,
      #"a.har: log.entries[0].response.status: "OK" is not an HTTP status, a number from -1 to 999"#
    ),
    (
      #"{"log": {"entries": [{"request": {"method": "GET", "url": "x"}, "response": {"status": 20.5}}]}}"#,
      #"a.har: log.entries[0].response.status: 20.5 is not an HTTP status, a whole number from -1 to 999"#
    ),
    (
      #"{"log": {"entries": [{"startedDateTime": "yesterday"}]}}"#,
      #"a.har: log.entries[0].startedDateTime: "yesterday" is not a date; write for example "2026-01-31T23:59:59.123Z""#
    ),
    (
      #"{"log": {"entries": [{"timings": {"wait": 1e400}}]}}"#,
      #"a.har: log.entries[0].timings.wait: 1e400 is not a time in milliseconds, a number from -1000000000000 to 1000000000000"#
    ),
    (#"{"log": {"entries": []}} x"#, #"a.har: line 1, column 26: nothing may follow the end of the document"#),
    (#"{"log": {"_x": [1, }"#, #"a.har: line 1, column 20: found "}" where a value should be"#),
    (#"{"log": {"_x": 01}}"#, #"a.har: line 1, column 16: "01" is not a JSON number"#),
    ("PK\u{3}\u{4}", "a.har: is a zip archive; unpack it, and name the .har file in it"),
  ])
  func `an error in an archive names the place, the value and the correction`(json: String, error: String) {
    #expect(
      performing: { try HTTPArchive(json: Data(json.utf8), file: "a.har") },
      throws: { ($0 as? ProfileError)?.sentence == error })
  }

  @Test(arguments: ["[", "{\"a\":", "{\"log\":[", "{\"log\":{\"entries\":[", "{\"log\":{\"_x\":["])
  func `an archive with extremely deep nesting is refused`(piece: String) {
    // A parser that recurses once for each level would need far more stack for this than a thread has.
    let bomb = piece + String(repeating: "[", count: 200_000)
    #expect(throws: ProfileError.self) { try HTTPArchive(json: Data(bomb.utf8)) }
    let inner = #"{"log":{"entries":[],"_x":"# + String(repeating: #"{"a":"#, count: 100_000)
    #expect(
      performing: { try HTTPArchive(json: Data(inner.utf8)) }, throws: { "\($0)".contains("nested deeper than 512") })
  }

  @Test func `a printed archive has a line for each exchange without secrets and fits a screen`() throws {
    let few = Samples.archive([("GET http://x.example/?token=hidden", "text"), ("POST http://x.example/b", "")])
    let lines = "\(few)".split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasSuffix(", 2 exchanges"))
    #expect(lines[1].hasPrefix("  GET http://x.example/?token=redacted: 200, 4 B in "))
    #expect(try "\(RecordedTransport(few))" == "GET http://x.example/?token=redacted\nPOST http://x.example/b")
    let many = Samples.archive((0..<100).map { ("GET http://x.example/\($0)", "text") })
    #expect("\(many)".split(separator: "\n").count == 41 && "\(many)".hasSuffix("and 61 more exchanges"))
  }

  @Test func `a missing file, a folder and a web URL are refused as archives`() throws {
    let scratch = try Scratch()
    #expect(throws: ProfileError.self) { try HTTPArchive(contentsOf: scratch.file("none.har")) }
    #expect(throws: ProfileError.self) { try HTTPArchive(contentsOf: scratch.folder) }
    #expect(throws: ProfileError.self) { try HTTPArchive(contentsOf: URL(string: "https://x.example/a.har")!) }
  }

  @Test func `an archive truncated at any byte gives an error`() throws {
    let json = Samples.archive([("GET http://x/", "text")]).json.dropLast()
    for length in 0..<json.count {
      #expect(throws: ProfileError.self) { try HTTPArchive(json: json.prefix(length)) }
    }
  }

  @Test func `an archive compressed by gzip is read from a file and from memory`() throws {
    let packed = try #require(
      Data(
        base64Encoded:
          """
          H4sIAAAAAAACAyWNwQ6CQAxEf4X0bAC5kHA3foDeDDEbqUKEXWyLIW72323h1pl504kwhhc0WYQvEg/B6w3HvIJDBuiFBmR1bhEIPwuybOiE0ofO\
          yPPpauRCo6leZG6KYs1xddM8YgFJQ0Keg2fcqixOFntZlaVmPbpOd22iVfkIXnR1J4efVSq1BVfzILy3h3ch5/mJdNmRuk6pTekPejmwkcsAAAA=
          """))
    #expect(try HTTPArchive(json: packed).entries[0].response.content.text == "ok")
    let scratch = try Scratch()
    try packed.write(to: scratch.file("a.har.gz"))
    #expect(try HTTPArchive(contentsOf: scratch.file("a.har.gz")).entries[0].request.url == "http://x.example/")
    #expect(
      performing: { try HTTPArchive(json: packed.dropLast(3), file: "a.har.gz") },
      throws: { ($0 as? ProfileError)?.sentence == "a.har.gz: is gzip that cannot be unpacked: it is cut off" })
  }
}
