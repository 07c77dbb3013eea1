import Foundation
import NetworkConditions
import Testing

@testable import TrafficRecording

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct RecordedBodyTests {
  static let url = "http://x.example/"

  private func serve(
    _ content: HTTPArchive.Content, status: Int = 200, headers: [HTTPArchive.Field] = [], in folder: URL? = nil
  ) async throws -> (answer: Answer, notes: [String]) {
    var archive = HTTPArchive(entries: [Samples.entry(Self.url, status: status, headers: headers, content: content)])
    archive.folder = folder
    let transport = try RecordedTransport(archive)
    return (try await transport.ask("GET", Self.url), transport.notes.map(\.text))
  }

  @Test func `base64 is decoded, line breaks and all`() async throws {
    let (answer, notes) = try await serve(.init(size: 3, text: "/w\r\nAB", encoding: "base64"))
    #expect(answer.data == Data([0xFF, 0, 1]) && notes == [])
  }

  @Test func `broken base64 and unknown encodings are served as text, and said so`() async throws {
    #expect(try await serve(.init(size: 3, text: "a!b", encoding: "base64")).notes.count == 1)
    let (answer, notes) = try await serve(.init(size: 3, text: "abc", encoding: "rot13"))
    #expect(answer.text == "abc" && notes == [#"the body has the unknown encoding "rot13"; it is served as text"#])
  }

  @Test func `a body that was not recorded is served empty, and said so`() async throws {
    let (answer, notes) = try await serve(.init(size: 12), headers: [.init("Content-Length", "12")])
    #expect(answer.data.isEmpty && answer.headers["content-length"] == "0")
    #expect(notes == ["the body of 12 bytes was not recorded; it is served empty"])
    #expect(try await serve(.init(size: -1)).notes == [])
  }

  @Test func `a wrong size is said`() async throws {
    let (answer, notes) = try await serve(.init(size: 9, text: "abc"))
    #expect(answer.headers["content-length"] == "3")
    #expect(notes == ["the body has 3 bytes where the archive says 9; it is served as it is"])
  }

  @Test func `a body that is still compressed keeps its encoding, and that is said`() async throws {
    let gzip = Data([0x1F, 0x8B, 8, 0]).base64EncodedString()
    let (answer, notes) = try await serve(
      .init(size: 100, text: gzip, encoding: "base64"), headers: [.init("Content-Encoding", "gzip")])
    #expect(answer.headers["content-encoding"] == "gzip" && answer.headers["content-length"] == "4")
    #expect(notes.count == 1)
  }

  @Test func `text gets the bytes that its character set promises, or another character set`() async throws {
    let latin = try await serve(
      .init(size: -1, text: "é"), headers: [.init("Content-Type", "text/plain; charset=ISO-8859-1")])
    #expect(latin.answer.data == Data([0xE9]))
    let other = try await serve(
      .init(size: -1, text: "é"), headers: [.init("Content-Type", "text/plain; charset=koi8-x")])
    #expect(other.answer.text == "é" && other.answer.headers["content-type"] == "text/plain; charset=utf-8")
  }

  @Test(arguments: [204, 304])
  func `a status without a body gets none`(status: Int) async throws {
    let (answer, _) = try await serve(
      .init(size: 3, text: "abc"), status: status, headers: [.init("Content-Length", "3")])
    #expect(answer.status == status && answer.data.isEmpty && answer.headers["content-length"] == nil)
  }

  @Test func `redacted and impossible fields are left out, and said so`() async throws {
    let headers: [HTTPArchive.Field] = [
      .init("Set-Cookie", "<redacted>", isRedacted: true), .init("Bad Name", "x"), .init("Good", "y"),
      .init("Empty", ""),
    ]
    let (answer, notes) = try await serve(.init(size: 0), headers: headers)
    #expect(
      answer.headers["good"] == "y" && answer.headers["empty"] == "" && answer.headers["set-cookie"] == nil
        && notes.count == 2)
  }

  // MARK: Files

  @Test func `a body's file is served`() async throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(at: scratch.file("a.bodies"), withIntermediateDirectories: true)
    let data = GeneratedBody.bytes(in: 0..<600_000)
    try data.write(to: scratch.file("a.bodies/1-response"))
    let (answer, notes) = try await serve(.init(size: 600_000, file: "a.bodies/1-response"), in: scratch.folder)
    #expect(answer.data == data && notes == [])
    let missing = try await serve(.init(size: 3, file: "a.bodies/2-response"), in: scratch.folder)
    #expect(missing.answer.data.isEmpty && missing.notes.count == 1)
    #expect(try await serve(.init(size: 3, file: "a.bodies")).notes.count == 1)
  }

  @Test(arguments: [
    "../../etc/passwd", "/etc/passwd", "a/../../b", "..", "", "..\\x", "c:x", "a\u{0}b", "link", "links/passwd",
  ])
  func `a path that leads out of the folder is refused`(path: String) async throws {
    let scratch = try Scratch()
    let manager = FileManager.default
    try manager.createSymbolicLink(at: scratch.file("link"), withDestinationURL: URL(fileURLWithPath: "/etc/passwd"))
    try manager.createSymbolicLink(at: scratch.file("links"), withDestinationURL: URL(fileURLWithPath: "/etc"))
    var archive = HTTPArchive(entries: [Samples.entry(Self.url, content: .init(size: 1, file: path))])
    archive.folder = scratch.folder
    #expect(
      performing: { try RecordedTransport(archive) },
      throws: {
        let text = "\($0)"
        return text.hasPrefix("archive: log.entries[0].response.content._file: ")
          && text.contains("out of the archive's folder")
      })
    var upload = Samples.entry(Self.url)
    upload.request.body = .init(mimeType: "", file: path)
    archive.entries = [upload]
    #expect(throws: HTTPArchiveError.self) { try RecordedTransport(archive) }
  }

  @Test func `a file that becomes a link afterwards is not served`() async throws {
    let scratch = try Scratch()
    try Data("x".utf8).write(to: scratch.file("body"))
    var archive = HTTPArchive(entries: [Samples.entry(Self.url, content: .init(size: 1, file: "body"))])
    archive.folder = scratch.folder
    let transport = try RecordedTransport(archive)
    try FileManager.default.removeItem(at: scratch.file("body"))
    try FileManager.default.createSymbolicLink(
      at: scratch.file("body"), withDestinationURL: URL(fileURLWithPath: "/etc/passwd"))
    await #expect(
      performing: { try await transport.ask("GET", Self.url) }, throws: { ($0 as? URLError)?.code == .cannotOpenFile })
  }
}
