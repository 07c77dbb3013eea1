import LoopbackServer
import NetworkConditions
import Testing
import TrafficRecording
import URLLoading

/// Rules for every transport; a new transport is one more case.
@Suite(.timeLimit(.minutes(10)))
struct TransportConformanceTests {
  enum Kind: CaseIterable {
    case stub, handler, urlSession, fallback, recorded, recording

    /// A transport that answers `/bytes/1000` with a thousand bytes, and `/reset` with a lost connection.
    func make() throws -> any Transport {
      let stub = StubTransport()
      switch self {
      case .stub:
        stub.stub("/bytes/1000", with: .bytes(count: 1_000))
        stub.stub("/reset", with: .error(.networkConnectionLost))
        return stub
      case .handler:
        return HandlerTransport { request in
          request.request.url?.path == "/reset" ? .error(.networkConnectionLost) : .bytes(count: 1_000)
        }
      case .urlSession: return URLSessionTransport()
      case .fallback: return StubTransport(fallback: URLSessionTransport())
      case .recorded:
        let content = HTTPArchive.Content(size: 1_000, text: String(repeating: "x", count: 1_000))
        let lost = HTTPArchive.Response(status: 0, error: "networkConnectionLost")
        let entries = ["GET", "POST"].map { method in
          HTTPArchive.Entry(
            started: nil, request: HTTPArchive.Request(method: method, url: "http://x.example/bytes/1000"),
            response: HTTPArchive.Response(status: 200, content: content))
        }
        let reset = HTTPArchive.Entry(
          started: nil, request: HTTPArchive.Request(url: "http://x.example/reset"), response: lost)
        return try RecordedTransport(HTTPArchive(entries: entries + [reset]), matching: .standard.ignoringOrigin())
      case .recording:
        let name = "conformance-\(UInt64.random(in: .min ... .max)).har"
        let recording = try RecordingTransport(
          URLSessionTransport(), to: FileManager.default.temporaryDirectory.appendingPathComponent(name))
        // The earlier bytes of the file are removed; later bytes still arrive.
        recording.discard()
        return recording
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `every transport delivers one head, the body and one end`(kind: Kind) async throws {
    let server = try LoopbackServer()
    let transport = try kind.make()
    for method in ["GET", "POST", "HEAD"] {
      let reply = transport.send(method, server.url("/bytes/1000").absoluteString)
      await reply.ended()
      #expect(reply.isInOrder && reply.ending == .finished && reply.head?.status == 200)
      #expect(reply.head?["Content-Length"] == "1000")
      #expect(reply.byteCount == (method == "HEAD" ? 0 : 1_000))
    }
    server.stop()
  }

  @Test(arguments: Kind.allCases)
  func `every transport reports an error once, with the URL`(kind: Kind) async throws {
    let server = try LoopbackServer()
    let reply = try kind.make().send("GET", server.url("/reset").absoluteString)
    await reply.ended()
    #expect(reply.isInOrder && reply.ending == .failed(.networkConnectionLost))
    #expect(reply.error?.failingURL == server.url("/reset"))
    server.stop()
  }

  @Test(arguments: Kind.allCases)
  func `every transport ends in order when its client was already cancelled`(kind: Kind) async throws {
    let server = try LoopbackServer()
    let reply = RecordingReply()
    reply.cancel()
    _ = try kind.make().send("GET", server.url("/bytes/1000").absoluteString, to: reply)
    await reply.ended()
    #expect(reply.isInOrder)
    server.stop()
  }
}
