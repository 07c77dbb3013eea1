import NetworkConditions
import Testing

@testable import TrafficRecording

struct RecordedHeadersTests {
  /// The header fields that a client receives with the body `{}`, and the notes about them.
  private func headers(
    _ fields: [HTTPArchive.Field], status: Int = 200, type: String = "application/json", location: String = "",
    length: Int64? = 2
  ) throws -> (fields: [String], notes: [String]) {
    let response = HTTPArchive.Response(
      status: status, headers: fields, content: .init(size: 2, mimeType: type, text: "{}"), redirectURL: location)
    let body = try RecordedBody(response, isCutOff: false, in: BodyFolder(folder: nil, archive: "a.har"), at: "entry")
    let headers = RecordedHeaders(response, body: body, length: length)
    return (headers.fields.map { "\($0.name): \($0.value)" }, headers.notes)
  }

  @Test func `a replayed answer has one Content-Length and a Content-Type, even if they were not recorded`() throws {
    let both = ["Content-Length: 2", "Content-Type: application/json"]
    #expect(try headers([]).fields == both)
    #expect(try headers([.init("Content-Length", "9"), .init("content-length", "9")]).fields == both)
    #expect(try headers([.init("Content-Type", "text/x")], length: -1).fields == ["Content-Type: text/x"])
    #expect(try headers([.init("Content-Length", "9")], type: "", length: nil).fields == ["Content-Length: 9"])
    #expect(try headers([], type: "x-unknown").fields == ["Content-Length: 2"])
  }

  @Test func `a replayed redirect gets a Location from redirectURL if none was recorded`() throws {
    func fields(_ status: Int, _ fields: HTTPArchive.Field...) throws -> [String] {
      try headers(fields, status: status, type: "", location: "/next", length: nil).fields
    }
    #expect(try fields(302) == ["Location: /next"] && fields(302, .init("location", "/x")) == ["location: /x"])
    #expect(try fields(200).isEmpty && fields(304).isEmpty && fields(400).isEmpty)
  }

  @Test(arguments: [" 1", "1 ", " 1 ", "1\n", "1\t"])
  func `spaces around a recorded field's value are left out`(value: String) throws {
    #expect(try headers([.init("A", value), .init("B", "2 3")], type: "", length: nil).fields == ["A: 1", "B: 2 3"])
  }

  @Test func `connection-specific and redacted fields are left out, and a note names the redacted ones`() throws {
    let (fields, notes) = try headers(
      [
        .init("Connection", "close"), .init(":status", "200"), .init("Set-Cookie", "x", isRedacted: true),
        .init("Set-Cookie", "y", isRedacted: true), .init("A", "1\n2"),
      ], type: "", length: nil)
    #expect(fields == ["A: 1", "A: 2"])
    #expect(notes == ["Set-Cookie was redacted in the recording; it is left out"])
  }
}
