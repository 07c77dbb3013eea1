import FormatFuzzing
import NetworkConditions
import Synchronization
import TrafficRecording
import URLLoading

/// Archives of recorded traffic: the reading speed, the look-up time by size, and damaged files.
enum ArchiveReplay {
  static func run() async throws {
    // Runs first, while the process's peak memory is low.
    try memory()
    let json = archive(10_000).json
    let (archive, read) = try timed { try HTTPArchive(json: json) }
    let (transport, ready) = try timed { try RecordedTransport(archive) }
    report(
      "10,000 entries, \(json.count / 1_000_000) MB: read, and made ready",
      "\(read.fixed(2)) s, \((read + ready).fixed(2)) s in all", goal: "under 2 s")
    let large = try microseconds(transport, among: 10_000)
    let small = try microseconds(try RecordedTransport(Self.archive(100)), among: 100)
    report(
      "an answer among 10,000 entries, of that among 100",
      "\(large.fixed(2)) µs, \(small.fixed(2)) µs: \((large / small).fixed(2))", goal: "2, whatever the size")
    try fuzz(100_000)
  }

  /// An archive like a browser's, with some kilobytes per entry.
  private static func archive(_ count: Int) -> HTTPArchive {
    let headers = (0..<14).map { HTTPArchive.Field("x-header-\($0)", "value \($0), of the length that they have") }
    return HTTPArchive(
      entries: (0..<count).map { number in
        let url = "https://api.example.com/v1/items/\(number)?page=\(number % 7)&session=0123456789abcdef"
        let text = String(repeating: #"{"id": \#(number), "name": "item"}\n"#, count: 30)
        return HTTPArchive.Entry(
          started: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)),
          request: HTTPArchive.Request(url: url, headers: headers),
          response: HTTPArchive.Response(
            status: 200, headers: headers, content: HTTPArchive.Content(size: Int64(text.utf8.count), text: text)),
          timings: HTTPArchive.Timings(send: .milliseconds(1), wait: .milliseconds(80), receive: .microseconds(2_345)))
      })
  }

  /// The median time of a response, each from another entry, in microseconds.
  private static func microseconds(_ transport: RecordedTransport, among count: Int) throws -> Double {
    let requests = (0..<10_000).map { index in
      let number = index * 7_919 % count
      let url = "https://api.example.com/v1/items/\(number)?page=\(number % 7)&session=0123456789abcdef"
      return TransportRequest(request: URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: "/")))
    }
    let reply = CountingReply()
    let times = (0..<7).map { _ in
      timed { for request in requests { transport.respond(to: request, with: reply) } }.seconds
        / Double(requests.count) * 1e6
    }
    guard reply.failures.load(ordering: .relaxed) == 0 else { throw URLError(.resourceUnavailable) }
    return times.median
  }

  private static func fuzz(_ count: Int) throws {
    var small = Self.archive(1)
    small.entries[0].request.headers.removeLast(12)
    small.entries[0].response.headers.removeLast(12)
    small.entries[0].response.content = HTTPArchive.Content(size: 3, text: "eHl6", encoding: "base64")
    let seed = Array(small.json)
    var accepted = 0
    var slowest = 0.0
    let begin = seconds()
    for number in 0..<count {
      let bytes = Mutation.of([seed], number: number, seed: 1, atMost: 3)
      let (isRead, time) = timed {
        // Both outcomes are valid.
        guard let archive = try? HTTPArchive(json: Data(bytes)) else { return false }
        let matching = RequestMatching.standard.matchingBody().matchingHeaders("x-header-1")
        return (try? RecordedTransport(archive, matching: matching)) != nil
          && (try? HTTPArchive(json: archive.json)) != nil
      }
      if isRead { accepted += 1 }
      slowest = max(slowest, time)
    }
    report(
      "\(count) mutated archives",
      "\(accepted) read, the slowest \((slowest * 1000).fixed(1)) ms, "
        + "\((seconds() - begin).fixed(1)) s in all", goal: "no crash, no hang")
    let bomb = Data(String(repeating: "[", count: 50_000_000).utf8)
    let time = timed { try? HTTPArchive(json: Data("{\"log\":{\"_x\":".utf8) + bomb) }.seconds
    report("50 million open brackets", "refused after \((time * 1000).fixed(0)) ms")
  }

  /// Records a body far larger than the memory it may use.
  private static func memory() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("archive-benchmark")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let before = peakMegabytes()
    let piece = Data(count: 256 << 10)
    let size = 512
    let recording = try RecordingTransport(
      Pieces(piece: piece, count: size * 4), to: folder.appendingPathComponent("a.har"))
    guard let url = URL(string: "https://example.com/large") else { return }
    recording.respond(to: TransportRequest(request: URLRequest(url: url)), with: CountingReply())
    try recording.finish()
    report("a body of \(size) MB recorded, memory", "\((peakMegabytes() - before).fixed(0)) MB more", goal: "bounded")
  }

  /// A transport that repeats one piece.
  private struct Pieces: Transport {
    let piece: Data
    let count: Int

    func respond(to request: TransportRequest, with reply: any TransportReply) {
      reply.head(ResponseHead())
      for _ in 0..<count { reply.body(piece) }
      reply.finish()
    }
  }

  private final class CountingReply: TransportReply {
    let failures = Atomic<Int>(0)

    func head(_ head: ResponseHead) {}
    func body(_ data: Data, encodedCount: Int64?) {}
    func finish() {}
    func together(_ work: () -> Void) { work() }
    func fail(_ error: URLError) { failures.wrappingAdd(1, ordering: .relaxed) }
    func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {}
    func whenRoom(_ work: @escaping @Sendable () -> Void) { work() }
    func park() {}
    func waitOutside() {}
    var executor: (any TaskExecutor)? { nil }
    func onCancel(_ work: @escaping @Sendable () -> Void) {}
  }
}
