import Foundation
import NetworkConditions
import Testing

@testable import TrafficRecording

@Suite(.timeLimit(.minutes(10)))
struct RedactedRequestsTests {
  /// Sends a request that has this secret in its URL, header and body.
  private static func ask(_ transport: any Transport, _ secret: String) async throws -> Answer {
    let network = SimulatedNetwork(.unlimited, pace: .immediate, transport: transport)
    network.redaction = .standard.adding("mandant")
    defer { network.invalidate() }
    return try await network.ask(
      "POST", "https://x.example/a?token=\(secret)&page=2&mandant=\(secret)",
      body: Data(#"{"password":"\#(secret)","mandant":"\#(secret)","x":[1]}"#.utf8))
  }

  @Test(arguments: [1 << 20, 10])
  func `a redacted recording answers requests with other secrets`(inlineLimit: Int) async throws {
    let scratch = try Scratch()
    let file = scratch.file("a.har")
    let body = #"{"access_token":"plantedSecret","name":"n"}"#
    let recording = try RecordingTransport(HandlerTransport { _ in .json(body) }, to: file, inlineLimit: inlineLimit)
    _ = try await Self.ask(recording, "plantedSecret")
    try recording.finish()
    #expect("\(recording.omissions)" == "5 secrets left out: 2 in URLs, 3 in bodies")
    for name in scratch.names where name != "a.bodies" {
      #expect(try !String(contentsOf: scratch.file(name), encoding: .utf8).contains("plantedSecret"))
    }
    let archive = try HTTPArchive(contentsOf: file)
    #expect(archive.entries[0].request.url == "https://x.example/a?token=redacted&page=2&mandant=redacted")
    #expect(archive.entries[0].response.content.size == Int64(body.utf8.count))
    let transport = try RecordedTransport(archive, matching: .standard.matchingBody())
    #expect(transport.notes.isEmpty)
    let answer = try await Self.ask(transport, "another, longer one".filter { $0 != " " && $0 != "," })
    #expect(String(decoding: answer.data, as: UTF8.self) == body.replacing("plantedSecret", with: "redacted*****"))
    await #expect(throws: URLError.self) {
      _ = try await transport.rewound().ask("POST", "https://x.example/a?token=x&page=3&mandant=x")
    }
  }

  @Test func `an archive that kept its secrets distinguishes requests by them`() async throws {
    let entries = ["one", "two"].map { (token: String) in
      HTTPArchive.Entry(
        started: nil, request: HTTPArchive.Request(url: "https://x.example/?token=\(token)"),
        response: HTTPArchive.Response(status: 200, content: HTTPArchive.Content(size: 3, text: token)))
    }
    let transport = try RecordedTransport(HTTPArchive(entries: entries))
    #expect(try await transport.ask("GET", "https://x.example/?token=two").data == Data("two".utf8))
    await #expect(throws: URLError.self) { try await transport.ask("GET", "https://x.example/?token=three") }
    let (redacted, omissions) = HTTPArchive(entries: entries).redacted()
    #expect(omissions.total == 2 && redacted.entries.allSatisfy { $0.request.url.hasSuffix("token=redacted") })
    #expect(try await RecordedTransport(redacted).ask("GET", "https://x.example/?token=3").data == Data("one".utf8))
  }
}
