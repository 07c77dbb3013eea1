import LinkSimulator
import LoopbackServer
import Testing
import URLLoading

@testable import NetworkConditions

struct FramingTests {
  /// The framing of a response of 1000 bytes, and where and how its connection ends.
  struct Cut: Sendable {
    var framing: BodyFraming
    var bytes: Int
    var resets: Bool

    static let all = [BodyFraming.length, .chunked, .untilClose].flatMap { framing in
      [0, 500, 1_000].flatMap { bytes in
        [false, true].map { Cut(framing: framing, bytes: bytes, resets: $0) }
      }
    }

    /// The bytes that a server writes before it ends the connection.
    var message: Data {
      let body = Data(repeating: 120, count: bytes)
      switch framing {
      case .length: return Data("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8) + body
      case .untilClose: return Data("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8) + body
      case .chunked:
        let head = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n".utf8)
        return head + body + (bytes == 1_000 ? Data("\r\n0\r\n\r\n".utf8) : Data())
      }
    }
  }

  struct Outcome: Equatable {
    var status: Int?
    var bytes: Int
    var code: URLError.Code?
  }

  /// The result that a delegate sees; error codes of native tasks on Linux are mapped to Apple's.
  static func outcome(_ url: URL, _ configuration: URLSessionConfiguration) async -> Outcome {
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: url).resume()
    defer { session.finishTasksAndInvalidate() }
    let record = await delegate.end()
    return Outcome(
      status: record.response?.statusCode, bytes: record.body.count,
      code: record.error.map { URLError(native: $0, behindHead: record.response != nil).code })
  }

  /// A network that cuts an answer after so many bytes of its body.
  static func network(cutting cut: Cut, of response: StubResponse) -> SimulatedNetwork {
    guard case .message(let head, _, _) = PreparedAnswer(response).action
    else { return SimulatedNetwork("offline") }
    let after = BytePosition.bytes(WireFormat.responseHeadBytes(head, version: .http1) + Int64(cut.bytes))
    let fault: RequestFault = cut.resets ? .reset(after: after) : .truncate(after: after)
    let profile = NetworkProfile(name: "cut", faults: [FaultRule(fault)])
    let network = SimulatedNetwork(profile, pace: .immediate)
    network.stub("*", with: response)
    return network
  }

  static func answer(_ framing: BodyFraming) -> StubResponse {
    .data(Data(repeating: 120, count: 1_000)).framed(framing)
  }

  @Test(arguments: Cut.all)
  func `a truncated response looks the same to a simulated session as to a real one`(cut: Cut) async throws {
    let server = try LoopbackServer { _ in .raw(cut.message, resets: cut.resets) }
    let real = await Self.outcome(server.url("/"), .ephemeral)
    server.stop()
    let network = Self.network(cutting: cut, of: Self.answer(cut.framing))
    let simulated = await Self.outcome(url("http://127.0.0.1/"), network.sessionConfiguration)
    #expect(simulated == real)
    // A response with all its announced bytes is complete. A close completes a response without another end marker, but
    // a reset never does.
    let isWhole = cut.framing == .untilClose ? !cut.resets : cut.bytes == 1_000
    #expect(real == Outcome(status: 200, bytes: cut.bytes, code: isWhole ? nil : .networkConnectionLost))
    #expect(network.timeline.transfers.map(\.outcome) == [isWhole ? .finished : .failed(.networkConnectionLost)])
  }

  @Test func `a response that ends by closing makes the next request open a connection`() async throws {
    for (framing, connections) in [(BodyFraming.length, 1), (.chunked, 1), (.untilClose, 3)] {
      let network = SimulatedNetwork("wifi", seed: 1, pace: .immediate)
      network.stub("*", with: Self.answer(framing))
      for _ in 0..<3 { #expect(try await network.data(from: url("http://127.0.0.1/")).0.count == 1_000) }
      #expect(Set(network.timeline.transfers.compactMap(\.wire.connection)).count == connections)
    }
  }

  @Test(arguments: [BodyFraming.chunked, .untilClose])
  func `a stub sees its truncated response as cancelled`(framing: BodyFraming) async throws {
    let pieces = (0..<3).map { _ in (Duration.seconds(1), Data(count: 400)) }
    let cut = Cut(framing: framing, bytes: 500, resets: false)
    let network = Self.network(cutting: cut, of: .stream(pieces).framed(framing))
    let outcome = await Self.outcome(url("http://127.0.0.1/"), network.sessionConfiguration)
    #expect(outcome.bytes == 500 && (outcome.code == nil) == (framing == .untilClose))
    #expect(network.stubs.routes[0].requests.map(\.wasCancelled) == [true])
    #expect(network.timeline.time < SimulatedInstant.zero.advanced(by: .milliseconds(2_100)))
  }

  @Test(arguments: Cut.all.filter { !$0.resets && $0.bytes > 0 })
  func `a truncated response of a real server fails unless closing marks its end`(cut: Cut) async throws {
    let server = try LoopbackServer { _ in .raw(cut.message) }
    defer { server.stop() }
    let faults = cut.bytes == 1_000 ? [FaultRule(.truncate(after: .bytes(600)))] : []
    let profile = NetworkProfile(name: "cut", faults: faults)
    let network = SimulatedNetwork(profile, pace: .immediate, transport: URLSessionTransport())
    let outcome = await Self.outcome(server.url("/"), network.sessionConfiguration)
    #expect(outcome.status == 200 && (500..<600).contains(outcome.bytes))
    #expect(outcome.code == (cut.framing == .untilClose ? nil : .networkConnectionLost))
  }

  @Test func `a stub's framing decides whether it has a Content-Length or ends by closing`() async throws {
    func head(_ response: StubResponse) -> ResponseHead? {
      HandlerTransport { _ in response }.send("GET", "http://x.example/").head
    }
    let stream = StubResponse.stream([(.zero, Data(count: 3)), (.zero, Data(count: 4))])
    #expect(head(Self.answer(.length))?["Content-Length"] == "1000")
    #expect(head(stream)?["Content-Length"] == nil && head(stream.framed(.length))?["Content-Length"] == "7")
    for response in [Self.answer(.untilClose), stream.framed(.untilClose)] {
      #expect(head(response)?["Content-Length"] == nil && head(response)?.endsWithConnection == true)
    }
    #expect(head(Self.answer(.chunked)).map { [$0["Content-Length"] == nil, !$0.endsWithConnection] } == [true, true])
  }
}
