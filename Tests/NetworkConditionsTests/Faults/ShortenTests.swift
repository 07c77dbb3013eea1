import Foundation
import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

/// Faults of a response's contents: a shortened body, a web page in its place, a flipped byte.
struct ShortenTests {
  private typealias Answer = (status: Int?, type: String?, length: String?, body: String)

  private static func run(
    _ fault: RequestFault, at url: String = "http://api.example.com/feed", answer: StubResponse = .text("0123456789")
  ) async throws -> Simulation<Result<Answer, URLError>> {
    let url = try #require(URL(string: url))
    let schedule = try FaultSchedule("3G", faults: [.request(.get, "/feed", fault)])
    return try await Simulation(replaying: schedule) { network in
      network.stub("/feed", with: answer)
      do {
        let (body, response) = try await network.session.data(from: url)
        let http = response as? HTTPURLResponse
        return .success(
          (
            http?.statusCode, http?.value(forHTTPHeaderField: "Content-Type"),
            http?.value(forHTTPHeaderField: "Content-Length"), String(decoding: body, as: UTF8.self)
          ))
      } catch let error as URLError {
        return .failure(error)
      }
    }
  }

  @Test(arguments: [0, 4, 9])
  func `a shortened body arrives as a complete response with its own Content-Length`(length: Int) async throws {
    let run = try await Self.run(.shorten(to: .bytes(Int64(length))))
    let answer = try run.value.get()
    #expect(answer.status == 200 && answer.length == "\(length)")
    #expect(answer.body == "0123456789".prefix(length))
    #expect(run.timeline.transfers.map(\.bytesReceived) == [Int64(length)])
    #expect(run.timeline.events.contains { $0.kind == .fault("body shortened to \(length) bytes") })
    #expect(run.unusedFaults.isEmpty)
  }

  @Test func `a body that is already shorter or encoded is not shortened`() async throws {
    let short = try await Self.run(.shorten(to: .bytes(11)))
    #expect(try short.value.get().body == "0123456789")
    #expect(short.unusedFaults.count == 1)
    let coded = StubResponse.data(Data("0123456789".utf8)).header("Content-Encoding", "br")
    let run = try await Self.run(.shorten(to: .bytes(3)), answer: coded)
    #expect(try run.value.get().body == "0123456789")
    #expect(run.unusedFaults.count == 1)
  }

  @Test func `a body of exactly the shortened length keeps its head`() async throws {
    let run = try await Self.run(.shorten(to: .bytes(10)), answer: .text("0123456789").framed(.chunked))
    let answer = try run.value.get()
    #expect(answer.length == nil && answer.body == "0123456789")
  }

  @Test func `the first of two faults that shorten a body happens`() async throws {
    let faults = [4, 2].map { ScheduledFault.request(.get, "/feed", .shorten(to: .bytes($0))) }
    let run = try await Simulation(replaying: FaultSchedule("3G", faults: faults)) { network in
      network.stub("/feed", with: .text("0123456789"))
      return try await network.data(from: #require(URL(string: "http://api.example.com/feed"))).0
    }
    #expect(run.value == Data("0123".utf8) && run.unusedFaults == [faults[1]])
  }

  @Test func `a web page fault replaces the response with HTML`() async throws {
    let run = try await Self.run(.status(code: 200, page: "<p>Log in.</p>"))
    let answer = try run.value.get()
    #expect(answer.status == 200 && answer.type == "text/html; charset=utf-8" && answer.length == "14")
    #expect(answer.body == "<p>Log in.</p>")
    #expect(run.timeline.events.contains { $0.kind == .fault("status 200 with a web page") })
    #expect(run.timeline.transfers.map(\.bytesReceived) == [14])
  }

  @Test func `a web page fault can be shortened or corrupted further`() async throws {
    let page = ScheduledFault.request(.get, "/feed", .status(code: 200, page: "<p>Log in.</p>"))
    for (fault, body) in [(RequestFault.shorten(to: 3), "<p>"), (.corrupt(at: 13), nil)] {
      let schedule = try FaultSchedule("3G", faults: [page, .request(.get, "/feed", fault)])
      let run = try await Simulation(replaying: schedule) { network in
        try await network.session.data(from: URL(string: "http://api.example.com/feed")!).0
      }
      #expect(run.unusedFaults.isEmpty)
      #expect(run.value == body.map { Data($0.utf8) } ?? Data("<p>Log in.</p".utf8) + [UInt8(ascii: ">") ^ 0xFF])
    }
  }

  @Test func `a flipped byte reaches the client over HTTP and fails the request over TLS`() async throws {
    let plain = try await Self.run(.corrupt(at: .bytes(4)))
    #expect(try plain.value.get().body != "0123456789")
    let sealed = try await Self.run(.corrupt(at: .bytes(4)), at: "https://api.example.com/feed")
    let error = #expect(throws: URLError.self) { try sealed.value.get() }
    #expect(error?.code == .networkConnectionLost)
    #expect(sealed.timeline.transfers.map(\.bytesReceived) == [0])
    #expect(sealed.unusedFaults.isEmpty)
  }

  @Test func `over TLS the records before a flipped byte are received`() async throws {
    let body = Data(repeating: 7, count: 50_000)
    let run = try await Self.run(.corrupt(at: .bytes(40_000)), at: "https://api.example.com/feed", answer: .data(body))
    #expect(throws: URLError.self) { try run.value.get() }
    // Two records of 16 KiB; the first contains the head.
    let head = try #require(run.timeline.transfers.first).bytesReceived
    #expect((32_000..<32_768).contains(head))
  }
}
