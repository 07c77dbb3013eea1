import AppleFoundation
import Internals
import LoopbackServer
import NetworkConditions
import Testing

/// Transports to real servers, over the sessions of the test double.
struct TransportTests {
  @Test func `a client receives a real server's response through a simulated network`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let network = SimulatedNetwork(.unlimited, seed: 1, transport: URLSessionTransport())
    defer { network.invalidate() }
    let (data, response) = try await network.session.data(from: server.url("/bytes/300000"))
    #expect(data == Behaviour.bytes(first: 300_000))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    // Larger than a client's window, so the transport's task is paused and resumed.
    let large = try await network.data(from: server.url("/bytes/6000000")).0
    #expect(large.count == 6_000_000)
  }

  @Test func `a request to a stopped server fails with the system's connection error`() async throws {
    let server = try LoopbackServer()
    let url = server.url("/bytes/1")
    server.stop()
    let network = SimulatedNetwork(.unlimited, seed: 1, transport: URLSessionTransport())
    defer { network.invalidate() }
    let error = await #expect(throws: URLError.self) { try await network.data(from: url) }
    #expect(error?.code == .cannotConnectToHost || error?.code == .networkConnectionLost)
  }
}
