import Foundation
import NetworkConditions
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Upload tasks from data, file and stream: the server sees every byte.
@Suite struct UploadTaskTests {
  let target = url("https://api.example.com/upload")
  let body = GeneratedBody.bytes(in: 0..<150_000)

  private func post() -> URLRequest {
    var request = URLRequest(url: target)
    request.httpMethod = "POST"
    return request
  }

  private func network() -> (SimulatedNetwork, StubRoute) {
    let network = SimulatedNetwork.immediate()
    let route = network.stub(.post, "https://api.example.com/upload", with: .status(201))
    return (network, route)
  }

  @Test func `an upload from data`() async {
    let (network, route) = network()
    let result = await network.session.complete { $0.uploadTask(with: post(), from: body, completionHandler: $1) }
    #expect(result.response?.statusCode == 201)
    #expect(route.requests.first?.bodyData == body)
    #expect(network.timeline.transfers.first?.bytesSent == 150_000)
  }

  @Test func `an upload from a file`() async throws {
    let (network, route) = network()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try body.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = await network.session.complete { $0.uploadTask(with: post(), fromFile: file, completionHandler: $1) }
    #expect(result.response?.statusCode == 201)
    #expect(route.requests.first?.bodyData == body)
  }

  @Test func `an upload from a file that is not there fails and says so`() async {
    let (network, route) = network()
    let file = URL(fileURLWithPath: "/nonexistent/file")
    let result = await network.session.complete { $0.uploadTask(with: post(), fromFile: file, completionHandler: $1) }
    #expect(result.code == .fileDoesNotExist)
    #expect(route.callCount == 0)
  }

  @Test func `a body in the request itself, as data and as a stream`() async throws {
    let (network, route) = network()
    var request = post()
    request.httpBody = body
    _ = try await network.session.data(for: request)
    request.httpBody = nil
    request.httpBodyStream = InputStream(data: body)
    _ = try await network.session.data(for: request)
    #expect(route.requests.map(\.bodyData) == [body, body])
  }

  @Test func `a streamed upload asks the delegate for its stream and reports how far it is`() async {
    let (network, route) = network()
    let delegate = RecordingDelegate(stream: body)
    network.session(delegate).uploadTask(withStreamedRequest: post()).resume()
    let record = await delegate.end()
    #expect(record.error == nil)
    #expect(route.requests.first?.bodyData == body)
    #expect(record.sent == record.sent.sorted())
    #expect(record.sent.last == 150_000)
  }

  @Test func `a stream beyond a mebibyte is kept in a file that is removed`() async throws {
    let server = KeepingServer()
    let network = SimulatedNetwork("wifi", pace: .immediate, transport: server)
    let large = GeneratedBody.bytes(in: 0..<3_000_000)
    var request = post()
    request.httpBodyStream = InputStream(data: large)
    _ = try await network.session.data(for: request)
    let (file, data) = try #require(server.file.withLock { $0 })
    #expect(data == large)
    await network.settle()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  /// Reads the file that a body came in, and remembers where it was.
  private final class KeepingServer: Transport {
    let file = Mutex<(URL, Data)?>(nil)

    func respond(to request: TransportRequest, with reply: any TransportReply) {
      if case .file(let url, _) = request.body, let data = try? Data(contentsOf: url) {
        file.withLock { $0 = (url, data) }
      }
      reply.head(ResponseHead(status: 201))
      reply.finish()
    }
  }

  @Test func `a redirect by 307 sends the body again, and one by 302 turns it into a GET`() async throws {
    let network = SimulatedNetwork.immediate()
    network.stub("/keep", with: .redirect(to: "/final", status: 307))
    network.stub("/drop", with: .redirect(to: "/final", status: 302))
    let final = network.stub("/final", with: .text("done"))
    for path in ["keep", "drop"] {
      var request = URLRequest(url: url("https://api.example.com/\(path)"))
      request.httpMethod = "POST"
      request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
      let (data, response) = try await network.session.upload(for: request, from: Data("body".utf8))
      #expect(String(decoding: data, as: UTF8.self) == "done")
      #expect(response.url == url("https://api.example.com/final"))
    }
    #expect(final.requests.map(\.method) == ["POST", "GET"])
    #expect(final.requests.map(\.bodyText) == ["body", ""])
    #expect(final.requests.map { $0.header("Content-Type") } == ["text/plain", nil])
  }
}
