import NetworkConditions

import Testing
import URLLoading

/// A server in real time that responds from its own thread after a short delay.
private struct OutsideServer: Transport {
  func respond(to request: TransportRequest, with reply: any TransportReply) {
    reply.waitOutside()
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.02)
      reply.answer(ResponseHead(headers: [HeaderField("Content-Length", "20000")]), body: Data(count: 20_000))
    }
  }
}

/// A transport that logs the calls of its reply.
private struct CountingTransport: Transport {
  struct Reply: WrappingReply {
    let wrapped: any TransportReply
    let log: Log<String>

    func head(_ head: ResponseHead) {
      log.add("head \(head.status)")
      wrapped.head(head)
    }

    func body(_ data: Data, encodedCount: Int64?) {
      log.add("body \(data.count)")
      wrapped.body(data, encodedCount: encodedCount)
    }

    func finish() {
      log.add("end")
      wrapped.finish()
    }
  }

  let wrapped: any Transport
  let log = Log<String>()

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    wrapped.respond(to: request, with: Reply(wrapped: reply, log: log))
  }
}

struct WrappingReplyTests {
  static func elapsed(_ transport: any Transport) async throws -> Duration {
    let run = try await Simulation("3G", seed: 3, transport: transport) { network in
      try await network.session.data(from: url("http://127.0.0.1/feed")).0.count
    }
    #expect(run.value == 20_000)
    return run.elapsed
  }

  @Test func `a logging reply changes no virtual time and sees every call`() async throws {
    for server: any Transport in [OutsideServer(), HandlerTransport { _ in .data(Data(count: 20_000)) }] {
      let counting = CountingTransport(wrapped: server)
      #expect(try await Self.elapsed(counting) == Self.elapsed(server))
      #expect(counting.log.all == ["head 200", "body 20000", "end"])
    }
  }

  @Test func `body parts sent together travel in fewer packets`() async throws {
    struct Pieces: Transport {
      var isTogether: Bool

      func respond(to request: TransportRequest, with reply: any TransportReply) {
        func give() {
          reply.head(ResponseHead(headers: [HeaderField("Content-Length", "2")]))
          for text in ["a", "b"] { reply.body(Data(text.utf8)) }
          reply.finish()
        }
        if isTogether { reply.together(give) } else { give() }
      }
    }
    func packets(_ transport: any Transport) async throws -> Int64 {
      let network = SimulatedNetwork("3G", seed: 1, pace: .immediate, transport: transport)
      let (data, _) = try await network.data(for: URLRequest(url: url("http://127.0.0.1/")))
      #expect(data == Data("ab".utf8))
      return network.timeline.transfers.reduce(0) { $0 + $1.wire.down.packets }
    }
    let one = try await packets(Pieces(isTogether: true))
    let apart = try await packets(Pieces(isTogether: false))
    let wrapped = try await packets(CountingTransport(wrapped: Pieces(isTogether: true)))
    #expect(apart > one)
    #expect(wrapped == one)
  }
}
