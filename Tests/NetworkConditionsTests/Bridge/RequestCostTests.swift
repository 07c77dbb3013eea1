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

  /// A clock that counts its uses.
  private final class CountingTime: TimeSource {
    // Atomics: the network calls this under its leaf lock.
    let clockReads = Atomic(0)
    let queueTurns = Atomic(0)
    let rests = Atomic(0)

    var counts: Counts {
      Counts(
        clockReads: clockReads.load(ordering: .relaxed), queueTurns: queueTurns.load(ordering: .relaxed),
        rests: rests.load(ordering: .relaxed))
    }

    var now: SimulatedInstant? {
      SimulatedInstant(nanoseconds: Int64(clockReads.wrappingAdd(1, ordering: .relaxed).newValue))
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
  @Test func `a session's stubbed response over an unlimited network needs no turn of a queue`() throws {
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
}
