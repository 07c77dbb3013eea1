import Internals
import NetworkConditions
import Testing
import URLLoading

/// A transport that answers with a head, and logs that it was cancelled.
private struct CancellableTransport: Transport {
  let head: ResponseHead?
  let log = Log<String>()

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    for number in 1...2 { reply.onCancel { log.add("\(number)") } }
    guard let head else { return reply.park() }
    reply.answer(head, body: Data())
  }
}

struct ReplyTests {
  @Test func `all cancellation handlers of a reply run when its client leaves`() async throws {
    let transport = CancellableTransport(head: nil)
    _ = try await Simulation("3G", transport: transport) { network in
      try await withThrowingTaskGroup(of: Void.self) { load in
        load.addTask { _ = try? await network.data(from: url("https://x.example/")) }
        try await network.clock.sleep(for: .seconds(5))
        load.cancelAll()
      }
      try await network.clock.sleep(for: .seconds(1))
    }
    #expect(transport.log.all == ["1", "2"])
  }

  /// A server that keeps its replies.
  private struct KeptTransport: Transport {
    let replies = Log<any TransportReply>()

    func respond(to request: TransportRequest, with reply: any TransportReply) {
      replies.add(reply)
      reply.park()
    }
  }

  @Test func `a cancellation handler that is set after its client left runs at once`() async throws {
    let (transport, log) = (KeptTransport(), Log<String>())
    _ = try await Simulation("3G", transport: transport) { network in
      _ = try? await network.data(for: URLRequest(url: url("https://x.example/"), timeoutInterval: 5))
      transport.replies.all[0].onCancel { log.add("late") }
      #expect(log.all == ["late"])
    }
  }

  @Test(arguments: [200, 204, 304])
  func `only responses with status 204 and 304 may announce a length without a body`(status: Int) async throws {
    let head = ResponseHead(status: status, headers: [HeaderField("Content-Length", "5")])
    let run = try await Simulation("3G", transport: CancellableTransport(head: head)) { network in
      try? await network.data(from: url("https://x.example/")).0.count
    }
    #expect(run.value == (status == 200 ? nil : 0))
  }

  /// A server that waits for room, with a closure that holds an object; the object's release uses the network.
  private struct AheadTransport: Transport {
    final class Reader: Sendable {
      let network: WeakReference<SimulatedNetwork>
      init(_ network: WeakReference<SimulatedNetwork>) { self.network = network }
      deinit { _ = network.object?.timeline }
    }
    let network = Log<WeakReference<SimulatedNetwork>>()

    func respond(to request: TransportRequest, with reply: any TransportReply) {
      reply.head(ResponseHead())
      reply.body(Data(count: 20 << 20))
      let reader = Reader(network.all[0])
      reply.whenRoom { withExtendedLifetime(reader) {} }
    }
  }

  @Test func `a server that waits for room may release an object that uses the network`() async throws {
    let transport = AheadTransport()
    let run = try await Simulation("3G", transport: transport) { network in
      transport.network.add(WeakReference(network))
      let request = URLRequest(url: url("https://x.example/"), timeoutInterval: 5)
      try await withThrowingTaskGroup(of: Void.self) { load in
        load.addTask { _ = try? await network.data(for: request) }
        try await network.clock.sleep(for: .seconds(5))
        load.cancelAll()
      }
    }
    #expect(run.timeline.transfers.map(\.outcome) == [.cancelled])
  }
}
