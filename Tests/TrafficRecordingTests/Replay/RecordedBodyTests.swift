import NetworkConditions
import Testing

@testable import TrafficRecording
import URLLoading

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

  @Test func `a base64 body with line breaks is decoded`() async throws {
    let (answer, notes) = try await serve(.init(size: 3, text: "/w\r\nAB", encoding: "base64"))
    #expect(answer.data == Data([0xFF, 0, 1]) && notes == [])
  }

  /// Requests the entry, which must fail, and returns the text of the error.
  private func refusal(
    _ content: HTTPArchive.Content, status: Int = 200, headers: [HTTPArchive.Field] = [], in folder: URL? = nil
  ) async throws -> String {
    do {
      let (answer, _) = try await serve(content, status: status, headers: headers, in: folder)
      return "it was answered with \(answer.data.count) bytes"
    } catch let error as URLError where error.code == .resourceUnavailable {
      return error.localizedDescription.replacing(" (netcond explain no-recording)", with: "")
    }
  }

  @Test func `broken base64 and unknown encodings are refused with the reason`() async throws {
    let line = "archive: log.entries[0], GET \(Self.url), cannot be served:"
    #expect(
      try await refusal(.init(size: 3, text: "a!b", encoding: "base64"))
        == "\(line) its body is not valid base64; export the recording again.")
    #expect(
      try await refusal(.init(size: 3, text: "abc", encoding: "rot13"))
        == "\(line) its body has the unknown encoding \"rot13\"; write \"base64\", or none for text.")
  }

  @Test(arguments: [
    (HTTPArchive.Content(size: 12), [HTTPArchive.Field]()), (.init(size: 12, text: ""), []),
    (.init(size: -1), [.init("Content-Length", "12")]), (.init(size: 0, text: ""), [.init("Content-Length", "12")]),
  ])
  func `a response whose body was not recorded fails with advice`(
    content: HTTPArchive.Content, headers: [HTTPArchive.Field]
  ) async throws {
    #expect(
      try await refusal(content, headers: headers)
        == "archive: log.entries[0], GET \(Self.url), cannot be served: its body of 12 bytes was not recorded; export the recording again with its contents, or make it with netcond record."
    )
    let archive = HTTPArchive(entries: [Samples.entry(Self.url, headers: headers, content: content)])
    let transport = try RecordedTransport(archive)
    #expect(
      transport.notes.map(\.text) == [
        "its body of 12 bytes was not recorded; export the recording again with its contents, or make it with netcond record; requests for it fail"
      ])
    #expect(try await transport.ask("HEAD", Self.url).status == 200)
  }

  @Test(arguments: [(200, 0), (200, -1), (204, 12), (304, 12)])
  func `a response that has no body is served without a note`(status: Int, size: Int64) async throws {
    let (answer, notes) = try await serve(.init(size: size), status: status)
    #expect(answer.status == status && answer.data.isEmpty && notes == [])
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is served without its unrecorded body`(status: Int) async throws {
    var archive = Samples.archive([("GET http://x.example/there", "there")])
    archive.entries.append(
      Samples.entry(
        Self.url, status: status, headers: [.init("Location", "/there"), .init("Content-Length", "12")],
        content: .init(size: 12)))
    let transport = try RecordedTransport(archive)
    #expect(try await transport.ask("GET", Self.url).text == "there")
    #expect(transport.notes.count == 1 && transport.notes[0].text.hasSuffix("the redirect is served without it"))
  }

  @Test func `a body whose size differs from the recorded size is served with a note`() async throws {
    let (answer, notes) = try await serve(.init(size: 9, text: "abc"))
    #expect(answer.headers["content-length"] == "3")
    #expect(notes == ["the body has 3 bytes, but the archive says 9; it is served as it is"])
  }

  @Test func `an encoded body whose recorded size is its size on the wire is served without a note`() async throws {
    let headers = [HTTPArchive.Field("Content-Encoding", "br"), .init("Content-Length", "5")]
    let (answer, notes) = try await serve(.init(size: 5, text: "decoded"), headers: headers)
    #expect(answer.text == "decoded" && notes == [])
  }

  /// The gzip data of "packed " repeated 100 times.
  static let packed = Data(base64Encoded: "H4sIAAAAAAACAytITM5OTVEoGKVGqaFGAQByPL+CvAIAAA==")!
  static let text = String(repeating: "packed ", count: 100)
  static let gzip = HTTPArchive.Field("Content-Encoding", "gzip")

  /// Replays an entry; returns the client's data, the transfer on the link, and the notes.
  private func travel(_ response: HTTPArchive.Response) async throws -> (
    data: Data, transfer: Transfer, notes: [String]
  ) {
    var entry = Samples.entry(Self.url)
    entry.response = response
    let transport = try RecordedTransport(HTTPArchive(entries: [entry]))
    let network = SimulatedNetwork("3G", seed: 1, pace: .immediate, transport: transport)
    defer { network.invalidate() }
    let (data, _) = try await network.data(from: URL(string: Self.url)!)
    return (data, try #require(network.timeline.transfers.first), transport.notes.map(\.text))
  }

  @Test func `a body recorded compressed is served decoded and travels in its compressed size`() async throws {
    let content = HTTPArchive.Content(size: 700, text: Self.packed.base64EncodedString(), encoding: "base64")
    let (answer, notes) = try await serve(content, headers: [Self.gzip])
    #expect(answer.text == Self.text && answer.headers["content-encoding"] == "gzip" && notes == [])
    let travelled = try await travel(.init(status: 200, headers: [Self.gzip], content: content))
    #expect(travelled.transfer.bytesReceived == Int64(Self.packed.count) && travelled.transfer.bytesDecoded == 700)
    var damaged = Self.packed
    damaged[damaged.count - 6] ^= 1
    #expect(
      try await refusal(.init(size: 700, text: damaged.base64EncodedString(), encoding: "base64"), headers: [Self.gzip])
        .contains("its body is still compressed (gzip), and cannot be unpacked: its check value is another"))
    #expect(
      try await refusal(
        .init(size: 700, text: Data([0x28, 0xB5, 0x2F, 0xFD]).base64EncodedString(), encoding: "base64"),
        headers: [.init("Content-Encoding", "zstd")]
      ).contains("its body is still compressed (zstd), and only gzip can be unpacked here"))
  }

  @Test func `a body under the old name of gzip is unpacked, too`() async throws {
    let (answer, notes) = try await serve(
      .init(size: 700, text: Self.packed.base64EncodedString(), encoding: "base64"),
      headers: [.init("Content-Encoding", "x-gzip")])
    #expect(answer.text == Self.text && notes == [])
  }
  @Test func `a decoded body travels in the compressed size that the archive states`() async throws {
    let content = HTTPArchive.Content(size: 700, text: Self.text)
    func bytes(
      _ headers: [HTTPArchive.Field] = [], bodyBytes: Int64 = -1, transferBytes: Int64 = -1, headerBytes: Int64 = -1
    ) async throws -> Int64 {
      var response = HTTPArchive.Response(
        status: 200, headers: [Self.gzip] + headers, content: content, headerBytes: headerBytes, bodyBytes: bodyBytes)
      response.transferBytes = transferBytes
      let (data, transfer, notes) = try await travel(response)
      #expect(data == Data(Self.text.utf8) && notes == [] && transfer.bytesDecoded == 700)
      return transfer.bytesReceived
    }
    #expect(try await bytes([.init("Content-Length", "39")], bodyBytes: 55, transferBytes: 400) == 39)
    #expect(try await bytes(bodyBytes: 41, transferBytes: 400) == 41)
    #expect(try await bytes(transferBytes: 400, headerBytes: 350) == 50)
    // The frame's head, the status and one field: 9 + 1 + 1 + 12 + 4 bytes.
    #expect(try await bytes(transferBytes: 100) == 73)
    #expect(try await bytes([.init("Content-Length", "39")]) == 39)
    let unknown = try await travel(.init(status: 200, headers: [Self.gzip], content: content))
    #expect(unknown.transfer.bytesReceived == 700 && unknown.transfer.isSizeAssumed && unknown.notes.count == 1)
  }

  @Test func `a recorded gzip file is served without unpacking it`() async throws {
    let empty = try await travel(
      .init(status: 200, headers: [Self.gzip, .init("Content-Length", "20")], content: .init(size: 0, text: "")))
    #expect(empty.data.isEmpty && empty.transfer.bytesReceived == 20 && empty.notes == [])
    let file = HTTPArchive.Content(
      size: Int64(Self.packed.count), text: Self.packed.base64EncodedString(), encoding: "base64")
    let packed = try await travel(.init(status: 200, headers: [Self.gzip], content: file, bodyBytes: 60))
    #expect(packed.data == Self.packed && packed.transfer.bytesReceived == 60)
  }

  @Test func `a truncated compressed body travels in the size that was received`() async throws {
    var entry = Samples.entry(Self.url)
    entry.response = .init(
      status: 200, headers: [Self.gzip, .init("Content-Length", "39")], content: .init(size: 350, text: Self.text),
      bodyBytes: 20, error: "networkConnectionLost")
    let network = SimulatedNetwork(
      "3G", pace: .immediate, transport: try RecordedTransport(HTTPArchive(entries: [entry])))
    defer { network.invalidate() }
    await #expect(throws: URLError.self) { try await network.data(from: URL(string: Self.url)!) }
    let transfer = try #require(network.timeline.transfers.first)
    #expect(transfer.bytesReceived == 20 && transfer.bytesDecoded == 700 && transfer.bytesExpected == 39)
  }

  @Test func `a text body is encoded in the character set of its Content-Type or in UTF-8`() async throws {
    let latin = try await serve(
      .init(size: -1, text: "é"), headers: [.init("Content-Type", "text/plain; charset=ISO-8859-1")])
    #expect(latin.answer.data == Data([0xE9]))
    let other = try await serve(
      .init(size: -1, text: "é"), headers: [.init("Content-Type", "text/plain; charset=koi8-x")])
    #expect(other.answer.text == "é" && other.answer.headers["content-type"] == "text/plain; charset=utf-8")
  }

  @Test(arguments: [204, 304])
  func `a response with status 204 or 304 is served without a body`(status: Int) async throws {
    let (answer, _) = try await serve(
      .init(size: 3, text: "abc"), status: status, headers: [.init("Content-Length", "3")])
    #expect(answer.status == status && answer.data.isEmpty && answer.headers["content-length"] == nil)
  }

  @Test func `redacted and invalid header fields are left out, each with a note`() async throws {
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

  @Test func `a body that is stored in a separate file is served from the file`() async throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(at: scratch.file("a.bodies"), withIntermediateDirectories: true)
    let data = GeneratedBody.bytes(in: 0..<600_000)
    try data.write(to: scratch.file("a.bodies/1-response"))
    let (answer, notes) = try await serve(.init(size: 600_000, file: "a.bodies/1-response"), in: scratch.folder)
    #expect(answer.data == data && notes == [])
    #expect(
      try await refusal(.init(size: 3, file: "a.bodies/2-response"), in: scratch.folder)
        .hasSuffix("its body is missing, since there is no file \"a.bodies/2-response\"."))
    #expect(try await refusal(.init(size: 3, file: "a.bodies")).contains("its body is missing"))
    let packed = try await serve(
      .init(size: 600_000, file: "a.bodies/1-response"), headers: [Self.gzip, .init("Content-Length", "1000")],
      in: scratch.folder)
    #expect(packed.answer.data == data && packed.answer.headers["content-length"] == "1000")
  }

  @Test(arguments: [
    "../../etc/passwd", "/etc/passwd", "a/../../b", "..", "", "..\\x", "c:x", "a\u{0}b", "link", "links/passwd",
  ])
  func `a body path that leads out of the archive's folder is refused`(path: String) async throws {
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
    #expect(throws: ProfileError.self) { try RecordedTransport(archive) }
  }

  @Test func `a body file that was replaced by a symbolic link is not served`() async throws {
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

  @Test func `a folder in place of a body's file is not read`() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(at: scratch.file("body"), withIntermediateDirectories: true)
    let found = try BodyFolder(folder: scratch.folder, archive: "a.har").find("body", at: "log")
    guard case .missing(let reason) = found else { return #expect(Bool(false), "\(found)") }
    #expect(reason == #""body" is not an ordinary file"#)
  }

  @Test func `a body with only a wire size counts as not recorded`() async throws {
    var entry = Samples.entry(Self.url, content: HTTPArchive.Content(size: -1))
    entry.response.bodyBytes = 12
    let transport = try RecordedTransport(HTTPArchive(entries: [entry]))
    #expect(transport.notes.first?.text.contains("its body of 12 bytes was not recorded") == true, "\(transport.notes)")
  }

  @Test func `a link into a folder whose name merely starts with the archive folder's name is refused`() throws {
    let scratch = try Scratch()
    for name in ["site", "site2"] {
      try FileManager.default.createDirectory(at: scratch.file(name), withIntermediateDirectories: true)
    }
    try Data("secret".utf8).write(to: scratch.file("site2/a"))
    try FileManager.default.createSymbolicLink(
      at: scratch.file("site/a"), withDestinationURL: scratch.file("site2/a"))
    #expect(throws: ProfileError.self) {
      try BodyFolder(folder: scratch.file("site"), archive: "a.har").find("a", at: "log")
    }
  }
}
