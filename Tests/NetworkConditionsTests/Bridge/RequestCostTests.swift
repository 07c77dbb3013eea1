import Internals
import LinkSimulator
import Testing

@testable import NetworkConditions
import struct Synchronization.Atomic
import URLLoading

/// The cost of a stubbed response in counts; times would depend on the machine's load.
struct RequestCostTests {
  /// How often a network uses its time source.
  private struct Counts: Hashable {
    var clockReads = 0
    var queueTurns = 0
    var rests = 0
  }

  /// A clock that counts its uses, and goes on by one nanosecond each time it is read.
  private final class CountingTime: TimeSource {
    // Atomics: the network calls this under its leaf lock.
    let clockReads = Atomic(0)
    let queueTurns = Atomic(0)
    let rests = Atomic(0)
    let ahead = Atomic<Int64>(0)

    var counts: Counts {
      Counts(
        clockReads: clockReads.load(ordering: .relaxed), queueTurns: queueTurns.load(ordering: .relaxed),
        rests: rests.load(ordering: .relaxed))
    }

    var now: SimulatedInstant? {
      let reads = Int64(clockReads.wrappingAdd(1, ordering: .relaxed).newValue)
      return SimulatedInstant(nanoseconds: reads + ahead.load(ordering: .relaxed))
    }
    func keepTime(of network: NetworkEngine) {}
    func networkRests(_ rest: NetworkRest) { rests.wrappingAdd(1, ordering: .relaxed) }
    func perform(_ work: @escaping @Sendable () -> Void) {
      queueTurns.wrappingAdd(1, ordering: .relaxed)
      work()
    }
    func stop() {}
  }

  /// The client of a URLProtocol, which records its calls.
  private final class Client: NSObject, URLProtocolClient {
    let told = Locked<[String]>([])

    private func note(_ what: String) { told.withLock { $0.append(what) } }

    func urlProtocol(
      _ urlProtocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy: URLCache.StoragePolicy
    ) {
      note("\((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }
    func urlProtocol(_ urlProtocol: URLProtocol, didLoad data: Data) {
      note(String(decoding: data, as: UTF8.self))
    }
    func urlProtocolDidFinishLoading(_ urlProtocol: URLProtocol) { note("end") }
    func urlProtocol(_ urlProtocol: URLProtocol, didFailWithError error: any Error) { note("\(error)") }
    func urlProtocol(_ urlProtocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {}
    func urlProtocol(_ urlProtocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}
    func urlProtocol(_ urlProtocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
    func urlProtocol(_ urlProtocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
  }

  /// A queue turn takes longer than the whole simulation; each clock read takes the lock once.
  @Test func `a session's stubbed response over an unlimited network schedules no work on a queue`() throws {
    let time = CountingTime()
    let stub = StubTransport()
    stub.stub("/hello", with: .text("hello, world"))
    let engine = NetworkEngine(
      profile: try NetworkProfile.named("unlimited"), seed: 1, stubs: stub, configurationError: nil,
      timeSource: time)
    let slot = ProtocolSlots.claim(for: SessionBinding(engine: engine, client: nil))
    defer { ProtocolSlots.release(slot) }
    for number in 1...3 {
      let client = Client()
      let request = URLRequest(url: url("http://stub.example/hello"))
      slot.init(request: request, cachedResponse: nil, client: client).startLoading()
      #expect(client.told.value == ["200", "hello, world", "end"])
      #expect(time.counts == Counts(clockReads: 4 * number, queueTurns: 0, rests: number))
    }
  }
  private final class Sink: ExchangeSink {
    func exchangeHasOutput(_ exchange: Int) {}
  }

  /// Each clock read takes the lock once.
  @Test func `a network that is behind its clock gives up its lock every 1,000 steps`() {
    let (stubs, time) = (StubTransport(), CountingTime())
    let route = stubs.stub("/upload", with: .status(204))
    let engine = NetworkEngine(
      profile: EarlyAnswerTests.slow, seed: 1, stubs: stubs, configurationError: nil, timeSource: time)
    _ = engine.begin(
      EarlyAnswerTests.post(url("https://stub.example/upload")), body: .data(Data(count: 8_000_000)),
      uploadSize: 8_000_000, settings: ExchangeSettings(), sink: Sink())
    time.ahead.store(86_400_000_000_000, ordering: .relaxed)
    let before = time.counts.clockReads
    engine.pump()
    #expect(time.counts.clockReads - before >= 14)
    #expect(route.callCount == 1)
  }
}
