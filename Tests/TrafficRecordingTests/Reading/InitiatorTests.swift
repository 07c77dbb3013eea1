import Foundation
import NetworkConditions
import Testing
import TrafficRecording

/// Tests reading `_initiator`, the URL that caused a request.
struct InitiatorTests {
  private static func archive(_ initiator: String) throws -> HTTPArchive {
    let entry =
      #"{"request": {"method": "GET", "url": "https://a.example/x"}, "response": {"status": 200}, "_initiator": \#(initiator)}"#
    return try HTTPArchive(json: Data(#"{"log": {"entries": [\#(entry)]}}"#.utf8))
  }

  @Test(arguments: [
    (#"{"type": "parser", "url": "https://a.example/", "lineNumber": 5}"#, "https://a.example/"),
    (
      #"{"type": "script", "stack": {"callFrames": [{"url": ""}, {"url": "https://a.example/a.js"}]}}"#,
      "https://a.example/a.js"
    ),
    (
      #"{"type": "script", "stack": {"callFrames": [], "parent": {"callFrames": [{"url": "https://a.example/b.js"}]}}}"#,
      "https://a.example/b.js"
    ),
    (
      #"{"url": "https://a.example/", "stack": {"callFrames": [{"url": "https://a.example/a.js"}]}}"#,
      "https://a.example/"
    ),
    (
      #"{"stack": {"callFrames": [{"url": "https://a.example/a.js"}], "parent": {"callFrames": [{"url": "https://a.example/b.js"}]}}}"#,
      "https://a.example/a.js"
    ),
    (#"{"type": "other"}"#, nil), (#"{"url": ""}"#, nil), ("7", nil), (#"{"url": 7}"#, nil), ("null", nil),
  ])
  func `the initiator's URL of a request is read from each form in which browsers write it`(
    text: String, url: String?
  ) throws {
    #expect(try Self.archive(text).entries[0].initiator == url)
  }

  @Test func `an initiator is written to the archive, and redaction removes its secrets`() throws {
    let archive = try Self.archive(#"{"url": "https://a.example/?access_token=abcdefgh12345678"}"#)
    let again = try HTTPArchive(json: archive.json)
    #expect(again.entries[0].initiator == archive.entries[0].initiator)
    let redacted = try #require(archive.redacted().archive.entries[0].initiator)
    #expect(redacted.hasPrefix("https://a.example/?access_token=") && !redacted.contains("abcdefgh12345678"))
  }
}
