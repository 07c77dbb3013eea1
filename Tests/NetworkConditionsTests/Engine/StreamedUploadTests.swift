import Testing
import URLLoading

@testable import NetworkConditions

/// Streams that are still being read when the network answers, as in real time.
struct StreamedUploadTests {
  /// Advances time only when a test says so, and does all work at once.
  final class StillTime: TimeSource {
    var now: SimulatedInstant? { nil }
    func keepTime(of network: NetworkEngine) {}
    func networkRests(_ rest: NetworkRest) {}
    func perform(_ work: @escaping @Sendable () -> Void) { work() }
    func stop() {}
  }

  private final class Reader: ExchangeSink {
    func exchangeHasOutput(_ exchange: Int) {}
  }

  /// Sends the first 2,000 bytes of a stream, and lets 2 s pass.
  private func begin(
    _ stubs: StubTransport, under profile: NetworkProfile = EarlyAnswerTests.slow
  ) -> (engine: NetworkEngine, upload: Int) {
    let engine = NetworkEngine(
      profile: profile, seed: 1, stubs: stubs, configurationError: nil, timeSource: StillTime())
    let request = EarlyAnswerTests.post(url("http://127.0.0.1/upload"))
    let id = engine.begin(
      request, body: .empty, uploadSize: nil, settings: ExchangeSettings(), sink: Reader()
    ).id
    #expect(engine.extendUpload(of: id, by: 2_000, whole: nil))
    pass(2_000, in: engine)
    return (engine, id)
  }

  private func pass(_ milliseconds: Int64, in engine: NetworkEngine) {
    let end = engine.now.advanced(by: .milliseconds(milliseconds))
    while engine.now < end { engine.pass(to: end) }
  }

  @Test func `a redirect without a body ignores the rest of the stream`() {
    let stubs = StubTransport()
    stubs.stub("/upload", with: .redirect(to: "/next", status: 303).early(afterBytes: 1_000))
    let next = stubs.stub("/next", with: .redirect(to: "/last", status: 307).after(.seconds(5)))
    let last = stubs.stub("/last", with: .text("last"))
    let (engine, upload) = begin(stubs)
    #expect(next.callCount == 1)
    #expect(!engine.extendUpload(of: upload, by: 1_000, whole: nil))
    engine.extendUpload(of: upload, by: 0, whole: .data(Data(count: 3_000)))
    pass(8_000, in: engine)
    #expect(next.requests.map(\.body.count) == [0] && last.requests.map(\.body.count) == [0])
    let transfers = engine.look { $0.snapshot() }.transfers
    #expect(transfers.map(\.bytesSent) == [2_000, 0, 0])
    #expect(transfers.map(\.outcome) == [.finished, .finished, .finished])
  }

  @Test func `a redirect that needs the rest of a stream fails`() throws {
    let stubs = StubTransport()
    stubs.stub("/upload", with: .redirect(to: "/next", status: 307).early(afterBytes: 1_000))
    let next = stubs.stub("/next", with: .status(204))
    let (engine, upload) = begin(stubs)
    guard case .failed(let error)? = engine.take(upload).end else {
      Issue.record("the upload did not fail")
      return
    }
    #expect(error.code == .requestBodyStreamExhausted && next.callCount == 0)
    #expect(!engine.extendUpload(of: upload, by: 1_000, whole: nil))
  }

  @Test func `a delayed request is sent with the bytes already read from its stream`() throws {
    let stubs = StubTransport()
    let route = stubs.stub("/upload", with: .status(201).early(afterBytes: 2_000))
    let delay = FaultRule(.delay(.seconds(1)))
    let profile = NetworkProfile(name: "late", phases: EarlyAnswerTests.slow.phases, faults: [delay])
    let (engine, id) = begin(stubs, under: profile)
    // The first 2,000 bytes were sent, although the stream has not ended.
    #expect(route.callCount == 1)
    #expect(engine.extendUpload(of: id, by: 1_000, whole: nil))
    engine.extendUpload(of: id, by: 0, whole: .data(Data(count: 3_000)))
    pass(2_000, in: engine)
    #expect(engine.look { $0.snapshot() }.transfers.map(\.bytesSent) == [3_000])
    #expect(engine.look { $0.snapshot() }.transfers.map(\.outcome) == [.finished])
  }
}
