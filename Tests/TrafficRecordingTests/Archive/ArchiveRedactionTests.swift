import Foundation
import Testing
import TrafficRecording

struct ArchiveRedactionTests {
  private static let secret = "hunter2hunter2"

  private static func entry(_ change: (inout HTTPArchive.Entry) -> Void) -> HTTPArchive.Entry {
    var entry = HTTPArchive.Entry(
      started: nil, request: .init(url: "https://example.com/"), response: .init(status: 200))
    change(&entry)
    return entry
  }

  @Test func `secrets in comments and errors are left out of an archive`() {
    let text = "see https://example.com/?access_token=\(Self.secret)&page=2"
    let page = HTTPArchive.Page(started: HTTPArchive.epoch, id: "1", title: text, comment: text)
    let entry = Self.entry { entry in
      (entry.comment, entry.response.error, entry.response.content.comment) = (text, text, text)
    }
    let archive = HTTPArchive(pages: [page], entries: [entry], comment: text).redacted().archive
    let json = String(decoding: archive.json, as: UTF8.self)
    #expect(!json.contains(Self.secret))
    #expect(json.ranges(of: "access_token=redacted&page=2").count == 6)
  }

  @Test func `secrets left out of several requests are counted by header fields, URLs and bodies`() {
    let entry = Self.entry { entry in
      entry.request.url = "https://example.com/?access_token=\(Self.secret)"
      entry.request.headers = [.init("Authorization", Self.secret), .init("Cookie", "a=\(Self.secret)")]
      entry.response.content = .init(mimeType: "application/json", text: #"{"password": "\#(Self.secret)"}"#)
    }
    let omissions = HTTPArchive(entries: [entry, entry]).redacted().omissions
    #expect(omissions.description == "8 secrets left out: 4 in header fields, 2 in URLs, 2 in bodies")
  }

  @Test func `secrets left out of a form's parameters are counted with the bodies`() {
    let entry = Self.entry { entry in
      entry.request.body = .init(
        mimeType: "application/x-www-form-urlencoded",
        parameters: [.init("password", Self.secret), .init("page", "2"), .init("access_token", Self.secret)])
    }
    let (archive, omissions) = HTTPArchive(entries: [entry]).redacted()
    #expect(omissions.bodies == 2)
    #expect(archive.entries[0].request.body?.parameters.map(\.isRedacted) == [true, false, true])
  }

  @Test func `a request's field that lost a part of its value is marked, and a field without secrets is not`() {
    let entry = Self.entry { entry in
      entry.request.headers = [
        .init("Referer", "https://example.com/?access_token=\(Self.secret)"), .init("Accept", "*/*"),
      ]
    }
    let redacted = HTTPArchive(entries: [entry]).redacted().archive.entries[0]
    #expect(redacted.request.headers.map(\.isRedacted) == [true, false])
  }

  @Test(arguments: [Data.Base64EncodingOptions(), .lineLength64Characters])
  func `secrets are left out of a body that is written in base64, in one line or several`(
    options: Data.Base64EncodingOptions
  ) throws {
    let text = #"{"password": "\#(Self.secret)", "page": 2, "sort": "newest"}"#
    let entry = Self.entry { entry in
      entry.response.content = .init(
        mimeType: "application/json", text: Data(text.utf8).base64EncodedString(options: options), encoding: "base64")
    }
    let (archive, omissions) = HTTPArchive(entries: [entry]).redacted()
    let left = try #require(archive.entries[0].response.content.text.flatMap { Data(base64Encoded: $0) })
    #expect(String(decoding: left, as: UTF8.self) == #"{"password": "redacted******", "page": 2, "sort": "newest"}"#)
    #expect(omissions.bodies == 1)
  }

  @Test func `secrets are left out of a body that the archive wrongly calls base64`() {
    let text = #"{"password": "\#(Self.secret)", "page": 2}"#
    let entry = Self.entry { entry in
      entry.response.content = .init(mimeType: "application/json", text: text, encoding: "base64")
    }
    let (archive, omissions) = HTTPArchive(entries: [entry]).redacted()
    #expect(archive.entries[0].response.content.text == #"{"password": "redacted******", "page": 2}"#)
    #expect(omissions.bodies == 1)
  }
}
