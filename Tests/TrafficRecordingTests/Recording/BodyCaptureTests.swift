import Testing

@testable import TrafficRecording
import URLLoading

struct BodyCaptureTests {
  @Test func `a body whose writing failed throws once, is left out, and its bytes are still counted`() throws {
    let scratch = try Scratch()
    let file = try RecordingFile(scratch.file("site.har"), overwrites: false)
    var capture = BodyCapture(limit: 3, name: "1-response", file: file)
    try capture.append(Data("abc".utf8))
    // No body can be created any more.
    file.discard()
    #expect(scratch.names == [])
    #expect(throws: CocoaError.self) { try capture.append(Data("d".utf8)) }
    try capture.append(Data("efgh".utf8))
    let end = try capture.end(mediaType: nil)
    #expect(capture.count == 8 && end.file == nil && end.text == nil && end.encoding == nil)
  }

  @Test func `the folder for recorded bodies is removed if no body is kept`() throws {
    let scratch = try Scratch()
    let folder = RecordingFolder(for: scratch.file("site.har"))
    try folder.create("1-response").close()
    try folder.keep([])
    #expect(scratch.names == [])
  }
}
